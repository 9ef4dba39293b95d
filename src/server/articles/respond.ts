import type { Article, ArticleView, FailedView } from '../../core/articles/article.ts';
import type { FoundGroup, GroupView } from '../../core/articles/article-groups.ts';
import {
  buildListTitle,
  buildPageSuffix,
  type ListAddress,
  type ListState,
} from '../../core/articles/listed-articles.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import { buildAddress, buildArticlePath, buildDefaultPath } from '../../core/paths.ts';
import { buildArticleSharingImage, type PageHead } from '../../core/seo/page-head.ts';

/** The part of a page's response that can be set before it is rendered. */
interface ResponseInit {
  status?: number | undefined;
  readonly headers: Headers;
}

/** Sets the status of an article's page and builds its head: 404 for no such article, 503 for a failing source. */
export function respondWithArticle(
  response: ResponseInit,
  view: Exclude<ArticleView, { readonly kind: 'moved' }>,
  slug: string,
  site: SiteDetails,
): PageHead {
  const path = buildDefaultPath(slug);
  if (view.kind === 'found') {
    const head = buildArticleHead(view.article, site);
    if (!view.isPreview) return head;
    response.headers.set('cache-control', 'no-store');
    return { ...head, noindex: true };
  }
  setFailure(response, view);
  const title = view.kind === 'absent' ? 'Article Not Found' : 'Article not loaded';
  return { title: `${title} | ${site.name} Blog`, description: site.description, path, noindex: true };
}

/** Sets the status of a topic's or tag's page and builds its head. Only the first page of a topic is indexed. */
export function respondWithGroup(
  response: ResponseInit,
  view: GroupView,
  path: string,
  site: SiteDetails,
): PageHead {
  if (view.kind !== 'found') {
    setFailure(response, view);
    const title = view.kind === 'absent' ? 'No such topic' : 'Articles not loaded';
    return { title: `${title} | ${site.name}`, description: site.description, path, noindex: true };
  }
  const subject = view.group === 'topic' ? view.name : `#${view.name}`;
  return {
    title: `${subject}: articles${buildPageSuffix(view.page)} | ${site.name}`,
    description: view.description || describeGroup(view, site.name),
    path: buildAddress(view.path, { page: view.page > 1 ? view.page : undefined }),
    noindex: view.group === 'tag' || view.page > 1,
  };
}

/** Characters of a description that search results show. */
const MAX_DESCRIPTION = 155;

/** A description that no other group has: how many articles, and as many of their titles as search results show. */
function describeGroup({ name, count, articles }: FoundGroup, site: string): string {
  const start = `${count} ${count === 1 ? 'article' : 'articles'} about ${name}`;
  const listed = articles.reduce((list, { title }) => {
    const longer = `${list === '' ? `${start}: ` : `${list}; `}${title}`;
    return longer.length < MAX_DESCRIPTION ? longer : list;
  }, '');
  return listed === '' ? `${start} on ${site}.` : `${listed}.`;
}

/**
 * Sets the status of the list's page: 503 for a failing source, 404 past the last page. Returns the title, and whether
 * search engines may index the page: only the first page of all articles.
 */
export function respondWithList(
  response: ResponseInit,
  list: ListState,
  address: ListAddress,
  site: SiteDetails,
): { readonly title: string; readonly isIndexed: boolean } {
  const isEmpty = list.kind === 'loaded' && list.pages.every(({ articles }) => articles.length === 0);
  if (list.kind === 'failed') setFailure(response, list);
  else if (list.kind === 'not-configured') response.status = 503;
  else if (isEmpty && address.page > 1) setFailure(response, { kind: 'absent' });
  return {
    title: buildListTitle(address, { hub: site.blog.title, site: site.name }),
    isIndexed: list.kind === 'loaded' && address.query === '' && address.page === 1 && !isEmpty,
  };
}

function setFailure(response: ResponseInit, view: { readonly kind: 'absent' } | FailedView): void {
  response.status = view.kind === 'absent' ? 404 : 503;
  if (view.kind === 'failed') response.headers.set('retry-after', String(view.retrySeconds));
}

function buildArticleHead(article: Article, site: SiteDetails): PageHead {
  return {
    title: article.seoTitle || `${article.title} | ${site.name} Blog`,
    description: article.seoDescription || article.excerpt || site.description,
    path: buildArticlePath(article),
    canonicalUrl: article.canonicalUrl,
    noindex: article.noindex,
    socialTitle: article.socialTitle,
    socialDescription: article.socialDescription,
    image: buildArticleSharingImage(article.slug, article.featuredImage),
    type: 'article',
    publishedAt: article.publishedAt,
    updatedAt: article.updatedAt,
  };
}
