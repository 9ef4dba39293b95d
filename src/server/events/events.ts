import { parseSubmission } from '../../core/assessment/submission.schema.ts';
import type { EventStore } from '../../core/events/event-store.ts';
import { parseWireEvent } from '../../core/events/wire-event.schema.ts';
import type { Content } from '../../core/pages/content.ts';
import { EventArchiver } from '../../stores/events/event-archiver.ts';
import type { SharedRateLimiter } from '../http/rate-limiter.ts';
import type { Handler } from '../http/route.ts';
import { createLimiter } from '../limiters.ts';
import type { Log } from '../log.ts';
import type { Platform } from '../platform.ts';
import type { Config } from '../settings.ts';
import { createArchiveJob } from './archive-job.ts';
import { createJourneyHandler } from './collector.ts';
import { createEventReaders, type EventReaders } from './event-readers.ts';
import { createMeteredStore, type EventCounters } from './metered-store.ts';
import { Retention } from './retention.ts';
import { createRollupJob } from './rollup-job.ts';
import { TrustedTime } from './trusted-time.ts';

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
  const readers = createEventReaders(executor, time, config.TIME_ZONE);
  const jobs = [createRollupJob(readers.rollups, log), retention.job];
  if (config.EVENT_HOT_DAYS > 0) {
    const archiveJob = createArchiveJob({
      archiver: new EventArchiver(executor, platform.openEventArchive()),
      hotDays: config.EVENT_HOT_DAYS,
      months: config.RETENTION_MONTHS,
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
