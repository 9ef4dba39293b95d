import { buildCardContent } from '../../core/articles/article-copy.ts';
import type { ListedArticle } from '../../core/articles/listed-articles.ts';
import { BLOG_PATH, HOME_PATH } from '../../core/paths.ts';
import { ArticleCard } from '../../ui/cards/article-card.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Section } from '../../ui/section.tsx';

/** The newest articles: the first large, the others as lines beside it. `null`: they could not be loaded. Nothing without any. */
export function NewestArticles(props: {
  readonly title: string;
  readonly articles: readonly ListedArticle[] | null;
}) {
  const { title, articles } = props;
  if (articles?.length === 0) return null;
  return (
    <Section title={title} aside={<a href={BLOG_PATH}>All articles</a>}>
      {articles === null && (
        <LoadError message="Failed to load articles. Please try again." href={HOME_PATH} retryAt={0} />
      )}
      {articles !== null && (
        <div className="cards cards-front">
          {articles.map((article, index) => (
            <ArticleCard
              key={article.slug}
              content={buildCardContent(article)}
              headingLevel={3}
              className={index === 0 ? 'card-lead' : undefined}
              isFirst={index === 0}
            />
          ))}
        </div>
      )}
    </Section>
  );
}
