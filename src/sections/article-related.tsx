import type { ListedArticle } from '../core/articles/article-list.ts';
import { ArticleCard } from '../islands/blog/article-card.tsx';
import { Container } from '../ui/container.tsx';

/** Other articles, under the one that was read or in place of one that is not there. */
export function ArticleRelated(props: {
  readonly title: string;
  readonly articles: readonly ListedArticle[];
}) {
  const { title, articles } = props;
  if (articles.length === 0) return null;
  return (
    <section className="related" aria-labelledby="related" data-print="hide">
      <Container>
        <div className="related-head">
          <h2 id="related">{title}</h2>
          <a href="/blog">All articles</a>
        </div>
        <div className="cards">
          {articles.map((article) => (
            <ArticleCard key={article.slug} article={article} level={3} />
          ))}
        </div>
      </Container>
    </section>
  );
}
