import type { Clock } from '../../core/clock.ts';
import type { EventStore } from '../../core/events/event-store.ts';

/**
 * The time by which stored data may be deleted: the clock, but never later than the newest event of an earlier process
 * and the time that has passed since the start. A clock that is ahead would delete everything.
 */
export class TrustedTime {
  readonly #store: Pick<EventStore, 'readTimeRange'>;
  readonly #clock: Clock;
  readonly #startedAt: number;
  /** The newest server time in the store before this process added to it; null: not known. */
  #newestAtStart: Promise<number | null>;

  constructor(store: Pick<EventStore, 'readTimeRange'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
    this.#newestAtStart = this.#readNewest();
  }

  /** Ms since 1970; null while nothing confirms the clock, so that nothing may be deleted. */
  async read(): Promise<number | null> {
    const newest = await this.#newestAtStart;
    if (newest === null) {
      this.#newestAtStart = this.#readNewest();
      return null;
    }
    return Math.min(this.#clock.now(), newest + this.#clock.monotonic() - this.#startedAt);
  }

  async #readNewest(): Promise<number | null> {
    const range = await this.#store.readTimeRange().catch(() => null);
    return range?.newest ?? null;
  }
}
