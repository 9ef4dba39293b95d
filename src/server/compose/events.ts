import path from 'node:path';
import { SqlContactMessages } from '../../adapters/contact/sql-contact-messages.ts';
import { guardDiskSpace } from '../../adapters/events/guard-disk-space.ts';
import { SqlClickReader } from '../../adapters/events/sql-click-reader.ts';
import { SqlEventFeed } from '../../adapters/events/sql-event-feed.ts';
import { SqlEventStore } from '../../adapters/events/sql-event-store.ts';
import { SqlRollupStore } from '../../adapters/events/sql-rollup-store.ts';
import { DATABASE_FILE, NodeSqliteExecutor } from '../../adapters/sql/node-sqlite/node-sqlite-executor.ts';
import type { SqlExecutor } from '../../adapters/sql/sql-executor.ts';
import { parseSubmission } from '../../core/assessment/submission.schema.ts';
import type { Clock } from '../../core/clock.ts';
import type { ContactMessages } from '../../core/contact/contact-messages.ts';
import type { ClickReader } from '../../core/events/click-reader.ts';
import type { EventFeed } from '../../core/events/event-feed.ts';
import type { EventStore } from '../../core/events/event-store.ts';
import type { RollupReader } from '../../core/events/rollup-store.ts';
import { parseWireEvent } from '../../core/events/wire-event.schema.ts';
import type { Content } from '../../core/pages/content.ts';
import type { Config } from '../config.ts';
import { createJourneyHandler } from '../events/journey.ts';
import { createMeteredStore, type EventCounters } from '../events/metered-store.ts';
import { Retention } from '../events/retention.ts';
import { RollupJob } from '../events/rollup-job.ts';
import { createRateLimiter, type RateLimiter } from '../http/rate-limiter.ts';
import type { Handler } from '../http/route.ts';
import type { Log } from '../log.ts';

/** Many visitors behind one address, such as a classroom, may open the same page at the same moment. */
const BURST_SECONDS = 20;
const MAX_ADDRESSES = 50_000;

/** The event store of the process and what writes to it. */
export interface Events {
  readonly store: EventStore;
  /** Counts by day, in TIME_ZONE. */
  readonly rollups: RollupReader;
  /** What happens now. */
  readonly feed: EventFeed;
  readonly clicks: ClickReader;
  readonly messages: ContactMessages;
  /** Reads the database of the store, and writes what is not an event. */
  readonly database: Pick<SqlExecutor, 'query' | 'batch'>;
  /** `POST /api/journey`. */
  readonly journey: Handler;
  /** Shared by every handler that takes posted JSON. */
  readonly limiter: RateLimiter;
  /** Null when the site has no configured address. */
  readonly siteOrigin: string | null;
  /** Counts of appended events since the start, for the metrics. */
  readonly counters: Readonly<EventCounters>;
  /** What operators should know: events that retention does not remove. */
  readWarnings(): readonly string[];
  /** Stops retention, finishes the appends that were accepted and closes the store. */
  close(): Promise<void>;
}

/**
 * Creates the store in the data folder, its collector and its retention. Never throws: a failing disk shows in
 * `store.probe()`.
 */
export function createEvents(options: {
  readonly config: Config;
  readonly content: Pick<Content, 'assessment'>;
  readonly clock: Clock;
  readonly log: Log;
}): Events {
  const { config, content, clock, log } = options;
  const executor = new NodeSqliteExecutor({
    file: path.join(config.DATA_DIR, DATABASE_FILE),
    report: (message) => log.warn(message),
  });
  const { store, counters } = createMeteredStore(
    guardDiskSpace(new SqlEventStore(executor), { folder: config.DATA_DIR, minFreeMb: config.MIN_FREE_MB }),
  );
  const limiter = createRateLimiter({
    perSecond: config.EVENT_RATE,
    burst: config.EVENT_RATE * BURST_SECONDS,
    maxAddresses: MAX_ADDRESSES,
    now: clock.monotonic,
  });
  const siteOrigin = config.SITE_URL === '' ? null : config.siteUrl;
  const retention = new Retention({ store, months: config.RETENTION_MONTHS, clock, log });
  const rollups = new SqlRollupStore(executor, config.TIME_ZONE);
  const rollupJob = new RollupJob(rollups, log);
  return {
    store,
    rollups,
    feed: new SqlEventFeed(executor),
    clicks: new SqlClickReader(executor),
    messages: new SqlContactMessages(executor),
    database: executor,
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
    async close() {
      retention.stop();
      await rollupJob.stop();
      await store.close();
    },
  };
}
