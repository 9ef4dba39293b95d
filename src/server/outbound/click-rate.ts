import { createRateLimiter, type RateLimiter } from '../http/rate-limiter.ts';

/** How a click is stored: with all that is known of it, as a short event with the flag `flood`, or not at all. */
export type ClickStorage = 'complete' | 'short' | 'none';

/** Many visitors behind one address may click at the same moment. */
const BURST_SECONDS = 20;
/** Of the clicks beyond the rate, this many are stored short, so that reports show what happened. */
const SHORT = { perSecond: 1, burst: 60 };
const MAX_ADDRESSES = 50_000;
/** A click of this length counts as one; a longer one as several. */
const BYTES_PER_CLICK = 1_024;

/** Limits the clicks of one address that are stored. Every visitor is sent on, whatever is stored. */
export class ClickRate {
  readonly #complete: RateLimiter;
  readonly #short: RateLimiter;
  #skipped = 0;

  /** `perSecond`: complete clicks of an address, twenty times as many at once; 0: no limit. `now`: monotonic ms. */
  constructor(perSecond: number, now: () => number) {
    const burst = perSecond * BURST_SECONDS;
    this.#complete = createRateLimiter({ perSecond, burst, maxAddresses: MAX_ADDRESSES, now });
    this.#short = createRateLimiter({ ...SHORT, maxAddresses: MAX_ADDRESSES, now });
  }

  /** How many clicks were not stored. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Counts a click of an address with a query of `bytes` bytes, and returns how it is stored. */
  take(address: string, bytes: number): ClickStorage {
    if (this.#complete.take(address, Math.max(1, Math.ceil(bytes / BYTES_PER_CLICK))) === 0)
      return 'complete';
    if (this.#short.take(address, 1) === 0) return 'short';
    this.#skipped += 1;
    return 'none';
  }
}
