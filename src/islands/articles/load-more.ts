import { type RefObject, useEffect, useRef } from 'react';
import type { ListAddress } from '../../core/articles/listed-articles.ts';
import type { ListView, useArticles } from './use-articles.ts';

/** The next page of the list: whether there is one, and loading it. The address follows when it is there. */
export function useLoadMore(options: {
  readonly address: ListAddress;
  readonly go: (next: ListAddress) => void;
  readonly view: ListView;
  readonly query: ReturnType<typeof useArticles>['query'];
  readonly region: RefObject<HTMLDivElement | null>;
}) {
  const { address, go, view, query, region } = options;
  const shown = view.kind === 'loaded' ? view.pages : [];
  const first = view.kind === 'loaded' ? view.first : 1;
  const count = shown.reduce((sum, page) => sum + page.articles.length, 0);
  const isNextLoaded = (query.data?.pages.length ?? 0) > shown.length;
  const hasMore = shown.length > 0 && count > 0 && (isNextLoaded || query.hasNextPage);
  const next = hasMore ? first + shown.length : null;

  const present = useRef(address);
  present.current = address;
  const focusFrom = useRef<number | null>(null);

  // After Forward, or with a shared address, the pages up to the one it names are loaded one after the other.
  const isBehind = next !== null && next <= address.page && !query.isFetching && !query.isError;
  useEffect(() => {
    if (isBehind) void query.fetchNextPage();
  }, [isBehind, query.fetchNextPage]);

  // The reader goes on with the first of the new articles, not with whatever comes after the list.
  useEffect(() => {
    if (focusFrom.current === null || count <= focusFrom.current) return;
    const links = region.current?.querySelectorAll<HTMLElement>('.card-title a');
    links?.[focusFrom.current]?.focus({ preventScroll: true });
    focusFrom.current = null;
  }, [count, region]);

  const load = async () => {
    if (next === null) return;
    if (!isNextLoaded && (await query.fetchNextPage()).isError) return;
    if (present.current !== address) return;
    focusFrom.current = count;
    go({ ...address, page: next });
  };
  return { next, count, load: () => void load() };
}
