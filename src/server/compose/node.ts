import path from 'node:path';
import { createImageManifestReader } from '../../adapters/content/image-manifest.ts';
import { readContent } from '../../adapters/content/read-content.ts';
import { listPartnerPaths } from '../../core/outbound/partner-paths.ts';
import { collectPageParameters } from '../../core/pages/page-parameters.ts';
import {
  buildArticleProxyPath,
  CONTACT_API_PATH,
  EVENTS_API_PATH,
  HEALTH_PATH,
  READY_PATH,
  REGION_API_PATH,
} from '../../core/paths.ts';
import { buildSpeculationRules } from '../../core/seo/crawler-rules.ts';
import { buildSlug } from '../../core/text/slug.ts';
import { createArticleProxy } from '../articles/article-proxy.ts';
import { listImageHosts } from '../articles/image-hosts.ts';
import type { Config } from '../config.ts';
import { ANALYTICS_POLICY } from '../consent/analytics-policy.ts';
import { createRegionHandler } from '../consent/region.ts';
import { createHealthHandler, createReadyHandler } from '../http/health.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import type { Route } from '../http/route.ts';
import { createSecurityHeaders, hashInline, type PageHashes } from '../http/security-headers.ts';
import { createTokenCheck } from '../http/token-check.ts';
import type { Log } from '../log.ts';
import { createTakeawayRoutes } from '../pages/takeaway-routes.ts';
import { createFeedRoutes } from '../seo/feed-routes.ts';
import { createSiteFileRoutes } from '../seo/site-file-routes.ts';
import type { Services } from '../services.ts';
import { createAlertReader } from './alerts.ts';
import { buildArticleGauges, createArticles } from './articles.ts';
import { createAssessments } from './assessment.ts';
import { createCommissions } from './commissions.ts';
import { createConsole } from './console.ts';
import { createContact } from './contact.ts';
import { createEvents } from './events.ts';
import { readLaunchNotices } from './launch.ts';
import { createNotifications } from './notifications.ts';
import { createGo } from './outbound.ts';

/** Pages of one address that are rendered at once take a second of the processor. */
const PAGE_BURST_SECONDS = 5;
const MAX_ADDRESSES = 50_000;

