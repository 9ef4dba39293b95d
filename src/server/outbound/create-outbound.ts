import { randomUUID } from 'node:crypto';
import { createAnswerCodeParser } from '../../core/assessment/answer-codes.ts';
import type { Clock } from '../../core/clock.ts';
import { parseAnalyticsVisit } from '../../core/consent/analytics-visit.ts';
import type { EventStore } from '../../core/events/event-store.ts';
import { buildPartnerTargets } from '../../core/outbound/partner.ts';
import type { Content } from '../../core/pages/content.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';
import { DurableEventQueue } from '../events/durable-event-queue.ts';
import type { Route } from '../http/route.ts';
import type { Log } from '../log.ts';
import type { Platform } from '../platform.ts';
import type { Settings } from '../settings.ts';
import { ClickRate, ClickTokens, createGoHandler } from './go.ts';

/** How long a visitor waits for the store, in ms. The redirect has 50 ms; the rest is for everything else. */
const CLICK_BUDGET_MS = 35;

/**
 * Creates the redirect over the given store: the routes `/go/{partner}` and the trial paths of every partner, and the
 * queue of clicks, which is closed before the event store.
 */
export function createGo(parts: {
  readonly settings: Pick<
    Settings,
    'CLICK_RATE' | 'GA_MEASUREMENT_ID' | 'GA_API_SECRET' | 'DESTINATION_REGION_HEADER'
  >;
  readonly content: Pick<Content, 'partners' | 'assessment'>;
  readonly store: Pick<EventStore, 'append'>;
  readonly platform: Pick<Platform, 'eventQueue'>;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { settings, content, store, platform, clock, log } = parts;
  const { partners } = content;
  const getParser = memoizeByKey(createAnswerCodeParser);
  const clicks = new DurableEventQueue({
    name: 'clicks',
    store,
    newId: randomUUID,
    log,
    budgetMs: CLICK_BUDGET_MS,
    ...platform.eventQueue,
  });
  const rate = new ClickRate(settings.CLICK_RATE, clock.monotonic);
  const { GA_MEASUREMENT_ID: measurementId, GA_API_SECRET: secret } = settings;
  const options = {
    readAnalytics:
      measurementId === '' || secret === ''
        ? undefined
        : (cookies: string) => parseAnalyticsVisit(cookies, measurementId, clock.now()),
    parseAnswerCodes: (record: unknown) => getParser(content.assessment.questions)(record),
    regionHeader: settings.DESTINATION_REGION_HEADER,
    clicks,
    rate,
    tokens: new ClickTokens(clock.now()),
    now: clock.now,
    newId: randomUUID,
  };
  return {
    routes: [...buildPartnerTargets(partners)].map(
      ([path, target]): Route => ({ method: 'GET', path, handle: createGoHandler(options, target) }),
    ),
    clicks,
    rate,
  };
}
