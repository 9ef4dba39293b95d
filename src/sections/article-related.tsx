import type { ListedArticle } from '../core/articles/article-list.ts';
import { ArticleCard } from '../islands/blog/article-card.tsx';
import { Container } from '../ui/container.tsx';

/** Other articles about the same thing. */
export function ArticleRelated({ articles }: { readonly articles: readonly ListedArticle[] }) {
  if (articles.length === 0) return null;
  return (
    <section className="related" aria-labelledby="related" data-print="hide">
      <Container>
        <div className="related-head">
          <h2 id="related">Related articles</h2>
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
