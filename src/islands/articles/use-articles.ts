import { QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListAddress, ListedArticles, ListState } from '../../core/articles/article-list.ts';
import { type ArticleService, isMissingKey, readArticlePage } from './read-article-page.ts';

const FRESH_MS = 5 * 60_000;
const RETRIES = 3;
const MAX_DELAY_MS = 30_000;

/** What the list shows now. */
export type ListView =
  | { readonly kind: 'loading' | 'failed' | 'not-configured' }
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
    isServers && initial.kind !== 'loaded' ? { kind: initial.kind } : readView(query, first, address.page);
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
  return { kind: query.error ? 'failed' : 'loading' };
}

function createClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Without `gcTime`: a timer on the server would keep the list of every rendered page for minutes.
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < RETRIES && !isMissingKey(error),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, MAX_DELAY_MS),
        networkMode: 'always',
        refetchOnWindowFocus: false,
      },
    },
  });
}
