import type { Article, ArticleListPage, ArticleSummary } from './article.ts';
import type { ArticleListQuery } from './article-source.ts';

/** A page of the source's list: which articles are on it, in which order. */
export interface StoredPage extends ArticleListQuery {
  readonly slugs: readonly string[];
  readonly hasMore: boolean;
}

/** A stored article without its body, and the version of the body. */
export interface StoredSummary {
  readonly summary: ArticleSummary;
  /** `updatedAt` of the article that the stored body belongs to; null: no body is stored. */
  readonly bodyVersion: string | null;
}

/**
 * Where the last good copies of articles outlive the process. Every adapter passes the contract suite
 * `test/contract/article-cache-store.ts`. A rejection means that the store cannot read or write right now.
 */
export interface ArticleCacheStore {
  /** Every stored article, newest first. */
  readSummaries(): Promise<readonly StoredSummary[]>;
  /** null: the article or its body is not stored. */
  readArticle(slug: string): Promise<Article | null>;
  /** At most `count` articles with bodies whose slugs come after `slug`, in order of slug; empty after the last. */
  readArticlesAfter(slug: string, count: number): Promise<readonly Article[]>;
  /** Stores summaries and whole articles; a summary leaves the stored body as it is. */
  write(items: readonly (ArticleSummary | Article)[]): Promise<void>;
  remove(slug: string): Promise<void>;
  /** The stored pages; the page written last comes last. */
  readPages(): Promise<readonly StoredPage[]>;
  writePage(page: StoredPage): Promise<void>;
  /** Whether every page of the source has been read once. */
  readIsComplete(): Promise<boolean>;
  writeIsComplete(): Promise<void>;
  /** Removes the oldest articles and pages until no limit is exceeded; returns the removed slugs. */
  prune(bounds: CacheBounds): Promise<readonly string[]>;
  /** Whether another process has written since the last call; then everything has to be read again. */
  takeForeignChange(): Promise<boolean>;
  close(): Promise<void>;
}

export interface CacheBounds {
  readonly maxArticles: number;
  readonly maxPages: number;
  /** Of all bodies together. */
  readonly maxBytes: number;
}

/** Whether an item of a list is a whole article. */
export function isArticle(item: ArticleSummary | Article): item is Article {
  return 'content' in item;
}

/** Builds the summary of an article: everything but its body. */
export function buildSummary(item: ArticleSummary | Article): ArticleSummary {
  if (!isArticle(item)) return item;
  const { content: _, contents: __, splitAt: ___, ...summary } = item;
  return summary;
}

/** Cuts one page out of a list. */
export function slicePage(
  summaries: readonly ArticleSummary[],
  { page, limit }: ArticleListQuery,
): ArticleListPage {
  const end = page * limit;
  return { articles: summaries.slice(end - limit, end), hasMore: summaries.length > end };
}
