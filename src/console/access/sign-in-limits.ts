import { createHmac } from 'node:crypto';
import { parseSubscriber } from '../../server/http/rate-limiter.ts';
import type { AttemptRate, TemporaryValues } from '../../stores/temporary-values.ts';

const PER_MINUTE = { intervalMs: 12_000, burst: 5 };
const PER_HOUR = { intervalMs: 120_000, burst: 30 };
/** Of all unknown browsers together, and what is left to them beyond that. */
const IN_ALL = { intervalMs: 36_000, burst: 100 };
const BEYOND = { intervalMs: 6_000, burst: 1 };

/**
 * Limits attempts to sign in: for each address, for each browser that was signed in before, and for everything else
 * together. Many addresses at once slow unknown browsers down; they never lock anyone out for good.
 */
export class SignInLimits {
  readonly #store: TemporaryValues;
  readonly #key: string;
  readonly #now: () => number;

  /** Addresses are stored as a hash with `key`; `now` is the wall clock in ms since 1970. */
  constructor(store: TemporaryValues, key: string, now: () => number) {
    this.#store = store;
    this.#key = key;
    this.#now = now;
  }

  /**
   * Takes an attempt and returns 0; or, when there were too many, the whole seconds to wait. `formerOperator`: who was
   * signed in with the browser before; null for an unknown browser.
   */
  async take(address: string, formerOperator: string | null): Promise<number> {
    // A browser that was signed in shares no limit with an attacker, not even behind the same proxy.
    const key =
      formerOperator === null ? `address ${parseSubscriber(address)}` : `operator ${formerOperator}`;
    const ownMs = (await this.#take('minute', key, PER_MINUTE)) || (await this.#take('hour', key, PER_HOUR));
    if (ownMs > 0 || formerOperator !== null) return Math.ceil(ownMs / 1_000);
    if ((await this.#take('all', '', IN_ALL)) === 0) return 0;
    return Math.ceil((await this.#take('beyond', '', BEYOND)) / 1_000);
  }

  #take(name: string, key: string, rate: AttemptRate): Promise<number> {
    const hashed = createHmac('sha256', this.#key).update(key).digest('base64url').slice(0, 22);
    return this.#store.takeAttempt(`${name} ${hashed}`, rate, this.#now());
  }
}

/** The time until another attempt is taken, in words. */
export function describeWait(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
