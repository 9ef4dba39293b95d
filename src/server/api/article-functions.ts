import type { Article, ArticlePage } from '../../core/articles/article.ts';
import { buildCard } from '../../core/articles/article-cache-store.ts';
import { type ArticleRequest, parseArticleRequest } from '../../core/articles/article-request.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import { createJsonPost, type JsonPostOptions } from '../http/json-post.ts';
import type { HttpAnswer, HttpHandler } from '../http/message.ts';
import { buildProblem } from '../http/problem.ts';

export interface ArticleFunctionOptions extends JsonPostOptions {
  readonly articles: ArticleSource;
  /** What messages call the article service. */
  readonly serviceName: string;
}

/**
 * `POST /functions/{service}-proxy` and `-cdn-proxy`: take `{path, method: "GET"}` and answer from the chosen
 * source. Both read through the one cache, which asks the service's own two addresses one after the other.
 */
export function createArticleFunction(options: ArticleFunctionOptions): HttpHandler {
  return createJsonPost(options, async (body, call) => {
    const request = parseArticleRequest(body);
    if (typeof request === 'string') {
      return buildProblem('invalid-request', call.requestId, { detail: request });
    }
    try {
      const found = await read(options.articles, request);
      return found ? answer(found) : buildProblem('not-found', call.requestId, { detail: NO_ARTICLE });
    } catch (error) {
      if (error instanceof ArticleSourceError)
        return buildFailure(error, options.serviceName, call.requestId);
      throw error;
    }
  });
}

const NO_ARTICLE = "The article you're looking for doesn't exist.";

async function read(articles: ArticleSource, request: ArticleRequest): Promise<Article | ArticlePage | null> {
  if (request.kind === 'absent') return null;
  if (request.kind === 'detail') return articles.get(request.slug);
  const page = request.kind === 'list' ? await articles.list(request) : await articles.search(request);
  return { ...page, articles: page.articles.map(buildCard) };
}

/** The source's own words stay in the log; a visitor hears which service failed. */
function buildFailure(error: ArticleSourceError, serviceName: string, requestId: string): HttpAnswer {
  if (error.code === 'not-configured' || error.code === 'unauthorized') {
    return buildProblem('article-service-not-configured', requestId, { detail: 'API key not configured' });
  }
  return buildProblem('article-service-failed', requestId, {
    detail: `Article proxy invocation failed: ${serviceName}`,
    ...(error.retryAfter !== undefined && { headers: { 'retry-after': String(error.retryAfter) } }),
  });
}

function answer(body: object): HttpAnswer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}
