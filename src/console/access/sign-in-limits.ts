import { createHmac } from 'node:crypto';
import { parseSubscriber } from '../../server/http/rate-limiter.ts';
import type { AttemptRate, TemporaryValues } from '../../stores/temporary-values.ts';

const PER_MINUTE = { intervalMs: 12_000, burst: 5 };
const PER_HOUR = { intervalMs: 120_000, burst: 30 };
/** Of all unknown browsers together. Beyond that, an address waits for its turn in one of two queues. */
const IN_ALL = { intervalMs: 36_000, burst: 100 };
/** A turn of a queue each 12 s, so one in 6 s of both; `burst` is how many wait at most, for an hour. */
const QUEUE = { intervalMs: 12_000, burst: 300 };
/** A turn that comes can be used for this long. */
const TURN_MS = 15 * 60_000;
/** For this long after its last wrong password, an address with more mistakes than these is in the queue of those that failed. */
const FAILED_MS = 24 * 60 * 60_000;
const MAX_MISTAKES = 1;

/**
 * Limits attempts to sign in: for each address, for each operator whose browser was signed in before, and for everything
 * else together. When many addresses guess, an address gets a turn for its next attempt, which no other one can take;
 * those that have not failed before do not wait behind those that have. So guesses are bounded, and the operator's
 * wait is bounded by the number of addresses that wait: 12 s for each.
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
    if (formerOperator !== null && (await this.#takeOwn(`operator ${formerOperator}`)) === 0) return 0;
    const key = `address ${parseSubscriber(address)}`;
    const turn = await this.#readTurn(key);
    if (turn !== null) return turn === 0 && (await this.#spendTurn(key)) ? 0 : Math.max(1, toSeconds(turn));
    const ownMs = await this.#takeOwn(key);
    if (ownMs > 0) return toSeconds(ownMs);
    if ((await this.#take('all', '', IN_ALL)) === 0) return 0;
    return toSeconds(await this.#queue(key));
  }

  /** Takes an attempt of an operator to confirm the own password; as `take`, for one session alone. */
  async takeConfirmation(sessionId: string): Promise<number> {
    return toSeconds(await this.#takeOwn(`session ${sessionId}`));
  }

  /** Notes that a password from an address was wrong. */
  async noteFailure(address: string): Promise<void> {
    const key = this.#hash(`address ${parseSubscriber(address)}`);
    const now = this.#now();
    const value = String((await this.#countFailures(key)) + 1);
    await this.#store.put({ kind: 'failures', key, value, expiresAt: now + FAILED_MS }, { now });
  }

  async #countFailures(hashed: string): Promise<number> {
    return Number((await this.#store.read('failures', hashed, this.#now())) ?? 0);
  }

  /** Takes an attempt of what has limits of its own; resolves with the ms to wait. */
  async #takeOwn(key: string): Promise<number> {
    return (await this.#take('minute', key, PER_MINUTE)) || (await this.#take('hour', key, PER_HOUR));
  }

  /** The ms until the turn of an address comes; null without one. */
  async #readTurn(key: string): Promise<number | null> {
    const now = this.#now();
    const at = await this.#store.read('turn', this.#hash(key), now);
    // No turn is further ahead than the queue is long: this one was given while the clock was wrong.
    if (at === null || Number(at) > now + QUEUE.intervalMs * QUEUE.burst) return null;
    return Math.max(0, Number(at) - now);
  }

  async #spendTurn(key: string): Promise<boolean> {
    return (await this.#store.take('turn', this.#hash(key), this.#now())) !== null;
  }

  /** Gives an address the next turn; resolves with the ms until it comes: 0 when no other address waits. */
  async #queue(key: string): Promise<number> {
    const now = this.#now();
    const hashed = this.#hash(key);
    const queue = (await this.#countFailures(hashed)) > MAX_MISTAKES ? 'queue of failed' : 'queue';
    const turn = await this.#store.queue(queue, QUEUE, now);
    if (turn.isFull || turn.at <= now) return turn.at - now;
    const expiresAt = turn.at + TURN_MS;
    await this.#store.put({ kind: 'turn', key: hashed, value: String(turn.at), expiresAt }, { now });
    return turn.at - now;
  }

  #take(name: string, key: string, rate: AttemptRate): Promise<number> {
    return this.#store.takeAttempt(`${name} ${this.#hash(key)}`, rate, this.#now());
  }

  #hash(key: string): string {
    return createHmac('sha256', this.#key).update(key).digest('base64url').slice(0, 22);
  }
}

const toSeconds = (ms: number) => Math.ceil(ms / 1_000);

/** The time until another attempt is taken, in words. */
export function describeWait(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
