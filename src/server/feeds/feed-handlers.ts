import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Article } from '../../core/articles/article.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import { buildJsonFeed } from '../../core/articles/json-feed.ts';
import { buildRss, type FeedSite, findLatestChange } from '../../core/articles/rss.ts';
import type { Clock } from '../../core/clock.ts';
import type { HttpAnswer, HttpCall, HttpHandler } from '../http/message.ts';
import { buildProblem } from '../http/problem.ts';

const MOST_ITEMS = 20;
const KEPT_MS = 60_000;
const compress = promisify(gzip);

/** A feed that is ready to send. */
interface Feed {
  readonly text: string;
  readonly zipped: Uint8Array;
  readonly etag: string;
  readonly lastModified: string | undefined;
}

export interface FeedOptions {
  readonly articles: ArticleSource;
  readonly site: FeedSite;
  readonly clock: Clock;
}

/** `/rss.xml` and `/feed.json`: the 20 newest articles with their full texts. */
export function createFeedHandlers(options: FeedOptions): readonly [path: string, handler: HttpHandler][] {
  return [
    ['/rss.xml', createFeedHandler(options, 'application/rss+xml; charset=utf-8', buildRss)],
    ['/feed.json', createFeedHandler(options, 'application/feed+json; charset=utf-8', buildJsonFeed)],
  ];
}

function createFeedHandler(
  { articles, site, clock }: FeedOptions,
  type: string,
  build: (site: FeedSite, articles: readonly Article[]) => string,
): HttpHandler {
  let kept: { readonly feed: Promise<Feed>; readonly until: number } | null = null;
  const read = (): Promise<Feed> => {
    if (kept && clock.monotonic() < kept.until) return kept.feed;
    const feed = readNewest(articles).then((newest) => buildFeed(build(site, newest), newest));
    kept = { feed, until: clock.monotonic() + KEPT_MS };
    feed.catch(() => {
      kept = null;
    });
    return feed;
  };
  return async (call) => {
    if (call.method !== 'GET' && call.method !== 'HEAD') {
      return buildProblem('method-not-allowed', call.requestId, { headers: { allow: 'GET, HEAD' } });
    }
    try {
      return answer(await read(), type, call);
    } catch (error) {
      if (!(error instanceof ArticleSourceError)) throw error;
      return buildProblem('article-service-failed', call.requestId, { headers: { 'retry-after': '30' } });
    }
  };
}

/** The newest articles with their bodies; one that cannot be read does not keep the others away. */
async function readNewest(articles: ArticleSource): Promise<readonly Article[]> {
  const { articles: cards } = await articles.list({ page: 1, limit: MOST_ITEMS });
  const whole = await Promise.all(cards.map(({ slug }) => articles.get(slug).catch(() => null)));
  return whole.filter((article) => article !== null);
}

async function buildFeed(text: string, articles: readonly Article[]): Promise<Feed> {
  return {
    text,
    zipped: await compress(text),
    etag: createHash('sha256').update(text).digest('base64url').slice(0, 22),
    lastModified: findLatestChange(articles),
  };
}

function answer(feed: Feed, type: string, call: HttpCall): HttpAnswer {
  const isZipped = /\bgzip\b/.test(call.header('accept-encoding') ?? '');
  const etag = `"${feed.etag}${isZipped ? '-gzip' : ''}"`;
  const headers = {
    'content-type': type,
    'cache-control': 'public, max-age=300, s-maxage=3600, stale-while-revalidate=86400',
    vary: 'Accept-Encoding',
    etag,
    ...(feed.lastModified && { 'last-modified': new Date(feed.lastModified).toUTCString() }),
  };
  const asked = call.header('if-none-match')?.split(',') ?? [];
  if (asked.some((tag) => tag.trim().replace(/^W\//, '') === etag))
    return { status: 304, headers, body: null };
  if (!isZipped) return { status: 200, headers, body: feed.text };
  return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: feed.zipped };
}
