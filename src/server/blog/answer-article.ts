import type { ArticleView } from '../../core/articles/article-view.ts';
import type { PageHead } from '../../core/content/head.ts';
import { buildArticleSharingImage } from '../../core/content/sharing-image.ts';
import type { Site } from '../../core/content/site.schema.ts';

const RETRY_SECONDS = '30';

/** Sets the status of an article's page and says what the page says about itself. */
export function answerArticle(
  response: { status?: number | undefined; readonly headers: Headers },
  view: ArticleView,
  slug: string,
  site: Site,
): PageHead {
  // A slug that is nobody's may hold anything; the canonical address of its page must not.
  const path = `/blog/${encodeURIComponent(slug)}`;
  if (view.kind === 'found' && !view.isPreview) return buildArticleHead(view.article, path, site);
  if (view.kind === 'found') {
    response.headers.set('cache-control', 'no-store');
    return { ...buildArticleHead(view.article, path, site), noindex: true };
  }
  response.status = view.kind === 'absent' ? 404 : 503;
  if (view.kind === 'failed') response.headers.set('retry-after', RETRY_SECONDS);
  const title = view.kind === 'absent' ? 'Article Not Found' : 'Article not loaded';
  return { title: `${title} | ${site.name} Blog`, description: site.description, path, noindex: true };
}

function buildArticleHead(
  article: Extract<ArticleView, { kind: 'found' }>['article'],
  path: string,
  site: Site,
): PageHead {
  return {
    title: article.seoTitle || `${article.title} | ${site.name} Blog`,
    description: article.seoDescription || article.excerpt || site.description,
    path,
    image: buildArticleSharingImage(path, article.featuredImage),
    type: 'article',
    publishedAt: article.publishedAt,
    updatedAt: article.updatedAt,
  };
}
