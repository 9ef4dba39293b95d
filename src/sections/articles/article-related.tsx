import { buildCardContent } from '../../core/articles/article-copy.ts';
import type { ListedArticle } from '../../core/articles/article-list.ts';
import { BLOG_PATH } from '../../core/paths.ts';
import { ArticleCard } from '../../ui/cards/article-card.tsx';
import { Container } from '../../ui/container.tsx';

/** Other articles, after an article or instead of one that does not exist. */
export function ArticleRelated(props: {
  readonly title: string;
  readonly articles: readonly ListedArticle[];
}) {
  const { title, articles } = props;
  if (articles.length === 0) return null;
  return (
    <section
      className="mt-[clamp(3rem,6vw,5rem)] bg-sunken py-[clamp(2.5rem,5vw,4rem)]"
      aria-labelledby="related"
      data-print="hide"
    >
      <Container>
        <div className="mb-7 flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2">
          <h2 id="related" className="text-2xl">
            {title}
          </h2>
          <a href={BLOG_PATH}>All articles</a>
        </div>
        <div className="cards">
          {articles.map((article, index) => (
            <ArticleCard
              key={article.slug}
              content={buildCardContent(article)}
              headingLevel={3}
              // In two columns, an odd last card has a row of its own.
              className={index % 2 === 0 && index === articles.length - 1 ? 'card-last' : undefined}
            />
          ))}
        </div>
      </Container>
    </section>
  );
}
