import type { Clock } from '../../core/clock.ts';
import type { EventStore } from '../../stores/events.ts';
import { EVENTS_PER_ROLLUP } from '../../stores/rollups.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Site } from '../site.ts';

/** Reads count what is not rolled up yet themselves, so a longer interval makes them slower, not wrong. */
const INTERVAL_MS = 1_000;

/** Creates the job that adds new events to the counts. */
export function createRollupJob({ rollups, log }: Site): PeriodicJob {
  const advance = async (signal: AbortSignal) => {
    // A few events at a time would cost a busy site a commit each.
    while (!signal.aborted && (await rollups.advance()) === EVENTS_PER_ROLLUP);
  };
  return new PeriodicJob(log, 'events could not be added to the counts', advance, INTERVAL_MS);
}

/** How many events were appended since the process started. */
export interface EventCounters {
  stored: number;
  duplicates: number;
  /** Appends that the store refused; their senders try again. */
  refused: number;
}

/** Wraps a store so that appended events are counted for the metrics. */
export function createMeteredStore(store: EventStore) {
  const counters: EventCounters = { stored: 0, duplicates: 0, refused: 0 };
  const metered: EventStore = {
    async append(events) {
      try {
        const result = await store.append(events);
        counters.stored += result.stored;
        counters.duplicates += result.duplicates;
        return result;
      } catch (error) {
        counters.refused += 1;
        throw error;
      }
    },
    read: (filter) => store.read(filter),
    count: (filter) => store.count(filter),
    readTimeRange: () => store.readTimeRange(),
    remove: (filter) => store.remove(filter),
    probe: () => store.probe(),
    close: () => store.close(),
  };
  return { store: metered, counters };
}

/**
 * The time by which stored data may be deleted: the clock, but never later than the newest event of an earlier process
 * and the time that has passed since the start. A clock that is ahead would delete everything.
 */
export class TrustedTime {
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #startedAt: number;
  /** The newest server time in the store before this process added to it; null: not known. */
  #newestAtStart: Promise<number | null>;

  constructor(store: EventStore, clock: Clock) {
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
