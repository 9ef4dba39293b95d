import { cleanText } from '../journey/clean-text.ts';
import { ARTICLES_PER_PAGE } from './article.ts';
import { isArticleSlug } from './article-slug.ts';

/** What an article function is asked for. */
export type ArticleRequest =
  | { readonly kind: 'list'; readonly page: number; readonly limit: number }
  | { readonly kind: 'search'; readonly text: string; readonly page: number; readonly limit: number }
  | { readonly kind: 'detail'; readonly slug: string }
  /** A path of the right form that cannot name an article. */
  | { readonly kind: 'absent' };

const LONGEST_PATH = 2_000;
const LONGEST_TEXT = 200;
const LAST_PAGE = 10_000;
const MOST_PER_PAGE = 100;

/**
 * Parses the body of a call, `{path, method: "GET", payload}`. Only GET, and only `/articles`,
 * `/articles/search` and `/articles/{slug}`; a text says what is wrong.
 */
export function parseArticleRequest(body: unknown): ArticleRequest | string {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return 'The body has to be an object.';
  const path: unknown = Reflect.get(body, 'path');
  const method: unknown = Reflect.get(body, 'method');
  if (method !== 'GET') return 'method has to be "GET".';
  if (typeof path !== 'string' || path.length > LONGEST_PATH)
    return 'path has to be text of at most 2,000 characters.';
  const match = /^\/articles(?:\/([^/?#\\]+))?(?:\?([^#]*))?$/.exec(path);
  if (!match) return 'path has to be /articles, /articles/search or /articles/{slug}.';
  const query = new URLSearchParams(match[2] ?? '');
  if (match[1] !== undefined && match[1] !== 'search') return parseSlug(match[1]);
  const page = parseWhole(query.get('page'), 1, LAST_PAGE);
  const limit = parseWhole(query.get('limit'), ARTICLES_PER_PAGE, MOST_PER_PAGE);
  if (page === null || limit === null) return 'page and limit have to be whole numbers.';
  if (match[1] === undefined) return { kind: 'list', page, limit };
  return { kind: 'search', text: cleanText(query.get('q') ?? '', LONGEST_TEXT), page, limit };
}

function parseSlug(segment: string): ArticleRequest {
  try {
    const slug = decodeURIComponent(segment);
    return isArticleSlug(slug) ? { kind: 'detail', slug } : { kind: 'absent' };
  } catch {
    return { kind: 'absent' };
  }
}

/** Whole numbers are clamped to 1 … `most`; null: it is none. */
function parseWhole(text: string | null, otherwise: number, most: number): number | null {
  if (text === null) return otherwise;
  return /^-?\d{1,15}$/.test(text) ? Math.min(most, Math.max(1, Number(text))) : null;
}
