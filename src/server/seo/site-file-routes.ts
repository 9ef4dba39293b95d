import type { ArticleSummary } from '../../core/articles/article.ts';
import { type ArticleGroup, buildGroups } from '../../core/articles/article-groups.ts';
import type { Clock } from '../../core/clock.ts';
import { listPartnerPaths } from '../../core/outbound/partner.ts';
import { leadTarget } from '../../core/pages/addresses.ts';
import type { Content } from '../../core/pages/content.ts';
import { isPublished } from '../../core/pages/shown-sections.ts';
import {
  ARTICLE_SITEMAP_PATH,
  ASSESSMENT_PATH,
  BLOG_PATH,
  buildArticlePath,
  buildAuthorPath,
  buildGroupPath,
  DEFAULT_SHARING_IMAGE,
  HOME_PATH,
  LLMS_PATH,
  PAGE_SITEMAP_PATH,
  ROBOTS_PATH,
  SHARING_IMAGE_PREFIX,
  SITEMAP_PATH,
  WEB_MANIFEST_PATH,
} from '../../core/paths.ts';
import {
  buildLlmsText,
  buildRobots,
  buildSitemap,
  buildSitemapIndex,
  buildWebManifest,
  findLatest,
  MAX_SITEMAP_ENTRIES,
  type SitemapEntry,
} from '../../core/seo/site-files.ts';
import { type Articles, readSummaries } from '../articles/articles.ts';
import { buildProblem } from '../http/responses.ts';
import type { Route } from '../http/route.ts';

/** Creates the files by which crawlers and readers find the pages. */
export function createSiteFileRoutes(
  read: () => Content,
  articles: Articles,
  settings: { readonly siteUrl: string },
  clock: Clock,
): Route[] {
  const readPages = (content = read()) => listPages(content, clock.now());
  /** Pages without a day of their own list articles, and change with the newest of them. */
  const pageEntries = async () => {
    const pages = readPages();
    const latest = findLatest([...pages, ...(await articleEntries())]);
    return pages.map(({ path, lastModified = latest }) => ({ path, lastModified }));
  };
  const articleEntries = async () => {
    const summaries = await readSummaries(articles);
    const originals = summaries.filter(isForSearchEngines);
    return [...buildGroups(summaries, 'topic').map(toTopicEntry), ...originals.map(toEntry)].slice(
      0,
      MAX_SITEMAP_ENTRIES,
    );
  };
  return [
    buildRoute(ROBOTS_PATH, PLAIN, () => {
      const { partners, site } = read();
      return buildRobots(settings.siteUrl, listPartnerPaths(partners), site.robots);
    }),
    buildRoute(WEB_MANIFEST_PATH, 'application/manifest+json', () => buildWebManifest(read())),
    buildRoute(PAGE_SITEMAP_PATH, XML, async () => buildSitemap(settings.siteUrl, await pageEntries())),
    buildRoute(ARTICLE_SITEMAP_PATH, XML, async () => buildSitemap(settings.siteUrl, await articleEntries())),
    buildRoute(SITEMAP_PATH, XML, async () =>
      buildSitemapIndex(settings.siteUrl, [
        { path: PAGE_SITEMAP_PATH, lastModified: findLatest(await pageEntries()) },
        { path: ARTICLE_SITEMAP_PATH, lastModified: findLatest(await articleEntries()) },
      ]),
    ),
    buildRoute(LLMS_PATH, PLAIN, async () => {
      const content = read();
      const { name, description, disclosure } = content.site;
      const site = { name, description, disclosure: disclosure.short, origin: settings.siteUrl };
      const listed = (await readSummaries(articles)).filter(isForSearchEngines).map((card) => ({
        path: buildArticlePath(card),
        title: card.title,
        description: card.excerpt,
      }));
      return buildLlmsText(site, [
        { title: 'Pages', items: readPages(content) },
        { title: 'Articles', items: listed },
      ]);
    }),
    // The build draws the images: a page that was added since has none of its own yet.
    {
      method: 'GET',
      path: `${SHARING_IMAGE_PREFIX}*`,
      handle: ({ req, env }) =>
        req.path === DEFAULT_SHARING_IMAGE
          ? buildProblem('not-found', env.requestId)
          : new Response(null, { status: 302, headers: LEAD_TO_DEFAULT }),
    },
  ];
}

/** A copy of an article of another site is not for search engines, and neither is one that says so. */
const isForSearchEngines = ({ canonicalUrl, noindex }: ArticleSummary) =>
  canonicalUrl === undefined && noindex !== true;

function toEntry(article: ArticleSummary): { path: string; lastModified: string } {
  return { path: buildArticlePath(article), lastModified: article.updatedAt };
}

/** A topic changes when one of its articles does. */
function toTopicEntry({ slug, articles }: ArticleGroup): { path: string; lastModified: string } {
  const [latest = ''] = articles
    .map(({ updatedAt }) => updatedAt)
    .sort((one, other) => (one < other ? 1 : -1));
  return { path: buildGroupPath('topic', slug), lastModified: latest };
}

/** Pages of other sites may show the image. */
const LEAD_TO_DEFAULT = {
  location: DEFAULT_SHARING_IMAGE,
  'cache-control': 'public, max-age=300',
  'cross-origin-resource-policy': 'cross-origin',
};
const PLAIN = 'text/plain; charset=utf-8';
const XML = 'application/xml; charset=utf-8';

function buildRoute(path: string, contentType: string, build: () => string | Promise<string>): Route {
  const headers = { 'content-type': contentType, 'cache-control': 'public, max-age=300, s-maxage=3600' };
  return {
    method: 'GET',
    path,
    isShared: true,
    handle: async () => new Response(await build(), { headers }),
  };
}

/** The pages that crawlers are meant to find: the fixed ones, then every page document that is indexed. */
function listPages(
  { site, assessment, pages, authors, addresses }: Content,
  now: number,
): readonly (SitemapEntry & { readonly title: string; readonly description: string })[] {
  const { metaTitle, metaDescription } = assessment.copy;
  return [
    { path: HOME_PATH, title: site.name, description: site.description },
    { path: BLOG_PATH, title: site.blog.title, description: site.blog.description },
    ...(assessment.draft ? [] : [{ path: ASSESSMENT_PATH, title: metaTitle, description: metaDescription }]),
    ...[...pages]
      .filter(([, page]) => page.index && isPublished(page, now))
      .map(([path, { title, description, updated }]) => ({
        path: leadTarget(path, addresses),
        title,
        description,
        lastModified: updated,
      })),
    ...[...authors.values()].map(({ key, name, role }) => ({
      path: buildAuthorPath(key),
      title: name,
      description: role,
    })),
  ];
}
