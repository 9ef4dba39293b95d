import type { Article } from '../../core/articles/article.ts';
import type { ArticleSource } from '../../core/articles/article-source.ts';
import type { Site } from '../../core/pages/site.schema.ts';
import { JSON_FEED_PATH, RSS_PATH } from '../../core/paths.ts';
import type { Route } from '../http/route.ts';
import { buildJsonFeed, buildRss, findLatestChange } from './feed-documents.ts';

const MAX_ITEMS = 20;
const CACHE_CONTROL = 'public, max-age=300, s-maxage=3600, stale-while-revalidate=86400';

const FEEDS = [
  { path: RSS_PATH, contentType: 'application/rss+xml; charset=utf-8', build: buildRss },
  { path: JSON_FEED_PATH, contentType: 'application/feed+json; charset=utf-8', build: buildJsonFeed },
] as const;

/** Creates `/rss.xml` and `/feed.json`: the 20 newest articles with their full texts. */
export function createFeedRoutes(
  articles: ArticleSource,
  content: { readonly site: Site },
  origin: string,
): readonly Route[] {
  return FEEDS.map(({ path, contentType, build }) => ({
    method: 'GET',
    path,
    isShared: true,
    async handle() {
      const newest = await readNewest(articles);
      const latest = findLatestChange(newest);
      const { name, description, language, disclosure } = content.site;
      const about = { name, description, language, origin, disclosure: disclosure.short };
      return new Response(build(about, newest), {
        headers: {
          'content-type': contentType,
          'cache-control': CACHE_CONTROL,
          ...(latest && { 'last-modified': new Date(latest).toUTCString() }),
        },
      });
    },
  }));
}

/** The newest articles with their bodies; one that cannot be read is left out. */
async function readNewest(articles: ArticleSource): Promise<readonly Article[]> {
  const { articles: summaries } = await articles.list({ page: 1, limit: MAX_ITEMS });
  const found = await Promise.all(summaries.map(({ slug }) => articles.get(slug).catch(() => null)));
  return found.filter((article) => article !== null);
}
