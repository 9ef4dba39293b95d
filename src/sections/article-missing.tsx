import { LoadError } from '../islands/blog/load-error.tsx';
import { ButtonLink } from '../ui/button-link.tsx';

/** What stands where no article is. */
export function ArticleMissing() {
  return (
    <div className="article-state">
      <p className="n">404</p>
      <h1>Article Not Found</h1>
      <p>The article you're looking for doesn't exist.</p>
      <p className="offer-ways">
        <ButtonLink href="/">Back to Blog</ButtonLink>
        <a href="/blog">Search all articles</a>
      </p>
    </div>
  );
}

/** What stands where an article could not be loaded. */
export function ArticleFailed({ path }: { readonly path: string }) {
  return (
    <div className="article-state">
      <h1>This article is not here yet</h1>
      <LoadError message="Failed to load article. Please try again." href={path} />
    </div>
  );
}
