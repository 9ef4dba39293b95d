import type { Article } from '../../core/articles/article.ts';
import type { ArticleListQuery, ArticleSource } from '../../core/articles/article-source.ts';
import { isArticleSlug } from '../../core/text/slug.ts';
import type { JsonClient, JsonResponse } from '../http/json-client.ts';
import type { ArticleMapper } from './article-mapper.ts';
import {
  buildServiceError,
  createServiceClient,
  getField,
  type ItemPage,
  parseList,
  type ReadItems,
  readInParts,
  readOrOutline,
  type ServiceConnection,
  type ServiceDescription,
} from './service-client.ts';

/** An article service, which may have a second address. */
export interface RemoteConnection extends ServiceConnection {
  /** Empty: every call rejects with `not-configured`. */
  readonly key: string;
  /** `Authorization` sends `Bearer {key}`, any other header the key alone. */
  readonly keyHeader: string;
  /** A second address with the same articles, read without the key; empty for no second address. */
  readonly cdnUrl: string;
}

/** Share of the deadline for the first address when there is a second. */
const FIRST_SHARE = 0.6;

/**
 * Creates the source for an article service (`GET /articles`, `/articles/{slug}`, `/articles/search`). When the first
 * address has no result or fails, the second is read; when that fails too, the error of the first counts.
 */
export function createRemoteSource(connection: RemoteConnection): ArticleSource {
  const { get, mapper, deadlineMs, clock, cdnUrl } = connection;
  const firstMs = cdnUrl ? deadlineMs * FIRST_SHARE : deadlineMs;
  const first = connection.key ? createKeyClient(connection, firstMs) : createUnconfigured(connection.url);
  const second = cdnUrl
    ? createServiceClient(describeService(cdnUrl, 'ARTICLE_SERVICE_CDN_URL'), {
        get,
        baseUrl: cdnUrl,
        clock,
        deadlineMs: deadlineMs - firstMs,
      })
    : null;
  const readPage = (path: string, query: ArticleListQuery, text: Record<string, string>) =>
    readEither(
      first,
      second,
      async (client) => {
        const readItems: ReadItems = async ({ page, limit }) => {
          const size = { page: String(page), limit: String(limit) };
          return parseItems(
            connection.url,
            await client(path, new URLSearchParams({ ...text, ...size })),
            limit,
          );
        };
        const { items, hasMore } = await readInParts(query, readItems, readItems);
        return mapper.mapPage(items, hasMore);
      },
      (page) => page.articles.length === 0,
    );
  const list = ({ page, limit }: ArticleListQuery) => readPage('/articles', { page, limit }, {});
  return {
    list,
    search: ({ text, page, limit }) =>
      text.trim() === ''
        ? list({ page, limit })
        : readPage('/articles/search', { page, limit }, { q: text.trim() }),
    get: async (slug) => {
      if (!isArticleSlug(slug)) return null;
      const read = async (client: JsonClient) => mapDetail(await readDetail(client, slug), mapper);
      return readEither(first, second, read, (article) => article === null);
    },
  };
}

/**
 * Reads an article; one that is too large has no fields but its slug, when the service is able to respond otherwise.
 */
function readDetail(client: JsonClient, slug: string): Promise<JsonResponse> {
  return readOrOutline<JsonResponse>(
    () => client(`/articles/${encodeURIComponent(slug)}`),
    async () => {
      await client('/articles', new URLSearchParams({ page: '1', limit: '1' }));
      return { kind: 'found', json: { slug, title: slug, isTooLarge: true }, headers: new Headers() };
    },
  );
}

async function readEither<T>(
  first: JsonClient,
  second: JsonClient | null,
  read: (client: JsonClient) => Promise<T>,
  isEmpty: (result: T) => boolean,
): Promise<T> {
  const outcome = await read(first).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  if (second && ('error' in outcome || isEmpty(outcome.result))) {
    const other = await read(second).catch(() => null);
    if (other !== null && !isEmpty(other)) return other;
  }
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}

/** The list is `{articles, hasMore}`; without `hasMore`, a full page means that there are more. */
function parseItems(url: string, response: JsonResponse, limit: number): ItemPage {
  const json = response.kind === 'found' ? response.json : undefined;
  const items = parseList(describeService(url), json, 'articles');
  const hasMore = getField(json, 'hasMore');
  return {
    items: items.slice(0, limit),
    hasMore: typeof hasMore === 'boolean' ? hasMore : items.length >= limit,
  };
}

async function mapDetail(response: JsonResponse, mapper: ArticleMapper): Promise<Article | null> {
  if (response.kind === 'absent' || isEmptyJson(response.json)) return null;
  return mapper.mapArticle(response.json);
}

function isEmptyJson(json: unknown): boolean {
  return json === null || json === '' || (typeof json === 'object' && Object.keys(json).length === 0);
}

function createKeyClient(connection: RemoteConnection, deadlineMs: number): JsonClient {
  const { get, url, key, keyHeader, clock } = connection;
  const value = keyHeader.toLowerCase() === 'authorization' ? `Bearer ${key}` : key;
  return createServiceClient(describeService(url), {
    get,
    baseUrl: url,
    headers: { [keyHeader]: value },
    clock,
    deadlineMs,
  });
}

function createUnconfigured(url: string): JsonClient {
  return async () => {
    const service = describeService(url);
    throw buildServiceError(service, 'not-configured', 'API key not configured', 'Set ARTICLE_SERVICE_KEY');
  };
}

function describeService(url: string, setting = 'ARTICLE_SERVICE_URL'): ServiceDescription {
  return {
    name: 'remote',
    url,
    setting,
    accessRemedy: 'Check ARTICLE_SERVICE_KEY and the header that it names',
    formatRemedy: `${setting} is the address to which /articles is added`,
  };
}
