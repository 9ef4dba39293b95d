export interface BackoffOptions {
  /** Ms before the second attempt. */
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * Builds the pause in ms after `failures` failed attempts in a row: it doubles with each, and `chance` (0 to 1)
 * shortens it by up to half, so that clients which failed together do not try again together.
 */
export function buildBackoffMs(failures: number, chance: number, options: BackoffOptions): number {
  const longest = Math.min(options.maxMs, options.firstMs * 2 ** Math.min(failures - 1, 30));
  return Math.ceil(longest * (0.5 + chance / 2));
}
