import type { ListedArticle } from '../core/articles/article-list.ts';
import { LoadError } from '../islands/blog/load-error.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Container } from '../ui/container.tsx';
import { ArticleRelated } from './article-related.tsx';

/** What stands where no article is. */
export function ArticleMissing({ newest }: { readonly newest: readonly ListedArticle[] }) {
  return (
    <>
      <Container className="article-state">
        <p className="n">404</p>
        <h1>Article Not Found</h1>
        <p>The article you're looking for doesn't exist.</p>
        <p className="offer-ways">
          <ButtonLink href="/">Back to Blog</ButtonLink>
          <a href="/blog">Search all articles</a>
        </p>
      </Container>
      <ArticleRelated title="Newest articles" articles={newest} />
    </>
  );
}

/** What stands where an article could not be loaded. */
export function ArticleFailed({ path }: { readonly path: string }) {
  return (
    <Container className="article-state">
      <h1>This article could not be loaded</h1>
      <LoadError message="Failed to load article. Please try again." href={path} />
    </Container>
  );
}
