import { useEffect, useRef, useState } from 'react';
import {
  buildListPath,
  buildListTitle,
  type ListAddress,
  type ListNames,
  type ListState,
  parseListAddress,
} from '../../core/articles/article-list.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { ArticleGrid } from './article-grid.tsx';
import { ConnectScreen } from './connect-screen.tsx';
import { EmptyList } from './empty-list.tsx';
import type { ArticleService } from './read-article-page.ts';
import { SearchSummary } from './search-summary.tsx';
import { SkeletonCards } from './skeleton-cards.tsx';
import { useArticles } from './use-articles.ts';
import { useLoadMore } from './use-load-more.ts';
import { useSearchForm } from './use-search-form.ts';

const LOAD_FAILED = 'Failed to load articles. Please try again.';

/** The hub's list: searching, loading more, and every state in between. Renders the same on the server. */
export function ArticleList(props: {
  readonly initial: ListState;
  readonly address: ListAddress;
  readonly service: ArticleService;
  readonly names: ListNames;
  /** What the connect screen calls the place where keys are set. */
  readonly platform: string;
}) {
  const [address, go] = useListAddress(props.address);
  const { view, query, reload } = useArticles({ ...props, initialQuery: props.address.query, address });
  const region = useRef<HTMLDivElement>(null);
  const more = useLoadMore({ address, go, view, query, region });
  useSearchForm(address.query, (text) => {
    go({ query: text, page: 1 });
    region.current?.scrollIntoView();
  });
  // After the effects above, which handle the click or submit that was held while the island loaded.
  useEffect(() => {
    region.current?.dispatchEvent(new Event('island:hydrated', { bubbles: true }));
  }, []);
  const title = buildListTitle(address, props.names);
  useEffect(() => {
    document.title = title;
  }, [title]);
  const retry = () => {
    reload();
    go({ ...address, page: 1 });
  };
  const error = (
    <LoadError message={LOAD_FAILED} href={buildListPath({ ...address, page: 1 })} onRetry={retry} />
  );
  return (
    <div
      ref={region}
      id="articles"
      aria-busy={query.isFetching}
      data-results={address.query === '' ? undefined : true}
    >
      <SearchSummary view={view} query={address.query} onClear={() => go({ query: '', page: 1 })} />
      {view.kind === 'loading' && <SkeletonCards isSearch={address.query !== ''} />}
      {view.kind === 'failed' && error}
      {view.kind === 'not-configured' && (
        <ConnectScreen service={props.service} platform={props.platform} onConnected={retry} />
      )}
      {view.kind === 'loaded' && more.count === 0 && <EmptyList query={address.query} />}
      {view.kind === 'loaded' && more.count > 0 && <ArticleGrid view={view} query={address.query} />}
      {view.kind === 'loaded' && query.isFetchNextPageError && error}
      {more.next !== null && (
        <LoadMore
          href={`${buildListPath({ ...address, page: more.next })}#more-${more.next}`}
          isLoading={query.isFetchingNextPage}
          onLoad={more.load}
        />
      )}
    </div>
  );
}

/** The list's place as the address bar has it, and a way to go to another one; Back and Forward are followed. */
function useListAddress(initial: ListAddress): [ListAddress, (next: ListAddress) => void] {
  const [address, setAddress] = useState(initial);
  useEffect(() => {
    const follow = () => setAddress(parseListAddress(new URLSearchParams(location.search)));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const go = (next: ListAddress) => {
    const path = buildListPath(next);
    if (path !== location.pathname + location.search) history.pushState(null, '', path);
    setAddress(next);
  };
  return [address, go];
}

/** A button that adds the next page to the list. Without scripts it is a link to that page's first article. */
function LoadMore(props: {
  readonly href: string;
  readonly isLoading: boolean;
  readonly onLoad: () => void;
}) {
  const { href, isLoading, onLoad } = props;
  return (
    <p className="mt-[clamp(2rem,4vw,3.5rem)] border-t border-line pt-6 text-center">
      <a
        className="button button-quiet"
        href={href}
        data-hydrates
        aria-busy={isLoading}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          if (!isLoading) onLoad();
        }}
      >
        Load More Articles
      </a>
    </p>
  );
}
