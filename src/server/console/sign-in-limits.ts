import { TokenBucket } from '../../core/token-bucket.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';

const MAX_ADDRESSES = 10_000;
const PER_MINUTE = { perSecond: 5 / 60, burst: 5 };
const PER_HOUR = { perSecond: 30 / 3_600, burst: 30 };
/** Of all unknown browsers together. */
const IN_ALL = { perSecond: 100 / 3_600, burst: 100 };
/** Beyond that an attempt waits, twice as long as the one before; a connection lasts nine seconds. */
const DELAYS_MS = { first: 250, max: 6_000 };

/** What an attempt to sign in has to wait for. */
export interface SignInPause {
  /** Whole seconds until another attempt is taken; 0: this one is taken. */
  readonly refusedSeconds: number;
  /** ms that this attempt waits before the password is looked at. */
  readonly delayMs: number;
  /** Called when the attempt is over. */
  readonly end: () => void;
}

/**
 * Limits attempts to sign in: for each address, for each browser that was signed in before, and for everything else
 * together. Many addresses at once slow unknown browsers down; they never lock anyone out for good.
 */
export class SignInLimits {
  readonly #now: () => number;
  readonly #minute: ReturnType<typeof createRateLimiter>;
  readonly #hour: ReturnType<typeof createRateLimiter>;
  readonly #all: TokenBucket;
  #excess = 0;
  #isDelaying = false;

  /** `now` is a monotonic clock in ms. */
  constructor(now: () => number) {
    this.#now = now;
    this.#minute = createRateLimiter({ ...PER_MINUTE, maxAddresses: MAX_ADDRESSES, now });
    this.#hour = createRateLimiter({ ...PER_HOUR, maxAddresses: MAX_ADDRESSES, now });
    this.#all = new TokenBucket(IN_ALL, now());
  }

  /** Takes an attempt. `formerOperator`: who was signed in with the browser before; null for an unknown browser. */
  take(address: string, formerOperator: string | null): SignInPause {
    const end = () => undefined;
    // A browser that was signed in shares no limit with an attacker, not even behind the same proxy.
    const key = formerOperator === null ? address : `operator ${formerOperator}`;
    const refusedSeconds = this.#minute.take(key, 1) || this.#hour.take(key, 1);
    if (refusedSeconds > 0 || formerOperator !== null) return { refusedSeconds, delayMs: 0, end };
    if (this.#all.take(1, this.#now()) === 0) {
      this.#excess = 0;
      return { refusedSeconds: 0, delayMs: 0, end };
    }
    const delayMs = Math.min(DELAYS_MS.max, DELAYS_MS.first * 2 ** this.#excess);
    if (this.#isDelaying) return { refusedSeconds: Math.ceil(delayMs / 1_000), delayMs: 0, end };
    this.#isDelaying = true;
    this.#excess = Math.min(this.#excess + 1, 10);
    return {
      refusedSeconds: 0,
      delayMs,
      end: () => {
        this.#isDelaying = false;
      },
    };
  }
}

/** The time until another attempt is taken, in words. */
export function describeWait(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
