import type { ListView } from './use-articles.ts';

/** How many articles are shown, announced when it changes; for a search also seen, with the way back to all. */
export function SearchSummary(props: {
  readonly view: ListView;
  readonly query: string;
  readonly onClear: () => void;
}) {
  const { view, query, onClear } = props;
  const isSeen = query !== '' && view.kind === 'loaded' && countArticles(view) > 0;
  return (
    <div className={isSeen ? 'list-summary' : 'sr-only'}>
      <p role="status" className="n">
        {describeCount(view, query)}
      </p>
      {isSeen && (
        <a
          href="/blog"
          onClick={(event) => {
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
  const count = countArticles(view);
  const counted = `${count} ${count === 1 ? 'article' : 'articles'}`;
  const more = view.pages.at(-1)?.hasMore ? 'The first ' : '';
  return query === '' ? `${counted} shown` : `${more}${counted} for “${query}”`;
}

function countArticles(view: Extract<ListView, { kind: 'loaded' }>): number {
  return view.pages.reduce((sum, page) => sum + page.articles.length, 0);
}
