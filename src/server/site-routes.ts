import path from 'node:path';
import {
  buildArticleProxyPath,
  CONTACT_API_PATH,
  EVENTS_API_PATH,
  HEALTH_PATH,
  READY_PATH,
  REGION_API_PATH,
} from '../core/paths.ts';
import { buildSlug } from '../core/text/slug.ts';
import { createArticleProxy } from './articles/article-proxy.ts';
import { createRegionHandler } from './consent/region.ts';
import type { Features, FeaturesOptions } from './features.ts';
import { createHealthHandler, createReadyHandler } from './http/health.ts';
import type { Route } from './http/route.ts';
import { createTakeawayRoutes } from './pages/takeaway-routes.ts';
import { createFeedRoutes } from './seo/feeds.ts';
import { createSiteFileRoutes } from './seo/site-file-routes.ts';

/** Creates the routes of every path that is not a page, a file or part of the console. */
export function createSiteRoutes(
  { settings, content, platform }: FeaturesOptions,
  features: Features,
  readWarnings: () => readonly string[],
): readonly Route[] {
  const { events, articles, contact, commissions, go, readProblems } = features;
  const { clock, contentDir } = platform;
  const folders = [settings.DATA_DIR, contentDir, '.'].map((folder) => path.resolve(folder));
  return [
    { method: 'GET', path: HEALTH_PATH, handle: createHealthHandler() },
    { method: 'GET', path: READY_PATH, handle: createReadyHandler(readProblems, readWarnings, folders) },
    { method: 'POST', path: EVENTS_API_PATH, handle: events.journey },
    { method: 'GET', path: REGION_API_PATH, handle: createRegionHandler(settings.CONSENT_REGION_HEADER) },
    { method: 'POST', path: CONTACT_API_PATH, handle: contact.handler },
    ...createArticleProxyRoutes(content.site.articleService.name, features),
    ...commissions.routes,
    ...go.routes,
    ...createFeedRoutes(articles, content, settings.siteUrl),
    ...createSiteFileRoutes(content, articles, settings.siteUrl, clock),
    ...createTakeawayRoutes(content, clock, settings.siteUrl),
  ];
}

function createArticleProxyRoutes(serviceName: string, { articles, events }: Features): readonly Route[] {
  const { limiter, siteOrigin } = events;
  const handle = createArticleProxy({ articles, serviceName, limiter, siteOrigin });
  const service = buildSlug(serviceName);
  return [
    { method: 'POST', path: buildArticleProxyPath(service, 'proxy'), handle },
    { method: 'POST', path: buildArticleProxyPath(service, 'cdn-proxy'), handle },
  ];
}
