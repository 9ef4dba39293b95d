import { buildCardContent } from '../../core/articles/article-copy.ts';
import { buildListPath, buildPageAnchor } from '../../core/articles/article-list.ts';
import { ArticleCard } from '../../ui/cards/article-card.tsx';
import type { ListView } from './use-articles.ts';

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
export function ArticleGrid(props: {
  readonly view: Extract<ListView, { kind: 'loaded' }>;
  readonly query: string;
}) {
  const { view, query } = props;
  const cards = view.pages.flatMap((page, pageIndex) =>
    page.articles.map((article, index) => ({
      article,
      isFirst: pageIndex === 0 && index === 0,
      id: index === 0 && pageIndex > 0 ? buildPageAnchor(view.first + pageIndex) : undefined,
    })),
  );
  return (
    <>
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
            content={buildCardContent(article)}
            id={id}
            isFirst={isFirst}
            className={query !== '' ? undefined : index === 0 ? 'card-lead' : CARD_CLASSES.get(index % 12)}
          />
        ))}
      </div>
    </>
  );
}
