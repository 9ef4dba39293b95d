import { ArticleSourceError } from '../../../core/articles/article-source.ts';
import type { Clock } from '../../../core/clock.ts';

/** How the source has been doing. */
export interface GateStatus {
  /** Failures in a row. */
  readonly failures: number;
  readonly lastError: ArticleSourceError | null;
  /** Ms since 1970; null: never in this process. */
  readonly lastSuccess: number | null;
  /** Ms until the next attempt may go out; 0: now. */
  readonly waitMs: number;
}

/** Stands between the cache and its source: after a failure it waits, longer each time. */
export interface UpstreamGate {
  /** Makes the call, or rejects with the last failure while it waits. Any rejection is an `ArticleSourceError`. */
  call<T>(work: () => Promise<T>): Promise<T>;
  /** Whether a call would go out now. */
  isOpen(): boolean;
  status(): GateStatus;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;

/** How long to wait after a number of failures in a row: doubling, between half and all of it by chance. */
export function buildWait(failures: number, chance: number): number {
  const whole = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20));
  return whole * (0.5 + chance / 2);
}

/** Creates an open gate. `onChange` hears of the first failure and of the first success after it. */
export function createUpstreamGate(options: {
  readonly clock: Clock;
  readonly random: () => number;
  readonly onChange: (status: GateStatus) => void;
}): UpstreamGate {
  const { clock, random } = options;
  let failures = 0;
  let lastError: ArticleSourceError | null = null;
  let lastSuccess: number | null = null;
  let opensAt = 0;
  let probing = false;
  const status = (): GateStatus => ({
    failures,
    lastError,
    lastSuccess,
    waitMs: failures === 0 ? 0 : Math.max(0, opensAt - clock.monotonic()),
  });
  const isOpen = () => failures === 0 || (!probing && clock.monotonic() >= opensAt);
  const succeed = () => {
    const recovered = failures > 0;
    failures = 0;
    lastError = null;
    lastSuccess = clock.now();
    if (recovered) options.onChange(status());
  };
  const fail = (error: ArticleSourceError) => {
    if (error.code === 'not-configured') return;
    failures += 1;
    lastError = error;
    const wait = Math.max(buildWait(failures, random()), (error.retryAfter ?? 0) * 1_000);
    opensAt = Math.max(opensAt, clock.monotonic() + wait);
    if (failures === 1) options.onChange(status());
  };
  return {
    status,
    isOpen,
    async call(work) {
      if (!isOpen() && lastError) throw lastError;
      const probe = failures > 0;
      if (probe) probing = true;
      try {
        const result = await work();
        succeed();
        return result;
      } catch (error) {
        const known = toSourceError(error);
        fail(known);
        throw known;
      } finally {
        if (probe) probing = false;
      }
    },
  };
}

function toSourceError(error: unknown): ArticleSourceError {
  if (error instanceof ArticleSourceError) return error;
  return new ArticleSourceError('failed', '[articles:cache] the source failed', { cause: error });
}
