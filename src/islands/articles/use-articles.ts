import { QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ARTICLES_PER_PAGE, type FailedView } from '../../core/articles/article.ts';
import {
  type ListAddress,
  type ListedArticles,
  type ListState,
  parseSearchText,
} from '../../core/articles/listed-articles.ts';
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

/** A service that failed or could not be reached; `retryAt`: when the next attempt can work, in ms since the page was requested. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly retryAt: number;

  constructor(message: string, retryAt: number) {
    super(message);
    this.retryAt = retryAt;
  }
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

async function settle(response: Promise<unknown>) {
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
    signal: limitTime(signal),
  }).catch(() => {
    throw new ServiceError(`Article proxy invocation failed: ${service.name} could not be reached.`, 0);
  });
  const data: unknown = await response.json().catch(() => null);
  if (!response.ok || data === null) {
    const waitMs = Number(response.headers.get('retry-after') ?? 0) * 1_000;
    const message = readMessage(data) || `Article proxy invocation failed: ${service.name}`;
    throw new ServiceError(message, waitMs > 0 ? performance.now() + waitMs : 0);
  }
  return data;
}

/** Aborts with `signal` and after the deadline. Safari before 17.4 lacks `AbortSignal.any`. */
function limitTime(signal: AbortSignal): AbortSignal {
  const limited = new AbortController();
  const abort = () => limited.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  setTimeout(abort, DEADLINE_MS);
  return limited.signal;
}

function readMessage(data: unknown): string {
  if (typeof data !== 'object' || data === null) return '';
  for (const name of ['error', 'detail', 'message']) {
    const value: unknown = Reflect.get(data, name);
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

const FRESH_MS = 5 * 60_000;
const RETRIES = 3;
const MAX_DELAY_MS = 30_000;

/** Finds when the next attempt can work, in ms since the page was requested; 0: at once. */
export function findRetryTime(view: ListView, error: Error | null): number {
  if (error instanceof ServiceError) return error.retryAt;
  return view.kind === 'failed' ? view.retrySeconds * 1_000 : 0;
}

/** What the list shows now. */
export type ListView =
  | FailedView
  | { readonly kind: 'loading' | 'not-configured' }
  | { readonly kind: 'loaded'; readonly first: number; readonly pages: readonly ListedArticles[] };

/** The articles of an address: the server's until something else is asked for, then the functions'. */
export function useArticles(options: {
  readonly initial: ListState;
  readonly initialQuery: string;
  readonly address: ListAddress;
  readonly service: ArticleService;
}) {
  const { initial, initialQuery, address, service } = options;
  const [client] = useState(createClient);
  const [generation, setGeneration] = useState(0);
  const isServers = generation === 0 && address.query === initialQuery;
  const given = isServers && initial.kind === 'loaded' ? initial : null;
  const first = given?.first ?? 1;
  const query = useInfiniteQuery(
    {
      queryKey: ['articles', address.query, generation],
      queryFn: ({ pageParam, signal }) =>
        readArticlePage(service, { query: address.query, page: pageParam }, signal),
      initialPageParam: first,
      getNextPageParam: (last: ListedArticles, _pages, page: number) => (last.hasMore ? page + 1 : undefined),
      enabled: !isServers || given !== null,
      ...(given && {
        initialData: { pages: [...given.pages], pageParams: given.pages.map((_, index) => first + index) },
      }),
    },
    client,
  );
  const view: ListView =
    isServers && initial.kind !== 'loaded' ? initial : readView(query, first, address.page);
  return {
    view,
    query,
    /** Loads page 1 of the current search from scratch. */
    reload: () => setGeneration((count) => count + 1),
  };
}

function readView(
  query: {
    readonly data: { readonly pages: readonly ListedArticles[] } | undefined;
    readonly error: Error | null;
  },
  first: number,
  page: number,
): ListView {
  if (isMissingKey(query.error)) return { kind: 'not-configured' };
  if (query.data)
    return { kind: 'loaded', first, pages: query.data.pages.slice(0, Math.max(1, page - first + 1)) };
  return query.error ? { kind: 'failed', retrySeconds: 0 } : { kind: 'loading' };
}

function createClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Without `gcTime`: a timer on the server would keep the list of every rendered page for minutes.
        staleTime: FRESH_MS,
        retry: (failures, error) =>
          failures < RETRIES && error instanceof ServiceError && !isMissingKey(error),
        retryDelay: (attempt, error) => {
          const untilMs = error instanceof ServiceError ? error.retryAt - performance.now() : 0;
          return Math.min(Math.max(1000 * 2 ** attempt, untilMs), MAX_DELAY_MS);
        },
        networkMode: 'always',
        refetchOnWindowFocus: false,
      },
    },
  });
}

/**
 * Takes over the header's search form: what it submits goes to `search`, and it shows what is searched for. Text that
 * was typed before hydration stays.
 */
export function useSearchForm(query: string, search: (text: string) => void): void {
  const shown = useRef(query);
  useEffect(() => {
    const field = findField();
    if (field && shown.current !== query) field.value = query;
    shown.current = query;
  }, [query]);
  useEffect(() => {
    const field = findField();
    if (!field?.form) return;
    const { form } = field;
    const submit = (event: Event) => {
      event.preventDefault();
      field.value = parseSearchText(field.value);
      search(field.value);
    };
    form.addEventListener('submit', submit);
    return () => form.removeEventListener('submit', submit);
  }, [search]);
}

function findField(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('form[data-search] input[name="q"]');
}
