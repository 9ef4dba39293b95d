import type { ListedArticle } from '../core/articles/article-list.ts';
import { ArticleCard } from '../islands/blog/article-card.tsx';
import { LoadError } from '../islands/blog/load-error.tsx';
import { Section } from '../ui/section.tsx';

/** The newest articles: the first large, the others as lines beside it. `null`: they could not be loaded. */
export function HomeNewest(props: {
  readonly title: string;
  readonly articles: readonly ListedArticle[] | null;
}) {
  const { title, articles } = props;
  return (
    <Section title={title} aside={<a href="/blog">All articles</a>}>
      {articles === null && <LoadError message="Failed to load articles. Please try again." href="/" />}
      {articles?.length === 0 && <p className="text-muted">No articles available</p>}
      {articles !== null && articles.length > 0 && (
        <div className="cards front">
          {articles.map((article, index) => (
            <ArticleCard
              key={article.slug}
              article={article}
              level={3}
              look={index === 0 ? 'lead' : undefined}
              isFirst={index === 0}
            />
          ))}
        </div>
      )}
    </Section>
  );
}
