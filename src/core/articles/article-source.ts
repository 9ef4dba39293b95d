import type { Article, ArticleListPage } from './article.ts';

/** Which articles of a list: one page of them. */
export interface ArticleListQuery {
  /** From 1. */
  readonly page: number;
  /** Articles on a page. */
  readonly limit: number;
}

/** What to search for, and which page of the results. */
export interface ArticleSearchQuery extends ArticleListQuery {
  readonly text: string;
}

/** Which version of an article a source has. */
export interface ArticleVersion {
  readonly slug: string;
  /** ISO 8601 instant; equal to `updatedAt` of the article. */
  readonly updatedAt: string;
}

/** One page of the versions of a source's articles. */
export interface ArticleVersionPage {
  readonly versions: readonly ArticleVersion[];
  readonly hasMore: boolean;
}

/** Where articles come from. Every adapter passes the contract suite `test/contract/article-source.ts`. */
export interface ArticleSource {
  /** Lists articles, newest first. */
  list(query: ArticleListQuery): Promise<ArticleListPage>;
  /** Finds articles, best match first. A blank `text` lists. */
  search(query: ArticleSearchQuery): Promise<ArticleListPage>;
  /** Resolves with null when the article does not exist; rejects when the source cannot know. */
  get(slug: string): Promise<Article | null>;
  /**
   * Lists the version of every article without its content, `VERSIONS_PER_PAGE` a page, so that changes and deletions
   * of old articles are found with few calls. Missing: the source cannot do it.
   */
  listVersions?(page: number): Promise<ArticleVersionPage>;
  /**
   * Finds the present slug of an article that once had another one; null: the source knows of none. Missing: it
   * remembers no former slugs.
   */
  findMoved?(slug: string): Promise<string | null>;
}

/** The largest page that Ghost and WordPress allow. */
export const VERSIONS_PER_PAGE = 100;

/** Why a source failed: `not-configured` leads to the connect screen, every other code to an error with Retry. */
export type ArticleSourceErrorCode =
  | 'not-configured'
  | 'unreachable'
  | 'timeout'
  | 'rate-limited'
  | 'unauthorized'
  | 'bad-response'
  | 'failed';

/** Seconds after which to try again when it is not known when that can work. */
export const RETRY_SECONDS = 5;

/** The error of the `ArticleSource` port. The message contains nothing that the source responded. */
export class ArticleSourceError extends Error {
  readonly code: ArticleSourceErrorCode;
  /** Seconds to wait before the next attempt (Retry-After), when that is known. */
  readonly retryAfter: number | undefined;
  constructor(
    code: ArticleSourceErrorCode,
    message: string,
    options?: ErrorOptions & { retryAfter?: number },
  ) {
    super(message, options);
    this.name = 'ArticleSourceError';
    this.code = code;
    this.retryAfter = options?.retryAfter;
  }
}
