import type { ArticleImage } from './article.ts';
import type { ListedArticle, ListedPage } from './article-list.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses what an article function answered; null when it is no article list. An article without a slug or a
 * title is left out, other wrong fields are empty.
 */
export function parseArticlePage(answer: unknown): ListedPage | null {
  if (!isObject(answer) || !Array.isArray(answer['articles'])) return null;
  const articles = answer['articles'].flatMap((entry: unknown) => parseArticle(entry) ?? []);
  return { articles, hasMore: answer['hasMore'] === true };
}

function parseArticle(entry: unknown): ListedArticle | null {
  if (!isObject(entry)) return null;
  const slug = readText(entry['slug']);
  const title = readText(entry['title']);
  if (!/^[a-z0-9-]+$/.test(slug) || title === '') return null;
  const minutes = entry['readingTime'];
  return {
    slug,
    title,
    excerpt: readText(entry['excerpt']),
    featuredImage: parseImage(entry['featuredImage']),
    categories: readTexts(entry['categories']),
    author: readText(entry['author']),
    publishedAt: readText(entry['publishedAt']),
    ...parseParts(entry['excerptParts']),
    readingTime: typeof minutes === 'number' && minutes >= 1 ? Math.round(minutes) : 1,
  };
}

function parseParts(value: unknown): Pick<ListedArticle, 'excerptParts'> {
  if (!Array.isArray(value) || value.length === 0) return {};
  const excerptParts = value.map((part: unknown) => ({
    text: isObject(part) ? readText(part['text']) : '',
    match: isObject(part) && part['match'] === true,
  }));
  return { excerptParts };
}

/** An address alone, or the picture with its sizes. */
function parseImage(value: unknown): ArticleImage | null {
  if (typeof value === 'string' && value !== '') {
    return { src: value, alt: '', width: 1200, height: 630, sources: [] };
  }
  if (!isObject(value) || readText(value['src']) === '') return null;
  const { width, height } = value;
  const isSized = typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0;
  return {
    src: readText(value['src']),
    alt: readText(value['alt']),
    width: isSized ? width : 1200,
    height: isSized ? height : 630,
    sources: Array.isArray(value['sources']) ? value['sources'].flatMap(parseSource) : [],
  };
}

function parseSource(value: unknown): ArticleImage['sources'] {
  if (!isObject(value)) return [];
  const { type, srcset } = value;
  return typeof type === 'string' && typeof srcset === 'string' ? [{ type, srcset }] : [];
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
