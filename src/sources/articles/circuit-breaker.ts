import { ArticleSourceError } from '../../core/articles/article-source.ts';
import type { Clock } from '../../core/clock.ts';
import { type Backoff, buildBackoffMs } from '../http/http-get.ts';

export interface BreakerStatus {
  /** Rounds of calls in a row that failed: concurrent calls that fail together are one. */
  readonly failures: number;
  readonly lastError: ArticleSourceError | null;
  /** Ms since 1970; null: never in this process. */
  readonly lastSuccess: number | null;
  /** Ms until the next attempt is allowed; 0: now. */
  readonly waitMs: number;
}

/** At most the time after which the error page asks browsers to come back (`Retry-After`). */
const BACKOFF: Backoff = { firstMs: 1_000, maxMs: 30_000 };

/**
 * Protects a failing source from calls: after a failure it rejects calls until a pause is over, which doubles with each
 * further failure and is never shorter than the source's Retry-After. Then it lets one call through to probe. Calls
 * that began before the first failure belong to the same round: their results prove nothing about the source after it.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #onChange: (status: BreakerStatus) => void;
  #failures = 0;
  /** Counts failed rounds and recoveries: a call whose number has passed is too old to count. */
  #round = 0;
  #lastError: ArticleSourceError | null = null;
  #lastSuccess: number | null = null;
  #blockedUntil = 0;
  #isProbing = false;

  /**
   * `random`: a number in [0, 1) that spreads attempts over time. `onChange`: called when a round fails and at the
   * recovery.
   */
  constructor(clock: Clock, random: () => number, onChange: (status: BreakerStatus) => void) {
    this.#clock = clock;
    this.#random = random;
    this.#onChange = onChange;
  }

  /** Whether a call would reach the source now. */
  isCallable(): boolean {
    if (this.#failures === 0) return true;
    return !this.#isProbing && this.#clock.monotonic() >= this.#blockedUntil;
  }

  getStatus(): BreakerStatus {
    const wait = this.#blockedUntil - this.#clock.monotonic();
    return {
      failures: this.#failures,
      lastError: this.#lastError,
      lastSuccess: this.#lastSuccess,
      waitMs: this.#failures === 0 ? 0 : Math.max(0, wait),
    };
  }

  /**
   * Calls the source, or rejects with its last error while calls are blocked. Rejects with `ArticleSourceError` only,
   * which says when the next call is possible.
   */
  async call<T>(work: () => Promise<T>): Promise<T> {
    if (this.#lastError && !this.isCallable()) throw this.#addWait(this.#lastError);
    const isProbe = this.#failures > 0;
    if (isProbe) this.#isProbing = true;
    const round = this.#round;
    try {
      const result = await work();
      this.#lastSuccess = this.#clock.now();
      if (this.#lastError && isProbe === this.#failures > 0) this.#recordRecovery();
      return result;
    } catch (error) {
      const known = toSourceError(error);
      if (round === this.#round) this.#recordFailure(known);
      throw this.#addWait(known);
    } finally {
      if (isProbe) this.#isProbing = false;
    }
  }

  #addWait(error: ArticleSourceError): ArticleSourceError {
    const { code, message } = error;
    if (code === 'not-configured') return error;
    const retryAfter = Math.max(1, Math.ceil(this.getStatus().waitMs / 1_000));
    return new ArticleSourceError(code, message, { cause: error.cause, retryAfter });
  }

  #recordRecovery(): void {
    this.#round += 1;
    this.#failures = 0;
    this.#lastError = null;
    this.#onChange(this.getStatus());
  }

  #recordFailure(error: ArticleSourceError): void {
    this.#lastError = error;
    // A missing key is a setting, not an outage: there is nothing to wait for.
    if (error.code === 'not-configured') {
      this.#onChange(this.getStatus());
      return;
    }
    this.#round += 1;
    this.#failures += 1;
    const pauseMs = Math.max(
      buildBackoffMs(this.#failures, this.#random(), BACKOFF),
      (error.retryAfter ?? 0) * 1_000,
    );
    this.#blockedUntil = this.#clock.monotonic() + pauseMs;
    this.#onChange(this.getStatus());
  }
}

function toSourceError(error: unknown): ArticleSourceError {
  if (error instanceof ArticleSourceError) return error;
  return new ArticleSourceError('failed', '[articles:cache] the source failed', { cause: error });
}
