import { Feed, type FeedOptions, type Item } from 'feed';
import type { Article, ArticleSummary } from '../../core/articles/article.ts';
import type { ArticleSource } from '../../core/articles/article-source.ts';
import { describeShortcodes } from '../../core/articles/shortcodes.ts';
import type { Figures } from '../../core/pages/claims/placeholders.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import { ATOM_PATH, BLOG_PATH, buildArticlePath, JSON_FEED_PATH, RSS_PATH } from '../../core/paths.ts';
import { escapeHtml } from '../../core/text/parse-text.ts';
import type { Route } from '../http/route.ts';

const MAX_ITEMS = 20;
const CACHE_CONTROL = 'public, max-age=300, s-maxage=3600, stale-while-revalidate=86400';

const FEEDS = [
  { path: RSS_PATH, contentType: 'application/rss+xml; charset=utf-8', build: buildRss },
  { path: ATOM_PATH, contentType: 'application/atom+xml; charset=utf-8', build: buildAtom },
  { path: JSON_FEED_PATH, contentType: 'application/feed+json; charset=utf-8', build: buildJsonFeed },
] as const;

/** Creates `/rss.xml`, `/atom.xml` and `/feed.json`: the 20 newest articles with their full texts. */
export function createFeedRoutes(
  articles: ArticleSource,
  read: () => { readonly site: SiteDetails; readonly figures: Figures },
  settings: { readonly siteUrl: string },
): readonly Route[] {
  return FEEDS.map(({ path, contentType, build }) => ({
    method: 'GET',
    path,
    isShared: true,
    async handle() {
      const newest = await readNewest(articles);
      const latest = findLatestChange(newest);
      const { site, figures } = read();
      const { name, description, language, disclosure } = site;
      const origin = settings.siteUrl;
      const about = { name, description, language, origin, disclosure: disclosure.short, figures };
      return new Response(build(about, newest), {
        headers: {
          'content-type': contentType,
          'cache-control': CACHE_CONTROL,
          ...(latest && { 'last-modified': new Date(latest).toUTCString() }),
        },
      });
    },
  }));
}

async function readNewest(articles: ArticleSource): Promise<readonly Article[]> {
  const { articles: summaries } = await articles.list({ page: 1, limit: MAX_ITEMS });
  const shown = summaries.filter(({ noindex }) => noindex !== true);
  const found = await Promise.all(shown.map(({ slug }) => articles.get(slug).catch(() => null)));
  return found.filter((article) => article !== null);
}

/** What a feed says about the site. */
export interface FeedSite {
  readonly name: string;
  readonly description: string;
  /** Origin of the site, without a trailing slash. */
  readonly origin: string;
  readonly language: string;
  /** One sentence on paid links, shown above bodies that have some. */
  readonly disclosure: string;
  /** What products are called and cost. */
  readonly figures: Figures;
}

/** Characters of the full texts of a feed. Many readers refuse a larger one, and building it would stall the site. */
const MAX_TEXTS_LENGTH = 500_000;

/** Builds an RSS 2.0 document with full texts (`content:encoded`); `articles` newest first. */
export function buildRss(site: FeedSite, articles: readonly Article[]): string {
  const feed = new Feed({
    ...buildChannel(site, articles),
    title: encodeXml(site.name),
    description: encodeXml(escapeHtml(site.description)),
    ttl: 60,
    feedLinks: { rss: site.origin + RSS_PATH },
  });
  for (const [article, content] of buildContents(site, articles)) {
    const { title, excerpt, author } = article;
    feed.addItem({
      ...buildItem(site, article),
      // Some readers take the last text for the whole one.
      description: excerpt,
      // The library writes these into CDATA sections and escapes the end of a section only once, so that a hostile
      // text could leave it. As extensions they replace the library's elements by escaped text.
      extensions: Object.entries({
        title,
        // RSS says that this is HTML. Nothing says what a title is: readers agree on numeric references.
        description: escapeHtml(excerpt),
        'content:encoded': content,
        'dc:creator': author,
      }).map(([name, text]) => ({ name, objects: { _text: encodeXml(text) } })),
      content,
      category: [...article.categories, ...article.tags].map((name) => ({ name: encodeXml(name) })),
    });
  }
  return feed
    .rss2()
    .replace(/<title>[^<]*/g, (text) => text.replaceAll('&amp;', '&#x26;').replaceAll('&lt;', '&#x3C;'));
}

/** Builds an Atom document (RFC 4287) with full texts; `articles` newest first. */
export function buildAtom(site: FeedSite, articles: readonly Article[]): string {
  const { origin, name, description } = site;
  const feed = new Feed({
    ...buildChannel(site, articles),
    id: `${origin}/`,
    title: encodeXml(name),
    description: encodeXml(description),
    feedLinks: { atom: origin + ATOM_PATH },
  });
  for (const [article, content] of buildContents(site, articles))
    feed.addItem({
      ...buildItem(site, article),
      // The library writes HTML into CDATA sections, whose end is written as HTML here: no text can leave one.
      title: escapeHtml(removeControls(article.title)),
      description: escapeHtml(removeControls(article.excerpt)),
      content: removeControls(content).replaceAll(']]>', ']]&gt;'),
      author: [{ name: encodeXml(article.author) }],
    });
  return feed.atom1();
}

