import type { ArticleCard } from '../../core/articles/article.ts';
import { type ArticleGroup, buildGroups } from '../../core/articles/neighbours.ts';
import type { Content } from '../../core/content/content.ts';
import { buildLlmsText } from '../../core/discovery/llms.ts';
import { buildRobots } from '../../core/discovery/robots.ts';
import {
  buildSitemap,
  buildSitemapIndex,
  findLatest,
  MOST_SITEMAP_ENTRIES,
} from '../../core/discovery/sitemap.ts';
import type { Articles } from '../articles.ts';
import { readCatalogue } from '../blog/read-catalogue.ts';
import type { HttpAnswer, HttpHandler } from '../http/message.ts';

/** A page of the site as the listings name it. */
export interface ListedPage {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly lastModified?: string | undefined;
}

/** The files by which crawlers, readers and browsers find the pages, by path. */
export function createSiteFileHandlers(options: {
  readonly content: Content;
  readonly articles: Articles;
  readonly siteUrl: string;
  readonly pages: readonly ListedPage[];
}): [string, HttpHandler][] {
  const { content, articles, siteUrl, pages } = options;
  const partnerKeys = [...content.partners.keys()];
  const articleEntries = async () => {
    const cards = await readCatalogue(articles);
    return [...buildGroups(cards, 'categories').map(toTopicEntry), ...cards.map(toEntry)].slice(
      0,
      MOST_SITEMAP_ENTRIES,
    );
  };
  return [
    ['/robots.txt', async () => text('text/plain; charset=utf-8', buildRobots(siteUrl, partnerKeys))],
    ['/sitemap-pages.xml', async () => xml(buildSitemap(siteUrl, pages))],
    ['/sitemap-articles.xml', async () => xml(buildSitemap(siteUrl, await articleEntries()))],
    [
      '/sitemap.xml',
      async () =>
        xml(
          buildSitemapIndex(siteUrl, [
            { path: '/sitemap-pages.xml', lastModified: findLatest(pages) },
            { path: '/sitemap-articles.xml', lastModified: findLatest(await articleEntries()) },
          ]),
        ),
    ],
    [
      '/llms.txt',
      async () => {
        const { name, description, disclosure } = content.site;
        const site = { name, description, disclosure: disclosure.short, origin: siteUrl };
        const listed = (await readCatalogue(articles)).map((card) => ({
          path: `/blog/${card.slug}`,
          title: card.title,
          description: card.excerpt,
        }));
        return text(
          'text/plain; charset=utf-8',
          buildLlmsText(site, [
            { title: 'Pages', items: pages },
            { title: 'Articles', items: listed },
          ]),
        );
      },
    ],
  ];
}

function toEntry({ slug, updatedAt }: ArticleCard): { path: string; lastModified: string } {
  return { path: `/blog/${slug}`, lastModified: updatedAt };
}

/** A topic changes when one of its articles does. */
function toTopicEntry({ slug, cards }: ArticleGroup): { path: string; lastModified: string } {
  const [latest = ''] = cards.map(({ updatedAt }) => updatedAt).sort((one, other) => (one < other ? 1 : -1));
  return { path: `/blog/topic/${slug}`, lastModified: latest };
}

const xml = (body: string): HttpAnswer => text('application/xml; charset=utf-8', body);

function text(contentType: string, body: string): HttpAnswer {
  return {
    status: 200,
    headers: { 'content-type': contentType, 'cache-control': 'public, max-age=300, s-maxage=3600' },
    body,
  };
}