/** Puts the process together: files, SQLite, clock. Throws what the parts throw (`ContentError`, …). */
export async function composeNode(
  config: Config,
  log: Log,
  pageHashes: PageHashes,
  options: {
    /** The list of images that the build wrote. */
    readonly imageManifest: string;
    /** When the build was made, in ms since 1970: the clock cannot be earlier. */
    readonly buildTime?: number;
    /** true: content is read again when it changes (development). */
    readonly reload?: boolean;
  },
): Promise<Services> {
  // A machine without a battery starts in the past: events with such a time would soon be past their retention.
  const { buildTime = 0 } = options;
  const clock = { now: () => Math.max(Date.now(), buildTime), monotonic: () => performance.now() };
  const readImages = createImageManifestReader(options.imageManifest);
  const content = readContent(config.CONTENT_DIR, readImages());
  const events = createEvents({ config, content, clock, log });
  const assessments = createAssessments({ events, content, clock, log });
  const contact = createContact({ config, content, events, clock });
  const go = createGo({ config, content, store: events.store, clock, log });
  const commissions = createCommissions({ config, content, events: events.database, clock, log });
  const { rollups } = events;
  const alerts = createAlertReader({ config, content, commissions, rollups, clock });
  const notifications = createNotifications({
    config,
    siteName: content.site.name,
    partnerNames: new Map([...content.partners].map(([key, { name }]) => [key, name])),
    database: events.database,
    rollups,
    commissions,
    alerts,
    clock,
    log,
  });
  const readProblems = async (): Promise<readonly string[]> => {
    const reason = await events.store.probe();
    return [...(reason === null ? [] : [reason]), ...articles.readProblems()];
  };
  const articles = await createArticles({
    config,
    content,
    readImages,
    clock,
    log,
    reload: options.reload ?? false,
  });
  const console = createConsole({ config, content, events, commissions, articles, clock, log, alerts });
  const readWarnings = () => [
    ...events.readWarnings(),
    ...articles.readWarnings(),
    ...commissions.readWarnings(),
  ];
  const articleProxy = createArticleProxy({
    articles,
    serviceName: content.site.articleService.name,
    limiter: events.limiter,
    siteOrigin: events.siteOrigin,
  });
  const service = buildSlug(content.site.articleService.name);
  const speculationRules = buildSpeculationRules(listPartnerPaths(content.partners));
  const folders = [config.DATA_DIR, config.CONTENT_DIR, '.'].map((folder) => path.resolve(folder));
  const routes: readonly Route[] = [
    { method: 'GET', path: HEALTH_PATH, handle: createHealthHandler() },
    { method: 'GET', path: READY_PATH, handle: createReadyHandler(readProblems, readWarnings, folders) },
    { method: 'POST', path: EVENTS_API_PATH, handle: events.journey },
    { method: 'GET', path: REGION_API_PATH, handle: createRegionHandler(config.CONSENT_REGION_HEADER) },
    { method: 'POST', path: CONTACT_API_PATH, handle: contact.handler },
    { method: 'POST', path: buildArticleProxyPath(service, 'proxy'), handle: articleProxy },
    { method: 'POST', path: buildArticleProxyPath(service, 'cdn-proxy'), handle: articleProxy },
    ...commissions.routes,
    ...go.routes,
    ...createFeedRoutes(articles, content.site, config.siteUrl),
    ...createSiteFileRoutes(content, articles, config.siteUrl, clock),
    ...createTakeawayRoutes(content, clock, config.siteUrl),
  ];
  return {
    config,
    content,
    now: clock.now,
    isPreviewToken: createTokenCheck(config.PREVIEW_TOKEN),
    contact: contact.service,
    console: { respond: console.app.respond, createEntryPath: console.createEntryPath },
    articles,
    readContent: () => readContent(config.CONTENT_DIR, readImages()),
    routes,
    pageParameters: collectPageParameters(content.pages, content.plans),
    speculationRules,
    security: createSecurityHeaders(
      {
        https: config.siteUrl.startsWith('https:'),
        imageHosts: listImageHosts(config),
        analytics: config.GA_MEASUREMENT_ID === '' ? null : ANALYTICS_POLICY,
      },
      { ...pageHashes, scripts: [...pageHashes.scripts, hashInline(speculationRules)] },
    ),
    log,
    limiter: events.limiter,
    renderLimiter: createRateLimiter({
      perSecond: config.PAGE_RATE,
      burst: config.PAGE_RATE * PAGE_BURST_SECONDS,
      maxAddresses: MAX_ADDRESSES,
      now: clock.monotonic,
    }),
    readProblems,
    readNotices: async () => [
      ...readLaunchNotices(content, config, clock.now()),
      ...(await contact.readNotices()),
    ],
    storeAssessment: assessments.store,
    gauges: [
      {
        name: 'signpost_events_stored',
        help: 'Events stored since start',
        read: () => events.counters.stored,
      },
      {
        name: 'signpost_events_duplicate',
        help: 'Events that were stored already',
        read: () => events.counters.duplicates,
      },
      {
        name: 'signpost_appends_refused',
        help: 'Appends that the store could not take',
        read: () => events.counters.refused,
      },
      {
        name: 'signpost_clicks_waiting',
        help: 'Clicks in memory that wait for the store',
        read: () => go.clicks.waiting,
      },
      {
        name: 'signpost_clicks_skipped',
        help: 'Clicks beyond the rate of their address that were not stored',
        read: () => go.rate.skipped,
      },
      {
        name: 'signpost_clicks_lost',
        help: 'Clicks that did not fit into memory while the store was unavailable',
        read: () => go.clicks.lost,
      },
      {
        name: 'signpost_warnings',
        help: 'Warnings of the article source and the event store',
        read: () => readWarnings().length,
      },
      ...buildArticleGauges(articles),
    ],
    async close(timeoutMs) {
      await Promise.all([go.clicks, assessments.queue].map((queue) => queue.close(timeoutMs)));
      // One part that hangs must not keep the others from closing their files.
      await Promise.all([
        articles.close(),
        console.close(),
        Promise.all([notifications.close(), commissions.close()]).then(() => events.close()),
      ]);
    },
  };
}
