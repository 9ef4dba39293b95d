const MOST_SECONDS = 3_600;

/** Parses a Retry-After header (seconds or an HTTP date) to seconds from `now` (ms), at most an hour. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d{1,9}$/.test(value.trim()) ? Number(value) : (Date.parse(value) - now) / 1_000;
  return Number.isFinite(seconds) ? Math.min(MOST_SECONDS, Math.max(0, Math.ceil(seconds))) : undefined;
}
