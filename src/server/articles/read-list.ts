import {
  ARTICLES_PER_PAGE,
  type ArticleListPage,
  type ArticleSummary,
  type FailedView,
} from '../../core/articles/article.ts';
import {
  type ArticleGroup,
  buildGroups,
  type FoundGroup,
  type GroupKind,
  type GroupView,
} from '../../core/articles/article-groups.ts';
import { type ArticleSource, ArticleSourceError, RETRY_SECONDS } from '../../core/articles/article-source.ts';
import {
  getFirstPage,
  type ListAddress,
  type ListedArticle,
  type ListState,
  parseListAddress,
} from '../../core/articles/listed-articles.ts';
import { leadTarget } from '../../core/pages/addresses.ts';
import { searchPages } from '../../core/pages/search-pages.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import { buildGroupPath } from '../../core/paths.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';
import { buildSlug } from '../../core/text/slug.ts';
import type { Site } from '../site.ts';
import { type Articles, readSummaries } from './articles.ts';

/**
 * Reads every page of the list that an address shows, with the landing pages that a search finds. A failing source is a
 * state, not a rejection.
 */
export async function readList(site: Site, address: ListAddress): Promise<ListState> {
  const { articles } = site.content;
  const first = getFirstPage(address);
  const numbers = Array.from({ length: address.page - first + 1 }, (_, index) => first + index);
  try {
    const pages = await Promise.all(numbers.map((page) => readPage(articles, address.query, page)));
    const shown = pages.filter((page, index) => index === 0 || page.articles.length > 0);
    return {
      kind: 'loaded',
      first,
      pages: shown.map((page, index) => ({
        articles: page.articles.map(pickListed),
        hasMore: page.hasMore,
        ...findLandingPages(site, address.query, first + index),
      })),
    };
  } catch (error) {
    const kind = getFailureKind(error);
    return kind === 'failed' ? buildFailedView(error) : { kind };
  }
}

/** Finds the landing pages that belong to a page of a search: to its first one, and only when there are any. */
export function findLandingPages(site: Site, text: string, page: number) {
  const { clock } = site;
  const content = site.content.read();
  const landingPages = page === 1 ? searchPages(content.pages, text, clock.now()) : [];
  const led = landingPages.map((found) => ({ ...found, href: leadTarget(found.href, content.addresses) }));
  return led.length > 0 ? { landingPages: led } : {};
}

/** Reads the newest articles; null when the source fails. */
export async function readNewest(
  articles: ArticleSource,
  count: number,
): Promise<readonly ListedArticle[] | null> {
  try {
    const page = await articles.list({ page: 1, limit: count });
    return page.articles.map(pickListed);
  } catch (error) {
    getFailureKind(error);
    return null;
  }
}

/** Picks the fields that a card shows. The image has no alternative text beside the title, which says the same. */
export function pickListed(article: ArticleSummary): ListedArticle {
  const { slug, address, title, excerpt, categories, author, publishedAt, readingTime, comparedAt } = article;
  const featuredImage = article.featuredImage && { ...article.featuredImage, alt: '' };
  const own = { slug, ...(address !== undefined && { address }) };
  const listed = {
    ...own,
    title,
    excerpt,
    featuredImage,
    categories,
    author,
    publishedAt,
    readingTime,
    comparedAt,
  };
  return article.excerptParts ? { ...listed, excerptParts: article.excerptParts } : listed;
}

/** Builds what is shown for an error of the source. */
export function buildFailedView(error: unknown): FailedView {
  const seconds = error instanceof ArticleSourceError ? error.retryAfter : undefined;
  return { kind: 'failed', retrySeconds: seconds ?? RETRY_SECONDS };
}

/** Whether the service has no key, or refuses the one that it is given. */
export const isKeyMissing = ({ code }: ArticleSourceError): boolean =>
  code === 'not-configured' || code === 'unauthorized';

/** Which state of the list an error of the source is. Throws every other error. */
function getFailureKind(error: unknown): 'failed' | 'not-configured' {
  if (!(error instanceof ArticleSourceError)) throw error;
  return isKeyMissing(error) ? 'not-configured' : 'failed';
}

function readPage(articles: ArticleSource, text: string, page: number): Promise<ArticleListPage> {
  const query = { page, limit: ARTICLES_PER_PAGE };
  return text === '' ? articles.list(query) : articles.search({ text, ...query });
}

const PER_PAGE = 24;

/** Reads one page of the articles of a topic or tag. A failing source is a state, not a rejection. */
export async function readGroup(
  articles: Articles,
  request: { readonly kind: GroupKind; readonly slug: string; readonly query: URLSearchParams },
  site: SiteDetails,
): Promise<GroupView> {
  const { kind } = request;
  try {
    const groups = buildGroups(await readSummaries(articles), kind);
    const group = groups.find(({ slug }) => slug === request.slug);
    if (group === undefined) return { kind: 'absent' };
    const view = buildPage(group, kind, parseListAddress(request.query).page, site);
    return view.articles.length === 0 ? { kind: 'absent' } : view;
  } catch (error) {
    if (error instanceof ArticleSourceError) return buildFailedView(error);
    throw error;
  }
}

function buildPage(group: ArticleGroup, kind: GroupKind, page: number, site: SiteDetails): FoundGroup {
  const topic = site.blog.topics.find(({ name }) => buildSlug(name) === group.slug);
  return {
    kind: 'found',
    group: kind,
    name: group.name,
    description: kind === 'topic' ? (topic?.description ?? '') : '',
    path: buildGroupPath(kind, group.slug),
    count: group.articles.length,
    page,
    lastPage: Math.ceil(group.articles.length / PER_PAGE),
    articles: group.articles.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(pickListed),
  };
}

/** The article service as pages name it, and the part of its address. */
export const describeService = memoizeByKey(({ articleService: { name } }: SiteDetails) => ({
  name,
  slug: buildSlug(name),
}));

type Topics = SiteDetails['blog']['topics'];

const MAX_TOPICS = 8;

/**
 * Lists the topics to browse: those of the site's settings, as far as they have articles. When one of them has none,
 * the articles come from another system, whose own categories follow, largest first.
 */
export function listTopics(articles: readonly ArticleSummary[], topics: Topics): Topics {
  return getTopicLister(articles)(topics);
}

/** The same for each rendering, until the articles or the settings change. */
const getTopicLister = memoizeByKey((articles: readonly ArticleSummary[]) =>
  memoizeByKey((topics: Topics) => selectTopics(articles, topics)),
);

function selectTopics(articles: readonly ArticleSummary[], topics: Topics): Topics {
  const groups = buildGroups(articles, 'topic');
  const slugs = new Set(groups.map(({ slug }) => slug));
  const used = topics.filter(({ name }) => slugs.has(buildSlug(name)));
  if (used.length === topics.length) return topics;
  const usedSlugs = new Set(used.map(({ name }) => buildSlug(name)));
  const others = groups
    .filter(({ slug }) => !usedSlugs.has(slug))
    .map(({ name, articles: { length } }) => ({
      name,
      description: length === 1 ? '1 article' : `${length} articles`,
    }));
  return [...used, ...others].slice(0, MAX_TOPICS);
}
