import { ARTICLES_PER_PAGE } from '../../core/articles/article.ts';
import type { ListedArticles } from '../../core/articles/article-list.ts';
import { parseArticlePage } from '../../core/articles/parse-article-page.ts';
import { buildArticleProxyPath } from '../../core/paths.ts';

/** The article service as the browser knows it: its name in messages, its slug in the functions' names. */
export interface ArticleService {
  readonly name: string;
  readonly slug: string;
}

export interface ArticleRequest {
  /** Empty lists all articles. */
  readonly query: string;
  readonly page: number;
  readonly limit?: number;
}

const DEADLINE_MS = 10_000;
const MISSING_KEY = 'API key not configured';

/** Whether an error says that the service has no key yet, which leads to the connect screen. */
export function isMissingKey(error: unknown): boolean {
  return error instanceof Error && error.message.includes(MISSING_KEY);
}

/**
 * Reads one page of articles through the proxy function and, when that gives no articles, nothing or an error,
 * through the second function. Rejects with the first function's message when neither responds with articles.
 */
export async function readArticlePage(
  service: ArticleService,
  request: ArticleRequest,
  signal: AbortSignal,
): Promise<ListedArticles> {
  const path = buildServicePath(request);
  const invoke = (name: 'proxy' | 'cdn-proxy', body: object) => invokeFunction(service, name, body, signal);
  const first = await settle(invoke('proxy', { path, method: 'GET', payload: null }));
  if (first.page !== null && first.page.articles.length > 0) return first.page;
  const second = await settle(invoke('cdn-proxy', { path, method: 'GET' }));
  if (second.page !== null && second.page.articles.length > 0) return second.page;
  const error = first.error ?? (first.page === null ? second.error : null);
  if (error !== null) throw error;
  return first.page ?? second.page ?? { articles: [], hasMore: false };
}

function buildServicePath({ query, page, limit = ARTICLES_PER_PAGE }: ArticleRequest): string {
  const part = `page=${page}&limit=${limit}`;
  return query === '' ? `/articles?${part}` : `/articles/search?q=${encodeURIComponent(query)}&${part}`;
}

interface Settled {
  readonly page: ListedArticles | null;
  readonly error: Error | null;
}

async function settle(response: Promise<unknown>): Promise<Settled> {
  try {
    return { page: parseArticlePage(await response), error: null };
  } catch (error) {
    return { page: null, error: error instanceof Error ? error : new Error('') };
  }
}

async function invokeFunction(
  service: ArticleService,
  name: 'proxy' | 'cdn-proxy',
  body: object,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await fetch(buildArticleProxyPath(service.slug, name), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
  }).catch(() => {
    throw new Error(`Article proxy invocation failed: ${service.name} could not be reached.`);
  });
  const data: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    throw new Error(readMessage(data) || `Article proxy invocation failed: ${service.name}`);
  }
  return data;
}

function readMessage(data: unknown): string {
  if (typeof data !== 'object' || data === null) return '';
  for (const name of ['error', 'detail', 'message']) {
    const value: unknown = Reflect.get(data, name);
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}
