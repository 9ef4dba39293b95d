import type { ListedArticle } from '../../core/articles/article-list.ts';
import { formatShortDate } from '../../core/articles/format-date.ts';
import { ArticlePicture } from './article-picture.tsx';
import { MarkedText } from './marked-text.tsx';

const MOST_BADGES = 2;

/** `lead`: large; `wide`, `last`: across the grid (`last` on tablets only); `half`: two side by side. */
export type CardLook = 'lead' | 'wide' | 'half' | 'last';

/** One article of a list. */
export function ArticleCard(props: {
  readonly article: ListedArticle;
  /** Id of the card, when an address leads to it. */
  readonly id?: string | undefined;
  /** The first picture on the page loads at once. */
  readonly isFirst?: boolean;
  readonly look?: CardLook | undefined;
  readonly level?: 2 | 3;
}) {
  const { article, id, isFirst = false, look, level = 2 } = props;
  const Heading = `h${level}` as const;
  return (
    <article className={look ? `card card-${look}` : 'card'} id={id}>
      {article.featuredImage && (
        <ArticlePicture image={article.featuredImage} name={article.slug} isFirst={isFirst} />
      )}
      <div className="card-text">
        <ArticleBadges categories={article.categories} />
        <Heading className="card-title">
          <a href={`/blog/${article.slug}`}>{article.title}</a>
        </Heading>
        <p className="card-excerpt">
          {article.excerptParts ? <MarkedText parts={article.excerptParts} /> : article.excerpt}
        </p>
        <p className="card-meta n">
          <span>{article.author}</span>
          <time dateTime={article.publishedAt}>{formatShortDate(article.publishedAt)}</time>
          <span>{`${article.readingTime} min read`}</span>
        </p>
      </div>
    </article>
  );
}

function ArticleBadges({ categories }: { readonly categories: readonly string[] }) {
  return (
    <p className="card-badges">
      {categories.slice(0, MOST_BADGES).map((category) => (
        <span key={category} className="badge">
          {category}
        </span>
      ))}
    </p>
  );
}
