import { buildListPath, buildPageAnchor } from '../../core/articles/article-list.ts';
import { ArticleCard, type CardLook } from './article-card.tsx';
import type { ListView } from './use-articles.ts';

/** The rhythm of twelve: one wide, three abreast, two side by side, twice three. The very first stands largest. */
const LOOKS: ReadonlyMap<number, CardLook> = new Map([
  [-1, 'lead'],
  [0, 'wide'],
  [4, 'half'],
  [5, 'half'],
  [11, 'last'],
]);

/** The loaded articles: a grid whose density changes, or, for a search, rows in the order of the match. */
export function ListedArticles(props: {
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
          <a href={buildListPath({ query, page: view.first - 1 })}>Show the articles before these</a>
        </p>
      )}
      <div className={query === '' ? 'cards' : 'cards rows'}>
        {cards.map(({ article, id, isFirst }, index) => (
          <ArticleCard
            key={article.slug}
            article={article}
            id={id}
            isFirst={isFirst}
            look={query === '' ? LOOKS.get(index === 0 ? -1 : index % 12) : undefined}
          />
        ))}
      </div>
    </>
  );
}
