import { readContent } from '../adapters/content/read-content.ts';
import { buildSlug } from '../core/articles/article-slug.ts';
import { buildSpeculationRules } from '../core/discovery/speculation-rules.ts';
import { ANALYTICS_POLICY } from './analytics-policy.ts';
import { createArticleFunction } from './api/article-functions.ts';
import { createHealthHandler, createReadyHandler } from './api/health.ts';
import { createRegionHandler } from './api/region.ts';
import { createSiteFileHandlers } from './api/site-files.ts';
import { createArticles } from './compose-articles.ts';
import { createAssessments } from './compose-assessments.ts';
import { createContact } from './compose-contact.ts';
import { createEvents } from './compose-events.ts';
import { createGo } from './compose-go.ts';
import type { Config } from './config.ts';
import { createFeedHandlers } from './feeds/feed-handlers.ts';
import { buildFeedSite } from './feeds/feed-site.ts';
import type { HttpHandler } from './http/message.ts';
import { buildListedPages } from './listed-pages.ts';
import type { Log } from './log.ts';
import type { Services } from './services.ts';

/** Puts the process together: files, SQLite, clock. Throws what the parts throw (`ContentError`, …). */
export async function composeNode(
  config: Config,
  log: Log,
  options: { readonly reload?: boolean } = {},
): Promise<Services> {
  const clock = { now: Date.now, monotonic: () => performance.now() };
  const content = readContent(config.CONTENT_DIR);
  const events = createEvents({ config, clock, log });
  const assessments = createAssessments({ events, content, clock, log });
  const contact = createContact({ config, content, events, clock });
  const go = createGo({ partners: content.partners, store: events.store, clock, log });
  const readProblems = async (): Promise<readonly string[]> => {
    const reason = await events.store.probe();
    return reason === null ? [] : [reason];
  };
  const articles = await createArticles({ config, content, clock, log, reload: options.reload ?? false });
  const answerArticles = createArticleFunction({
    articles,
    serviceName: content.site.articleService.name,
    limiter: events.limiter,
    siteOrigin: events.siteOrigin,
  });
  const functions = `/functions/${buildSlug(content.site.articleService.name)}`;
  const pages = buildListedPages(content);
  const handlers = new Map<string, HttpHandler>([
    ['/healthz', createHealthHandler()],
    ['/readyz', createReadyHandler(readProblems, articles.readNotes)],
    ['/api/journey', events.journey],
    ['/api/region', createRegionHandler(config.CONSENT_REGION_HEADER)],
    ['/api/assessments', assessments.handler],
    ['/api/contact', contact.handler],
    [`${functions}-proxy`, answerArticles],
    [`${functions}-cdn-proxy`, answerArticles],
    ...createFeedHandlers({ articles, clock, site: buildFeedSite(content.site, config.siteUrl) }),
    ...createSiteFileHandlers({ content, articles, siteUrl: config.siteUrl, pages }),
  ]);
  return {
    config,
    content,
    contact: contact.desk,
    articles,
    readContent: () => readContent(config.CONTENT_DIR),
    findHandler: (path) => handlers.get(path) ?? go.find(path),
    speculationRules: buildSpeculationRules([...content.partners.keys()]),
    policyOpenings: config.GA_MEASUREMENT_ID === '' ? null : ANALYTICS_POLICY,
    readProblems,
    keepAssessment: assessments.keep,
    figures: [
      { name: 'signpost_events_stored', help: 'Events stored since start', read: () => events.tally.stored },
      {
        name: 'signpost_events_duplicate',
        help: 'Events that were stored already',
        read: () => events.tally.duplicates,
      },
      {
        name: 'signpost_appends_refused',
        help: 'Appends that the store could not take',
        read: () => events.tally.refused,
      },
      {
        name: 'signpost_article_notes',
        help: 'What the article cache has to report',
        read: () => articles.readNotes().length,
      },
    ],
    async close() {
      await go.close();
      await assessments.close();
      await articles.close();
      await events.close();
    },
  };
}