/** Builds a JSON Feed 1.1 document with full texts (https://www.jsonfeed.org/version/1.1/); `articles` newest first. */
export function buildJsonFeed(site: FeedSite, articles: readonly Article[]): string {
  const { origin, name, description, language } = site;
  const feed = new Feed({
    ...buildChannel(site, articles),
    title: name,
    description,
    image: `${origin}/apple-touch-icon.png`,
    feedLinks: { json: origin + JSON_FEED_PATH },
  });
  for (const [article, content] of buildContents(site, articles)) {
    const image = article.featuredImage && buildAbsolute(article.featuredImage.src, origin);
    feed.addItem({
      ...buildItem(site, article),
      id: origin + buildArticlePath(article),
      description: article.excerpt,
      content,
      ...(image && { image }),
      author: [{ name: article.author }],
      category: [...article.categories, ...article.tags].map((tag) => ({ name: tag })),
    });
  }
  // The library writes version 1, which has one author and no language.
  const document: { readonly items: readonly { readonly author: object }[] } = JSON.parse(feed.json1());
  const items = document.items.map(({ author, ...item }) => ({ ...item, authors: [author] }));
  return JSON.stringify({ ...document, version: 'https://jsonfeed.org/version/1.1', language, items });
}

function findLatestChange(articles: readonly Article[]): string | undefined {
  return articles
    .map(({ updatedAt }) => updatedAt)
    .toSorted()
    .at(-1);
}

/** Each article with its full text, or with its excerpt when its text does not fit beside those of newer articles. */
function* buildContents(
  site: FeedSite,
  articles: readonly Article[],
): Generator<readonly [article: Article, content: string]> {
  let left = MAX_TEXTS_LENGTH;
  for (const article of articles) {
    const fits = article.content.length <= left;
    if (fits) left -= article.content.length;
    yield [article, fits ? buildFeedContent(article, site) : buildFeedExcerpt(article, site.origin)];
  }
}

function buildChannel(
  { origin, language }: FeedSite,
  articles: readonly Article[],
): Omit<FeedOptions, 'title'> {
  const latest = findLatestChange(articles);
  return {
    link: origin + BLOG_PATH,
    language,
    generator: false,
    ...(latest !== undefined && { updated: new Date(latest) }),
  };
}

function buildItem({ origin }: FeedSite, article: Article): Item {
  const { title, publishedAt, updatedAt } = article;
  const published = new Date(publishedAt);
  return { title, link: origin + buildArticlePath(article), published, date: new Date(updatedAt) };
}

/** Removes what XML 1.0 cannot contain even escaped. */
const removeControls = (text: string) =>
  text.toWellFormed().replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');

/** Escapes `&` as well: the library escapes `<` and `>`, but takes every `&amp;` for an escaped `&` already. */
const encodeXml = (text: string) => removeControls(text).replaceAll('&', '&amp;');

/**
 * Builds an article's body for programs that are no browser at the site: with absolute addresses, products in words, and a
 * disclosure when it has sponsored links.
 */
export function buildFeedContent(
  article: Pick<Article, 'content' | 'featuredImage' | 'slug' | 'address'>,
  { origin, disclosure, figures }: Pick<FeedSite, 'origin' | 'disclosure' | 'figures'>,
): string {
  const page = origin + buildArticlePath(article);
  // Only tags: code in the text may show attributes too.
  const body = describeShortcodes(article.content, figures, 'html')
    .replace(/<\/?picture>|<source [^<>]*>/g, '')
    .replace(/<\w[^<>]*>/g, (tag) =>
      tag
        .replace(/ (?:data-action|data-label|data-source|tabindex|role|srcset|sizes)="[^"]*"/g, '')
        .replace(/ (href|src)="\/(?!\/)/g, ` $1="${origin}/`)
        .replace(/ href="#/g, ` href="${page}#`),
    );
  const image = article.featuredImage
    ? `<p><img src="${escapeHtml(buildAbsolute(article.featuredImage.src, origin))}" alt="${escapeHtml(article.featuredImage.alt)}"></p>`
    : '';
  const notice = /<a [^<>]* rel="sponsored/.test(article.content)
    ? `<p><em>${escapeHtml(disclosure)}</em></p>`
    : '';
  return notice + image + body;
}

function buildFeedExcerpt(article: ArticleSummary, origin: string): string {
  const link = `<a href="${escapeHtml(origin + buildArticlePath(article))}">${escapeHtml(article.title)}</a>`;
  return `<p>${escapeHtml(article.excerpt)}</p><p>${link}</p>`;
}

/** Builds the absolute address of a path of the site; returns addresses of other hosts unchanged. */
function buildAbsolute(address: string, origin: string): string {
  return address.startsWith('/') ? origin + address : address;
}
