import { isArticleSlug } from '../text/slug.ts';
import type { ArticleImage } from './article.ts';
import type { FoundPage, ListedArticle, ListedArticles } from './listed-articles.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses the response of an article proxy endpoint; null when it is not an article list. Articles without a slug or a
 * title are left out, other invalid fields become empty.
 */
export function parseArticlePage(response: unknown): ListedArticles | null {
  if (!isObject(response) || !Array.isArray(response['articles'])) return null;
  const articles = response['articles'].flatMap((entry: unknown) => parseArticle(entry) ?? []);
  const landingPages = Array.isArray(response['landingPages'])
    ? response['landingPages'].flatMap(parseFoundPage)
    : [];
  return {
    articles,
    hasMore: response['hasMore'] === true,
    ...(landingPages.length > 0 && { landingPages }),
  };
}

function parseFoundPage(entry: unknown): FoundPage[] {
  if (!isObject(entry)) return [];
  const [title, description, href] = [entry['title'], entry['description'], entry['href']].map(parseString);
  return title && href && /^\/(?!\/)/.test(href) ? [{ title, description: description ?? '', href }] : [];
}

function parseArticle(entry: unknown): ListedArticle | null {
  if (!isObject(entry)) return null;
  const slug = parseString(entry['slug']);
  const title = parseString(entry['title']);
  if (!isArticleSlug(slug) || title === '') return null;
  const minutes = entry['readingTime'];
  return {
    slug,
    title,
    excerpt: parseString(entry['excerpt']),
    featuredImage: parseImage(entry['image'] ?? entry['featuredImage']),
    categories: parseStrings(entry['categories']),
    author: parseString(entry['author']),
    publishedAt: parseString(entry['publishedAt']),
    ...parseParts(entry['excerptParts']),
    ...(entry['comparedAt'] !== undefined && { comparedAt: parseString(entry['comparedAt']) }),
    readingTime: typeof minutes === 'number' && minutes >= 1 ? Math.round(minutes) : 1,
  };
}

function parseParts(value: unknown) {
  if (!Array.isArray(value) || value.length === 0) return {};
  const excerptParts = value.map((part: unknown) => ({
    text: isObject(part) ? parseString(part['text']) : '',
    match: isObject(part) && part['match'] === true,
  }));
  return { excerptParts };
}

/** The value is an address, or an image with its sizes. */
function parseImage(value: unknown): ArticleImage | null {
  if (typeof value === 'string' && value !== '') {
    return { src: value, alt: '', width: 1200, height: 630, sources: [] };
  }
  if (!isObject(value) || parseString(value['src']) === '') return null;
  const { width, height, focus } = value;
  const isSized = typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0;
  return {
    src: parseString(value['src']),
    alt: parseString(value['alt']),
    width: isSized ? width : 1200,
    height: isSized ? height : 630,
    sources: Array.isArray(value['sources']) ? value['sources'].flatMap(parseSource) : [],
    ...(isObject(focus) && typeof focus['x'] === 'number' && typeof focus['y'] === 'number'
      ? { focus: { x: focus['x'], y: focus['y'] } }
      : {}),
  };
}

function parseSource(value: unknown): ArticleImage['sources'] {
  if (!isObject(value)) return [];
  const { type, srcset } = value;
  return typeof type === 'string' && typeof srcset === 'string' ? [{ type, srcset }] : [];
}

function parseString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function parseStrings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
