import type { Article, ArticlePage } from '../../core/articles/article.ts';
import { isArticleSlug } from '../../core/articles/article-slug.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import { parseUpstreamPage } from '../../core/articles/upstream-article.schema.ts';
import type { Clock } from '../../core/clock.ts';
import type { ArticleMaker } from './article-maker.ts';
import { createJsonClient, type JsonAnswer, type JsonClient } from './json-client.ts';

/** Where the article service is. */
export interface RemoteSourceOptions {
  readonly url: string;
  /** Empty: every call says `API key not configured`. */
  readonly key: string;
  /** `Authorization` sends `Bearer {key}`, any other header the key alone. */
  readonly keyHeader: string;
  /** The same articles without a key; empty: there is none. */
  readonly cdnUrl: string;
  readonly maker: ArticleMaker;
  readonly clock: Clock;
  /** For everything that one read needs, both addresses together; ms. */
  readonly deadlineMs: number;
}

/** Share of the deadline that the first address may use when there is a second. */
const FIRST_SHARE = 0.6;

/**
 * Creates the source for an article service (`GET /articles`, `/articles/{slug}`, `/articles/search`).
 * What the first address answers with nothing or an error is asked of the second; when that fails too,
 * the first one's error counts.
 */
export function createRemoteSource(options: RemoteSourceOptions): ArticleSource {
  const { maker, deadlineMs } = options;
  const firstMs = options.cdnUrl ? deadlineMs * FIRST_SHARE : deadlineMs;
  const first = options.key ? createKeyClient(options, firstMs) : refuse;
  const second = options.cdnUrl
    ? createJsonClient({
        name: 'remote',
        baseUrl: options.cdnUrl,
        clock: options.clock,
        deadlineMs: deadlineMs - firstMs,
      })
    : null;
  const readPage = (path: string, query: Record<string, string>, limit: number) =>
    tryBoth(
      first,
      second,
      async (client) => readList(await client(path, new URLSearchParams(query)), limit, maker),
      (page) => page.articles.length === 0,
    );
  const list = ({ page, limit }: { page: number; limit: number }) =>
    readPage('/articles', { page: String(page), limit: String(limit) }, limit);
  return {
    list,
    search: ({ text, page, limit }) => {
      if (text.trim() === '') return list({ page, limit });
      return readPage(
        '/articles/search',
        { q: text.trim(), page: String(page), limit: String(limit) },
        limit,
      );
    },
    get: async (slug) => {
      if (!isArticleSlug(slug)) return null;
      const read = async (client: JsonClient) => readDetail(await client(`/articles/${slug}`), maker);
      return tryBoth(first, second, read, (article) => article === null);
    },
  };
}

async function tryBoth<T>(
  first: JsonClient,
  second: JsonClient | null,
  read: (client: JsonClient) => Promise<T>,
  isEmpty: (result: T) => boolean,
): Promise<T> {
  const answer = await read(first).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  if (second && ('error' in answer || isEmpty(answer.result))) {
    const other = await read(second).catch(() => null);
    if (other !== null && !isEmpty(other)) return other;
  }
  if ('error' in answer) throw answer.error;
  return answer.result;
}

function readList(answer: JsonAnswer, limit: number, maker: ArticleMaker): ArticlePage {
  const page = answer.kind === 'found' ? parseUpstreamPage(answer.json, limit) : null;
  if (!page) throw new ArticleSourceError('bad-answer', '[articles:remote] answered a list that is none');
  return maker.buildPage(page.items, page.hasMore);
}

function readDetail(answer: JsonAnswer, maker: ArticleMaker): Article | null {
  if (answer.kind === 'absent' || isEmptyObject(answer.json)) return null;
  return maker.buildArticle(answer.json);
}

function isEmptyObject(json: unknown): boolean {
  return json === null || json === '' || (typeof json === 'object' && Object.keys(json).length === 0);
}

function createKeyClient(
  { url, key, keyHeader, clock }: RemoteSourceOptions,
  deadlineMs: number,
): JsonClient {
  const value = keyHeader.toLowerCase() === 'authorization' ? `Bearer ${key}` : key;
  return createJsonClient({
    name: 'remote',
    baseUrl: url,
    headers: { [keyHeader]: value },
    clock,
    deadlineMs,
  });
}

async function refuse(): Promise<never> {
  throw new ArticleSourceError('not-configured', '[articles:remote] API key not configured');
}
