import {
  ARTICLES_PER_PAGE,
  type Article,
  type ArticleSummary,
  type UnpublishedArticle,
} from '../../core/articles/article.ts';
import type { ArticleSource } from '../../core/articles/article-source.ts';

/** Called with the slug of a known article that has a new version or is removed. */
export type ArticleChangeListener = (slug: string, change: 'updated' | 'removed') => void;

/** How the article source is doing, in numbers. */
export interface ArticleCounts {
  /** Articles that can be listed. */
  readonly known: number;
  /** Articles of the source that the site leaves out. */
  readonly skipped: number;
  /** Failed rounds of calls in a row; 0: the source works. */
  readonly failures: number;
  /** Seconds since 1970; 0: the source was never read. */
  readonly lastSuccess: number;
}

/** The articles of the site, whatever source they come from. */
export interface Articles extends ArticleSource {
  /** Finds the present slug of an article that once had another one; null: no article had this slug. */
  findMoved(slug: string): Promise<string | null>;
  /** Returns every known article, newest first, without calling the source. */
  getSummaries(): readonly ArticleSummary[];
  /** Resolves when searches find every article that is known at the start. */
  waitForSearch(): Promise<void>;
  /** Finds the articles that share the most key terms with one, best first. */
  findRelated(slug: string, limit: number): Promise<readonly ArticleSummary[]>;
  /** Reads an unpublished article; null when the preview token is wrong or there is no such file. */
  preview(slug: string, token: string): Promise<Article | null>;
  /** Returns drafts and articles of a later day; empty for sources that do not show them to the site. */
  getUnpublished(): readonly UnpublishedArticle[];
  /** Lists what operators should know although readers notice nothing, such as a failing source. */
  readWarnings(): readonly string[];
  /** Lists the reasons why there are no articles to show; empty when there are some, or the source is empty. */
  readProblems(): readonly string[];
  /** Returns the numbers that the metrics show. */
  getCounts(): ArticleCounts;
  /** Calls a function when a known article has a new version or is removed. */
  onChange(listener: ArticleChangeListener): void;
  /** Stops work in the background and releases threads and files. */
  close(): Promise<void>;
}

/**
 * Reads every known article, newest first. Rejects with `ArticleSourceError` when none is known and the source fails.
 */
export async function readSummaries(articles: Articles): Promise<readonly ArticleSummary[]> {
  if (articles.getSummaries().length === 0) await articles.list({ page: 1, limit: ARTICLES_PER_PAGE });
  return articles.getSummaries();
}
