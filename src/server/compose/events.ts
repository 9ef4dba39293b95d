import { SqlContactMessages } from '../../adapters/contact/sql-contact-messages.ts';
import { EventArchiver } from '../../adapters/events/event-archiver.ts';
import { SqlClickReader } from '../../adapters/events/sql-click-reader.ts';
import { SqlEventFeed } from '../../adapters/events/sql-event-feed.ts';
import { SqlRollupStore } from '../../adapters/events/sql-rollup-store.ts';
import type { SqlExecutor } from '../../adapters/sql/sql-executor.ts';
import { parseSubmission } from '../../core/assessment/submission.schema.ts';
import type { ContactMessages } from '../../core/contact/contact-messages.ts';
import type { ClickReader } from '../../core/events/click-reader.ts';
import type { EventFeed } from '../../core/events/event-feed.ts';
import type { EventStore } from '../../core/events/event-store.ts';
import type { RollupReader } from '../../core/events/rollup-store.ts';
import { parseWireEvent } from '../../core/events/wire-event.schema.ts';
import type { Content } from '../../core/pages/content.ts';
import type { Config } from '../config.ts';
import { ArchiveJob } from '../events/archive-job.ts';
import { createJourneyHandler } from '../events/journey.ts';
import { createMeteredStore, type EventCounters } from '../events/metered-store.ts';
import { Retention } from '../events/retention.ts';
import { RollupJob } from '../events/rollup-job.ts';
import { TrustedTime } from '../events/trusted-time.ts';
import type { SharedRateLimiter } from '../http/rate-limiter.ts';
import type { Handler } from '../http/route.ts';
import type { Log } from '../log.ts';
import { createLimiter } from './limiters.ts';
import type { Platform } from './platform.ts';

/** Many visitors behind one address, such as a classroom, may open the same page at the same moment. */
const BURST_SECONDS = 20;
const MAX_ADDRESSES = 50_000;

/** The event store of the process and what writes to it. */
export interface Events {
  readonly store: EventStore;
  /** For events that a visitor waits for. */
  readonly fastStore: Pick<EventStore, 'append'>;
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
  readonly limiter: SharedRateLimiter;
  /** Null when the site has no configured address. */
  readonly siteOrigin: string | null;
  /** Counts of appended events since the start, for the metrics. */
  readonly counters: Readonly<EventCounters>;
  /** The time by which stored data may be deleted; null while nothing confirms the clock. */
  readTrustedTime(): Promise<number | null>;
  /** What operators should know: events that retention does not remove. */
  readWarnings(): readonly string[];
  /** Advances the counts and removes what is past its retention. A failure is logged. */
  runDueJobs(): Promise<void>;
  /** Stops retention, finishes the appends that were accepted and closes the store. */
  close(): Promise<void>;
}

/** Creates the collector over the store of the runtime, the counts and the retention. Never throws. */
export function createEvents(options: {
  readonly config: Config;
  readonly content: Pick<Content, 'assessment'>;
  readonly platform: Pick<
    Platform,
    'clock' | 'openEvents' | 'openEventArchive' | 'hasTimers' | 'shareLimiter'
  >;
  readonly log: Log;
}): Events {
  const { config, content, platform, log } = options;
  const { clock, hasTimers } = platform;
  const { executor, store: opened, fastStore } = platform.openEvents();
  const { store, counters } = createMeteredStore(opened);
  const limiter = createLimiter(platform, 'events', {
    perSecond: config.EVENT_RATE,
    burst: config.EVENT_RATE * BURST_SECONDS,
    maxAddresses: MAX_ADDRESSES,
  });
  const siteOrigin = config.SITE_URL === '' ? null : config.siteUrl;
  // Without timers there is no process whose clock could have jumped.
  const time = hasTimers ? new TrustedTime(store, clock) : { read: async () => clock.now() };
  const retention = new Retention({ store, months: config.RETENTION_MONTHS, time, log });
  if (hasTimers) retention.start();
  const rollups = new SqlRollupStore(executor, config.TIME_ZONE);
  const rollupJob = new RollupJob(rollups, log);
  if (hasTimers) rollupJob.start();
  const archiveJob =
    config.EVENT_HOT_DAYS === 0
      ? null
      : new ArchiveJob({
          archiver: new EventArchiver(executor, platform.openEventArchive()),
          hotDays: config.EVENT_HOT_DAYS,
          months: config.RETENTION_MONTHS,
          // Without timers a run has to end soon; the next one continues.
          maxFiles: hasTimers ? undefined : 1,
          time,
          log,
        });
  if (hasTimers) archiveJob?.start();
  return {
    store,
    fastStore: fastStore ?? store,
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
    readTrustedTime: () => time.read(),
    readWarnings: () => retention.readWarnings(),
    async runDueJobs() {
      await rollupJob.run();
      await retention.run();
      await archiveJob?.run();
    },
    async close() {
      retention.stop();
      await archiveJob?.stop();
      await rollupJob.stop();
      await store.close();
    },
  };
}
