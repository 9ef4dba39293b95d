import type { Article } from './article.ts';
import { buildFeedContent } from './feed-content.ts';
import { escapeHtml } from './html-tags.ts';

/** What a feed says about the site. */
export interface FeedSite {
  readonly name: string;
  readonly description: string;
  /** Origin of the site, without a trailing slash. */
  readonly origin: string;
  readonly language: string;
  /** One sentence on paid links; stands above bodies that have some. */
  readonly disclosure: string;
}

/** Builds an RSS 2.0 document with full texts (content:encoded); `articles` newest first. */
export function buildRss(site: FeedSite, articles: readonly Article[]): string {
  const { name, description, origin, language } = site;
  const latest = findLatestChange(articles);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom">',
    '<channel>',
    `<title>${text(name)}</title>`,
    `<link>${text(`${origin}/blog`)}</link>`,
    `<atom:link href="${text(`${origin}/rss.xml`)}" rel="self" type="application/rss+xml"/>`,
    `<description>${text(description)}</description>`,
    `<language>${text(language)}</language>`,
    ...(latest ? [`<lastBuildDate>${new Date(latest).toUTCString()}</lastBuildDate>`] : []),
    '<ttl>60</ttl>',
    ...articles.map((article) => buildItem(site, article)),
    '</channel>',
    '</rss>',
    '',
  ].join('\n');
}

function buildItem(site: FeedSite, article: Article): string {
  const address = `${site.origin}/blog/${article.slug}`;
  const content = buildFeedContent(article, site.origin, site.disclosure);
  return [
    '<item>',
    `<title>${text(article.title)}</title>`,
    `<link>${text(address)}</link>`,
    `<guid isPermaLink="true">${text(address)}</guid>`,
    `<pubDate>${new Date(article.publishedAt).toUTCString()}</pubDate>`,
    `<dc:creator>${text(article.author)}</dc:creator>`,
    ...[...article.categories, ...article.tags].map((name) => `<category>${text(name)}</category>`),
    `<description>${text(article.excerpt)}</description>`,
    `<content:encoded>${text(content)}</content:encoded>`,
    '</item>',
  ].join('\n');
}

/** The latest `updatedAt` of some articles; undefined without any. */
export function findLatestChange(articles: readonly Pick<Article, 'updatedAt'>[]): string | undefined {
  return articles
    .map(({ updatedAt }) => updatedAt)
    .reduce<string | undefined>(
      (latest, date) => (latest === undefined || date > latest ? date : latest),
      undefined,
    );
}

/** Escaped, and without what XML 1.0 cannot hold even escaped. */
function text(value: string): string {
  return escapeHtml(
    value.toWellFormed().replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''),
  );
}
