import { parseSubmission } from '../../core/assessment/submission.schema.ts';
import type { Clock } from '../../core/clock.ts';
import type { EventStore } from '../../core/events/event-store.ts';
import { parseWireEvent } from '../../core/events/wire-event.schema.ts';
import type { Content } from '../../core/pages/content.ts';
import { EventArchiver } from '../../stores/archive.ts';
import { type ClickReader, SqlClickReader } from '../../stores/clicks.ts';
import { type EventFeed, SqlEventFeed } from '../../stores/event-feed.ts';
import { type ContactMessages, SqlContactMessages } from '../../stores/messages.ts';
import type { RollupStore } from '../../stores/rollup-reader.ts';
import { SqlRollupStore } from '../../stores/rollups.ts';
import type { SqlExecutor } from '../../stores/sql/sql-executor.ts';
import type { SharedRateLimiter } from '../http/rate-limiter.ts';
import type { Handler } from '../http/route.ts';
import { createLimiter } from '../limiters.ts';
import type { Log } from '../log.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Platform } from '../platform.ts';
import type { Settings } from '../settings.ts';
import { createArchiveJob } from './archive-old-events.ts';
import { createJourneyHandler } from './collector.ts';
import { Retention } from './remove-old-events.ts';

/** Many visitors behind one address, such as a classroom, may open the same page at the same moment. */
const BURST_SECONDS = 20;
const MAX_ADDRESSES = 50_000;

/** The event store of the process and what writes to it. */
export interface Events extends EventReaders {
  readonly store: EventStore;
  /** For events that a visitor waits for. */
  readonly fastStore: Pick<EventStore, 'append'>;
  /** `POST /api/journey`. */
  readonly journey: Handler;
  /** Shared by every handler that takes posted JSON. */
  readonly limiter: SharedRateLimiter;
  /** Null when the site has no configured address. */
  readonly siteOrigin: string | null;
  /** Counts of appended events since the start, for the metrics. */
  readonly counters: Readonly<EventCounters>;
  /** What operators should know: events that retention does not remove. */
  readWarnings(): readonly string[];
  /** Advances the counts and removes what is past its retention. A failure is logged. */
  runDueJobs(): Promise<void>;
  /** Stops retention, finishes the appends that were accepted and closes the store. */
  close(): Promise<void>;
}

/** Creates the collector over the store of the runtime, the counts and the retention. Never throws. */
export function createEvents(options: {
  readonly settings: Settings;
  readonly content: Pick<Content, 'assessment'>;
  readonly platform: Pick<
    Platform,
    'clock' | 'openEvents' | 'openEventArchive' | 'hasTimers' | 'shareLimiter'
  >;
  readonly log: Log;
}): Events {
  const { settings, content, platform, log } = options;
  const { clock, hasTimers } = platform;
  const { executor, store: opened, fastStore } = platform.openEvents();
  const { store, counters } = createMeteredStore(opened);
  const limiter = createLimiter(platform, 'events', {
    perSecond: settings.EVENT_RATE,
    burst: settings.EVENT_RATE * BURST_SECONDS,
    maxAddresses: MAX_ADDRESSES,
  });
  const siteOrigin = settings.SITE_URL === '' ? null : settings.siteUrl;
  // Without timers there is no process whose clock could have jumped.
  const time = hasTimers ? new TrustedTime(store, clock) : { read: async () => clock.now() };
  const retention = new Retention({ store, months: settings.RETENTION_MONTHS, time, log });
  const readers = createEventReaders(executor, time, settings.TIME_ZONE);
  const jobs = [createRollupJob(readers.rollups, log), retention.job];
  if (settings.EVENT_HOT_DAYS > 0) {
    const archiveJob = createArchiveJob({
      archiver: new EventArchiver(executor, platform.openEventArchive()),
      hotDays: settings.EVENT_HOT_DAYS,
      months: settings.RETENTION_MONTHS,
      // Without timers a run has to end soon; the next one continues.
      maxFiles: hasTimers ? undefined : 1,
      time,
      log,
    });
    jobs.push(archiveJob);
  }
  if (hasTimers) for (const job of jobs) job.start();
  return {
    store,
    fastStore: fastStore ?? store,
    ...readers,
    journey: createJourneyHandler({
      store,
      clock,
      limiter,
      siteOrigin,
      parseEntry: (entry) => parseSubmission(entry, content.assessment) ?? parseWireEvent(entry),
    }),
    limiter,
    siteOrigin,
    counters,
    readWarnings: () => retention.readWarnings(),
    async runDueJobs() {
      for (const job of jobs) await job.run();
    },
    async close() {
      await Promise.all(jobs.map((job) => job.stop()));
      await store.close();
    },
  };
}

/** What reads the database of events. */
export interface EventReaders {
  /** Counts by day, in TIME_ZONE. */
  readonly rollups: RollupStore;
  /** What happens now. */
  readonly feed: EventFeed;
  readonly clicks: ClickReader;
  readonly messages: ContactMessages;
  /** Reads the database, and writes what is not an event. */
  readonly database: Pick<SqlExecutor, 'query' | 'batch'>;
  /** The time by which stored data may be deleted; null while nothing confirms the clock. */
  readTrustedTime(): Promise<number | null>;
}

/** Creates the readers of the database of events. */
export function createEventReaders(
  database: SqlExecutor,
  time: { read(): Promise<number | null> },
  timeZone: string,
): EventReaders {
  return {
    rollups: new SqlRollupStore(database, timeZone),
    feed: new SqlEventFeed(database),
    clicks: new SqlClickReader(database),
    messages: new SqlContactMessages(database),
    database,
    readTrustedTime: () => time.read(),
  };
}

/** Reads count what is not rolled up yet themselves, so a longer interval makes them slower, not wrong. */
const INTERVAL_MS = 1_000;

/** Creates the job that adds new events to the counts. */
export function createRollupJob(store: Pick<RollupStore, 'advance'>, log: Pick<Log, 'warn'>): PeriodicJob {
  return new PeriodicJob({
    name: 'events could not be added to the counts',
    async run(signal) {
      while (!signal.aborted && (await store.advance()) > 0);
    },
    intervalMs: INTERVAL_MS,
    log,
  });
}

/** How many events were appended since the process started. */
export interface EventCounters {
  stored: number;
  duplicates: number;
  /** Appends that the store refused; their senders try again. */
  refused: number;
}

/** Wraps a store so that appended events are counted for the metrics. */
export function createMeteredStore(store: EventStore): {
  readonly store: EventStore;
  readonly counters: Readonly<EventCounters>;
} {
  const counters: EventCounters = { stored: 0, duplicates: 0, refused: 0 };
  return {
    counters,
    store: {
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
    },
  };
}

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
