import { ARTICLES_PER_PAGE, type Article, type ArticleSummary } from '../../core/articles/article.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import { cleanText } from '../../core/text/parse-text.ts';
import { isArticleSlug } from '../../core/text/slug.ts';
import { buildSummary } from '../../stores/article-copies.ts';
import { createJsonPost } from '../http/request-body.ts';
import { buildJsonResponse, buildProblem } from '../http/responses.ts';
import type { Handler } from '../http/route.ts';
import type { Site } from '../site.ts';
import { findLandingPages, isKeyMissing } from './read-list.ts';

/** What a request of the article proxy endpoints asks for. */
export type ArticleProxyRequest =
  | { readonly kind: 'list'; readonly page: number; readonly limit: number }
  | { readonly kind: 'search'; readonly text: string; readonly page: number; readonly limit: number }
  | { readonly kind: 'detail'; readonly slug: string }
  /** The path has the right form, but its slug cannot be that of an article. */
  | { readonly kind: 'absent' };

const MAX_PATH_LENGTH = 2_000;
const MAX_TEXT_LENGTH = 200;
const MAX_PAGE = 10_000;
const MAX_PER_PAGE = 100;

/**
 * Parses the body of a request, `{path, method: "GET", payload}`. Only GET is allowed, and only `/articles`,
 * `/articles/search` and `/articles/{slug}`. Returns a message when the body is invalid.
 */
export function parseArticleProxyRequest(body: unknown): ArticleProxyRequest | string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'The body must be an object.';
  const path: unknown = Reflect.get(body, 'path');
  const method: unknown = Reflect.get(body, 'method');
  if (method !== 'GET') return 'method must be "GET".';
  if (typeof path !== 'string' || path.length > MAX_PATH_LENGTH)
    return 'path must be text of at most 2,000 characters.';
  const match = /^\/articles(?:\/([^/?#\\]+))?(?:\?([^#]*))?$/.exec(path);
  if (!match) return 'path must be /articles, /articles/search or /articles/{slug}.';
  const query = new URLSearchParams(match[2] ?? '');
  if (match[1] !== undefined && match[1] !== 'search') return parseSlug(match[1]);
  const page = parseWholeNumber(query.get('page'), 1, MAX_PAGE);
  const limit = parseWholeNumber(query.get('limit'), ARTICLES_PER_PAGE, MAX_PER_PAGE);
  if (page === null || limit === null) return 'page and limit must be whole numbers.';
  if (match[1] === undefined) return { kind: 'list', page, limit };
  return { kind: 'search', text: cleanText(query.get('q') ?? '', MAX_TEXT_LENGTH), page, limit };
}

function parseSlug(segment: string): ArticleProxyRequest {
  try {
    const slug = decodeURIComponent(segment);
    return isArticleSlug(slug) ? { kind: 'detail', slug } : { kind: 'absent' };
  } catch {
    return { kind: 'absent' };
  }
}

/** Clamps a whole number to 1 … `max`; null when the text is not one. */
function parseWholeNumber(text: string | null, fallback: number, max: number): number | null {
  if (text === null) return fallback;
  return /^-?\d{1,15}$/.test(text) ? Math.min(max, Math.max(1, Number(text))) : null;
}

const ABSENT_DETAIL = "The article you're looking for doesn't exist.";

/**
 * Creates the handler of `POST /functions/{service}-proxy` and `-cdn-proxy`: the body is `{path, method: "GET"}`. Both
 * read through the same cache, which tries the two addresses of the service.
 */
export function createArticleProxy(site: Site): Handler {
  const { settings } = site;
  const { postLimiter } = site.visitors;
  const { articles } = site.content;
  return createJsonPost(settings, postLimiter, async (body, { env: { requestId } }) => {
    const request = parseArticleProxyRequest(body);
    if (typeof request === 'string') {
      return buildProblem('invalid-request', requestId, { detail: request });
    }
    try {
      const found = await read(articles, request);
      const pages = request.kind === 'search' ? findLandingPages(site, request.text, request.page) : {};
      if (found) return buildJsonResponse({ ...found, ...pages });
      return buildProblem('not-found', requestId, { detail: ABSENT_DETAIL });
    } catch (error) {
      if (error instanceof ArticleSourceError)
        return buildFailure(error, site.content.read().site.articleService.name, requestId);
      throw error;
    }
  });
}

async function read(articles: ArticleSource, request: ArticleProxyRequest) {
  if (request.kind === 'absent') return null;
  if (request.kind === 'detail') {
    const article = await articles.get(request.slug);
    return article && { ...buildResponse(article), content: article.content };
  }
  const page = request.kind === 'list' ? await articles.list(request) : await articles.search(request);
  return { ...page, articles: page.articles.map(buildResponse) };
}

/** Builds an article without its body: `featuredImage` is an address or null, and `image` has its sizes. */
function buildResponse(article: ArticleSummary | Article) {
  const { featuredImage: image, ...summary } = buildSummary(article);
  return { ...summary, featuredImage: image?.src ?? null, image };
}

/** Visitors learn which service failed; the reason is in the log. */
function buildFailure(error: ArticleSourceError, serviceName: string, requestId: string): Response {
  if (isKeyMissing(error)) {
    return buildProblem('article-service-not-configured', requestId, { detail: 'API key not configured' });
  }
  return buildProblem('article-service-failed', requestId, {
    detail: `Article proxy invocation failed: ${serviceName}`,
    ...(error.retryAfter !== undefined && { headers: { 'retry-after': String(error.retryAfter) } }),
  });
}
