import { type Clock, DAY_MS } from '../../core/clock.ts';
import { type EventStore, withEventErrors } from '../../stores/events.ts';
import { EVENTS_PER_ROLLUP } from '../../stores/rollups.ts';
import type { Database, SqlExecutor } from '../../stores/sql/sql-executor.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Site } from '../site.ts';

/** Reads count what is not rolled up yet themselves, so a longer interval makes them slower, not wrong. */
const INTERVAL_MS = 1_000;

/** Creates the job that adds new events to the counts. After the first run, it waits for events of this process. */
export function createRollupJob({ log, money: { rollups }, visitors: { eventCounters } }: Site): PeriodicJob {
  let counted = -1;
  const advance = async (signal: AbortSignal) => {
    const { stored } = eventCounters;
    if (stored === counted) return;
    // A few events at a time would cost a busy site a commit each.
    while (!signal.aborted && (await rollups.advance()) === EVENTS_PER_ROLLUP);
    counted = stored;
  };
  return new PeriodicJob(log, 'events could not be added to the counts', advance, INTERVAL_MS);
}

/**
 * Wraps a store so that events appended since the process started are counted for the metrics, and appends that the
 * store refused; their senders try again. `isDemo`: nothing is stored.
 */
export function createMeteredStore(store: EventStore, isDemo = false) {
  const counters = { stored: 0, duplicates: 0, refused: 0 };
  const metered: EventStore = {
    async append(events) {
      if (isDemo) return { stored: 0, duplicates: 0 };
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

const READING = `UPDATE clock_readings SET third = second, second = newest, newest = ? WHERE abs(newest - ?) >= ${DAY_MS}`;
const CONFIRM = 'UPDATE clock_readings SET confirmed = max(confirmed, ?)';
/** A process that runs for long reads its clock again so often. */
const READING_MS = 7 * DAY_MS;

/**
 * The time by which stored data may be deleted: the clock, but never later than the time that has certainly passed. That
 * is the earliest of the clock's readings at the last three starts on different days, and what has passed since. One or
 * two of them may come from a clock that was ahead, which would delete everything; the third does not. A process that
 * runs for two weeks counts as three starts.
 */
export class TrustedTime {
  readonly #database: Database;
  readonly #clock: Clock;
  /** What had certainly passed at a time of the monotonic clock; null before the first reading. */
  #passed: { readonly time: number; readonly at: number } | null = null;
  #readAt: number | null = null;

  /** The executor has the tables of the events. */
  constructor(executor: SqlExecutor, clock: Clock) {
    this.#database = withEventErrors(executor);
    this.#clock = clock;
  }

  /** Ms since 1970; null while too few clocks confirm each other, so that nothing may be deleted. */
  async read(): Promise<number | null> {
    const row = await this.#database.readRow('SELECT * FROM clock_readings').catch(() => undefined);
    const [newest, second, third, confirmed] = ['newest', 'second', 'third', 'confirmed'].map((column) =>
      Number(row?.[column] ?? 0),
    );
    const stored = Math.max(confirmed ?? 0, Math.min(newest ?? 0, second ?? 0, third ?? 0));
    if (stored <= 0) return null;
    const at = this.#clock.monotonic();
    const passed = this.#passed === null ? 0 : this.#passed.time + at - this.#passed.at;
    if (stored > passed) this.#passed = { time: stored, at };
    return Math.min(this.#clock.now(), Math.max(stored, passed));
  }

  /** Stores what the clock says at the start and every week, and what has passed. */
  async advance(): Promise<void> {
    const at = this.#clock.monotonic();
    if (this.#readAt === null || at - this.#readAt >= READING_MS) {
      const now = Math.round(this.#clock.now());
      await this.#database.change(READING, now, now);
      this.#readAt = at;
    }
    const trusted = await this.read();
    if (trusted !== null) await this.#database.change(CONFIRM, Math.round(trusted));
  }
}

const HOUR_MS = 3_600_000;

/** Creates the job that stores what the clock says; without timers there is nothing to store. */
export function createClockJob({ log, visitors: { trustedTime } }: Site): PeriodicJob {
  const advance = async () => trustedTime.advance?.();
  return new PeriodicJob(log, 'the time of the clock could not be stored', advance, HOUR_MS, 0);
}
