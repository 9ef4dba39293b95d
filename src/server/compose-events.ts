import { createSqliteEventStore } from '../adapters/events/sqlite-event-store.ts';
import type { Clock } from '../core/clock.ts';
import type { EventStore } from '../core/journey/event-store.ts';
import { createJourneyHandler } from './api/journey.ts';
import type { Config } from './config.ts';
import { createCountedStore, type EventTally } from './counted-store.ts';
import type { HttpHandler } from './http/message.ts';
import { createRateLimiter, type RateLimiter } from './http/rate-limiter.ts';
import type { Log } from './log.ts';
import { startRetention } from './retention.ts';

/** A whole classroom may open the same page at the same moment. */
const BURST_SECONDS = 20;
const MOST_ADDRESSES = 50_000;

/** What the process keeps and collects of visits. */
export interface Events {
  readonly store: EventStore;
  /** `POST /api/journey`. */
  readonly journey: HttpHandler;
  /** What every handler that takes posted JSON shares. */
  readonly limiter: RateLimiter;
  /** Null when no address of the site is configured. */
  readonly siteOrigin: string | null;
  /** What became of events, for the metrics. */
  readonly tally: Readonly<EventTally>;
  /** Stops retention, finishes what was accepted, closes the store. */
  close(): Promise<void>;
}

/** Creates the store in the data folder, its collector and its retention. Never throws: a broken disk shows in `store.probe()`. */
export function createEvents(options: {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
}): Events {
  const { config, clock, log } = options;
  const { store, tally } = createCountedStore(
    createSqliteEventStore({ dir: config.DATA_DIR, report: (message) => log.warn(message) }),
  );
  const limiter = createRateLimiter({
    perSecond: config.EVENT_RATE,
    burst: config.EVENT_RATE * BURST_SECONDS,
    maxAddresses: MOST_ADDRESSES,
    now: clock.monotonic,
  });
  const siteOrigin = config.SITE_URL === '' ? null : config.siteUrl;
  const stopRetention = startRetention({ store, months: config.RETENTION_MONTHS, clock, log });
  return {
    store,
    journey: createJourneyHandler({ store, clock, limiter, siteOrigin }),
    limiter,
    siteOrigin,
    tally,
    async close() {
      stopRetention();
      await store.close();
    },
  };
}
