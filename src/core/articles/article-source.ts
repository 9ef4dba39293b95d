import type { Article, ArticlePage } from './article.ts';

/** Where articles come from. One contract suite (`test/contract/article-source.ts`) holds every adapter to this. */
export interface ArticleSource {
  /** Newest first; `page` from 1. */
  list(query: { readonly page: number; readonly limit: number }): Promise<ArticlePage>;
  /** Best match first. Blank `text` lists. */
  search(query: {
    readonly text: string;
    readonly page: number;
    readonly limit: number;
  }): Promise<ArticlePage>;
  /** null: it does not exist. A rejection (`ArticleSourceError`): could not know. */
  get(slug: string): Promise<Article | null>;
}

/** Closed list of reasons; `not-configured` leads to the connect screen, the others to an error with Retry. */
export type ArticleSourceErrorCode =
  | 'not-configured'
  | 'unreachable'
  | 'timeout'
  | 'rate-limited'
  | 'unauthorized'
  | 'bad-answer'
  | 'failed';

export class ArticleSourceError extends Error {
  /**
   * By name: pages are built into one bundle and the server's own files run as they are, so this class exists
   * twice in one process, and an error of the one has to be known to the other.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ArticleSourceError';
  }
  readonly code: ArticleSourceErrorCode;
  /** Seconds the source asked to wait (Retry-After), when it did. */
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
