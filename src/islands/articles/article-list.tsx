import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { buildCardContent } from '../../core/articles/article-copy.ts';
import {
  buildListPath,
  buildListTitle,
  buildPageAnchor,
  type FoundPage,
  type ListAddress,
  type ListNames,
  type ListState,
  parseListAddress,
} from '../../core/articles/listed-articles.ts';
import { BLOG_PATH } from '../../core/paths.ts';
import { ArticleCard } from '../../ui/cards/article-card.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { ConnectScreen } from './connect-screen.tsx';
import {
  type ArticleService,
  findRetryTime,
  type ListView,
  ServiceError,
  useArticles,
  useSearchForm,
} from './use-articles.ts';

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
  const bringIntoView = useResultsInView(region, view);
  const more = useLoadMore({ address, go, view, query, region });
  useSearchForm(address.query, (text) => {
    bringIntoView();
    go({ query: text, page: 1 });
  });
  // After the effects above, which handle the click or submit that was held while the island loaded.
  useEffect(() => {
    region.current?.dispatchEvent(new Event('island:hydrated', { bubbles: true }));
  }, []);
  useDocumentTitle(buildListTitle(address, props.names));
  const moreHref =
    more.next === null ? null : `${buildListPath({ ...address, page: more.next })}#more-${more.next}`;
  useEffect(() => {
    // What this browser cannot do, the server does.
    if (query.error !== null && !(query.error instanceof ServiceError))
      location.assign(moreHref ?? location.href);
  }, [query.error, moreHref]);
  const firstPage = { ...address, page: 1 };
  const retry = () => {
    reload();
    go(firstPage);
  };
  const error = (
    <LoadError
      message={LOAD_FAILED}
      href={buildListPath(firstPage)}
      retryAt={findRetryTime(view, query.error)}
      onRetry={retry}
    />
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
      <FoundPages pages={listLandingPages(view)} />
      {view.kind === 'loaded' && more.count === 0 && <EmptyList query={address.query} />}
      {view.kind === 'loaded' && more.count > 0 && <ArticleGrid view={view} query={address.query} />}
      {view.kind === 'loaded' && query.isFetchNextPageError && error}
      {moreHref !== null && (
        <LoadMore href={moreHref} isLoading={query.isFetchingNextPage} onLoad={more.load} />
      )}
    </div>
  );
}

