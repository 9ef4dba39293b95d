import type { ArticleListPage, ArticleSummary } from '../../core/articles/article.ts';
import { buildSummary } from '../../core/articles/article-cache-store.ts';
import {
  type ArticleProxyRequest,
  parseArticleProxyRequest,
} from '../../core/articles/article-proxy-request.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import { createJsonPost, type JsonPostOptions } from '../http/json-post.ts';
import { buildJsonResponse } from '../http/json-response.ts';
import { buildProblem } from '../http/problem.ts';
import type { Handler } from '../http/route.ts';

/** What the article proxy endpoints read, and the service that their messages name. */
export interface ArticleProxyOptions extends JsonPostOptions {
  readonly articles: ArticleSource;
  /** Name of the article service in messages. */
  readonly serviceName: string;
}

const ABSENT_DETAIL = "The article you're looking for doesn't exist.";

/**
 * Creates the handler of `POST /functions/{service}-proxy` and `-cdn-proxy`: the body is `{path, method: "GET"}`. Both
 * read through the same cache, which tries the two addresses of the service.
 */
export function createArticleProxy(options: ArticleProxyOptions): Handler {
  return createJsonPost(options, async (body, { env: { requestId } }) => {
    const request = parseArticleProxyRequest(body);
    if (typeof request === 'string') {
      return buildProblem('invalid-request', requestId, { detail: request });
    }
    try {
      const found = await read(options.articles, request);
      if (found) return buildJsonResponse(found);
      return buildProblem('not-found', requestId, { detail: ABSENT_DETAIL });
    } catch (error) {
      if (error instanceof ArticleSourceError) return buildFailure(error, options.serviceName, requestId);
      throw error;
    }
  });
}

async function read(
  articles: ArticleSource,
  request: ArticleProxyRequest,
): Promise<(ArticleSummary & { readonly content: string }) | ArticleListPage | null> {
  if (request.kind === 'absent') return null;
  if (request.kind === 'detail') {
    const article = await articles.get(request.slug);
    return article && { ...buildSummary(article), content: article.content };
  }
  const page = request.kind === 'list' ? await articles.list(request) : await articles.search(request);
  return { ...page, articles: page.articles.map(buildSummary) };
}

/** Visitors learn which service failed; the reason is in the log. */
function buildFailure(error: ArticleSourceError, serviceName: string, requestId: string): Response {
  if (error.code === 'not-configured' || error.code === 'unauthorized') {
    return buildProblem('article-service-not-configured', requestId, { detail: 'API key not configured' });
  }
  return buildProblem('article-service-failed', requestId, {
    detail: `Article proxy invocation failed: ${serviceName}`,
    ...(error.retryAfter !== undefined && { headers: { 'retry-after': String(error.retryAfter) } }),
  });
}
