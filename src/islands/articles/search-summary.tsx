import { BLOG_PATH } from '../../core/paths.ts';
import type { ListView } from './use-articles.ts';

const SUMMARY_CLASSES =
  'mb-4 flex flex-wrap justify-between gap-x-8 gap-y-2 border-b-2 border-line-strong pb-4';

/** The number of articles, announced when it changes. Visible for a search, with a link back to all articles. */
export function SearchSummary(props: {
  readonly view: ListView;
  readonly query: string;
  readonly onClear: () => void;
}) {
  const { view, query, onClear } = props;
  const isVisible = query !== '' && view.kind === 'loaded' && countArticles(view) > 0;
  return (
    <div className={isVisible ? SUMMARY_CLASSES : 'sr-only'}>
      <p role="status" className="tabular font-semibold wrap-anywhere">
        {describeCount(view, query)}
      </p>
      {isVisible && (
        <a
          href={BLOG_PATH}
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