function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Returns a function after which the list, and then its results, are scrolled into view. */
function useResultsInView(region: RefObject<HTMLDivElement | null>, view: ListView): () => void {
  const isAwaited = useRef(false);
  // Once the list is in the document, which hides the hero above it, and again with the results: a smooth scroll, or an
  // earlier one, would end where the list was before.
  useLayoutEffect(() => {
    if (!isAwaited.current) return;
    region.current?.scrollIntoView({ behavior: 'instant' });
    isAwaited.current = view.kind === 'loading';
  });
  return () => {
    isAwaited.current = true;
  };
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

/**
 * Cards that are not one of three in a row, by their place in a group of twelve: a wide one, three, two halves, two
 * rows of three. `last` is wide only on tablets, where a row has two cards.
 */
const CARD_CLASSES: ReadonlyMap<number, string> = new Map([
  [0, 'card-wide'],
  [4, 'card-half'],
  [5, 'card-half'],
  [11, 'card-last'],
]);

/** The loaded articles: a grid whose density changes, or, for a search, rows in the order of the match. */
function ArticleGrid(props: {
  readonly view: Extract<ListView, { kind: 'loaded' }>;
  readonly query: string;
}) {
  const { view, query } = props;
  const isGroup = listLandingPages(view).length > 0;
  const cards = view.pages.flatMap((page, pageIndex) =>
    page.articles.map((article, index) => ({
      article,
      isFirst: pageIndex === 0 && index === 0,
      id: index === 0 && pageIndex > 0 ? buildPageAnchor(view.first + pageIndex) : undefined,
    })),
  );
  const listed = cards.map(({ article }) => article);
  return (
    <>
      {isGroup && <h2 className="text-xl">Articles</h2>}
      {view.first > 1 && (
        <p className="mb-6">
          <a href={buildListPath({ query, page: view.first - 1 })}>Show previous articles</a>
        </p>
      )}
      <div
        className={
          query === '' ? 'cards' : 'cards cards-rows [&>:first-child]:border-t-0 [&>:first-child]:pt-2'
        }
      >
        {cards.map(({ article, id, isFirst }, index) => (
          <ArticleCard
            key={article.slug}
            content={buildCardContent(article, listed)}
            id={id}
            isFirst={isFirst}
            headingLevel={isGroup ? 3 : 2}
            className={query !== '' ? undefined : index === 0 ? 'card-lead' : CARD_CLASSES.get(index % 12)}
          />
        ))}
      </div>
    </>
  );
}

/** The landing pages that a search has found, in a group above the articles. */
function FoundPages({ pages }: { readonly pages: readonly FoundPage[] }) {
  if (pages.length === 0) return null;
  return (
    <section aria-labelledby="found-pages" className="mb-10">
      <h2 id="found-pages" className="text-xl">
        Pages
      </h2>
      <ul>
        {pages.map(({ title, href, description }) => (
          <li key={href} className="link-area border-b border-line py-4">
            <h3 className="text-lg">
              <a href={href}>{title}</a>
            </h3>
            <p className="mt-1 max-w-text text-muted">{description}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function listLandingPages(view: ListView): readonly FoundPage[] {
  return view.kind === 'loaded' ? (view.pages[0]?.landingPages ?? []) : [];
}

function EmptyList({ query }: { readonly query: string }) {
  return (
    <div className="grid max-w-text justify-items-start gap-4 py-[clamp(2rem,5vw,4rem)] text-muted">
      <svg
        viewBox="17 3 86 70"
        width="86"
        height="70"
        aria-hidden="true"
        className="fill-raised stroke-line-strong stroke-[1.5]"
      >
        <path d="M18 4h84v62l-7 6-7-6-7 6-7-6-7 6-7-6-7 6-7-6-7 6-7-6-7 6-7-6z" />
        <path d="M30 20h36M30 34h36M30 48h36M82 20h8M82 34h8M82 48h8" />
      </svg>
      {query === '' ? (
        <>
          <h2 className="text-2xl text-ink wrap-anywhere">No articles available</h2>
          <p>The next ones appear here as soon as they are published.</p>
        </>
      ) : (
        <>
          <h2 className="text-2xl text-ink wrap-anywhere">{`No articles found for "${query}"`}</h2>
          <p>
            Try one word instead of several, or a broader one. <a href={BLOG_PATH}>Show all articles</a>
          </p>
        </>
      )}
    </div>
  );
}

const SUMMARY_CLASSES =
  'mb-4 flex flex-wrap justify-between gap-x-8 gap-y-2 border-b-2 border-line-strong pb-4';

/** The number of articles and pages, announced when it changes. Visible for a search, with a link back to all articles. */
function SearchSummary(props: {
  readonly view: ListView;
  readonly query: string;
  readonly onClear: () => void;
}) {
  const { view, query, onClear } = props;
  const isVisible =
    query !== '' && view.kind === 'loaded' && countArticles(view) + listLandingPages(view).length > 0;
  return (
    <div className={isVisible ? SUMMARY_CLASSES : 'sr-only'}>
      <p role="status" className="tabular font-semibold wrap-anywhere">
        {describeCount(view, query)}
      </p>
      {isVisible && (
        <a
          href={BLOG_PATH}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            onClear();
          }}
        >
          Show all articles
        </a>
      )}
    </div>
  );
}

function describeCount(view: ListView, query: string): string {
  if (view.kind === 'loading') return 'Loading articles';
  if (view.kind !== 'loaded') return '';
  const counted = countOf(countArticles(view), 'article');
  if (query === '') return `${counted} shown`;
  const pages = listLandingPages(view).length;
  const more = view.pages.at(-1)?.hasMore ? 'the first ' : '';
  const text = `${pages > 0 ? `${countOf(pages, 'page')} and ` : ''}${more}${counted} for “${query}”`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function countArticles(view: Extract<ListView, { kind: 'loaded' }>): number {
  return view.pages.reduce((sum, page) => sum + page.articles.length, 0);
}

const SKELETONS = [
  { key: 'first', variantClassName: 'card-lead' },
  { key: 'second', variantClassName: '' },
  { key: 'third', variantClassName: '' },
  { key: 'fourth', variantClassName: '' },
  { key: 'fifth', variantClassName: 'card-half' },
  { key: 'sixth', variantClassName: 'card-half' },
] as const;

/** Placeholders in the shape of the list while it loads: a grid, or the rows of a search. */
function SkeletonCards({ isSearch }: { readonly isSearch: boolean }) {
  return (
    <div className={isSearch ? 'cards cards-rows' : 'cards'} aria-hidden="true" data-skeletons>
      {SKELETONS.map(({ key, variantClassName }) => (
        <div className={`card ${isSearch ? '' : variantClassName}`} key={key}>
          <div className="card-image skeleton" />
          <div className="card-text">
            <p className="flex">
              <span className="skeleton h-[1.4rem] w-24 rounded-full" />
            </p>
            <p className="card-title">
              <SkeletonLine />
              <SkeletonLine className="w-[62%]" />
            </p>
            <p className="card-excerpt">
              <SkeletonLine />
              <SkeletonLine />
            </p>
            <p className="card-meta">
              <SkeletonLine className="w-[62%]" />
            </p>
          </div>
        </div>
      ))}
    </div>
  );
}

function SkeletonLine({ className = '' }: { readonly className?: string }) {
  return <span className={`skeleton my-[0.2em] h-[0.8em] ${className}`} />;
}

/** The next page of the list: whether there is one, and loading it. The address follows when it is there. */
function useLoadMore(options: {
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
