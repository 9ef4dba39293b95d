import type { ArticleListPage, ArticleSummary } from '../../core/articles/article.ts';
import type { ArticleSearchQuery } from '../../core/articles/article-source.ts';
import { buildResultExcerpt } from '../../core/articles/mark-words.ts';

/** The words of an article's body, without markup. */
export interface BodyText {
  readonly slug: string;
  readonly text: string;
}

/** The articles that can be searched. */
export interface SearchableArticles {
  getSummary(slug: string): ArticleSummary | null;
  getSummaries(): readonly ArticleSummary[];
  /** The words of a body; empty without a body. */
  readText(slug: string): Promise<string>;
  /** At most `count` texts of the slugs after `slug`, in order of slug; empty after the last. */
  readTextsAfter(slug: string, count: number): Promise<readonly BodyText[]>;
}

/** A new or changed article; `text` null: its text has not changed. */
export interface ChangedArticle {
  readonly summary: ArticleSummary;
  readonly text: string | null;
}

/** Full-text search over articles. `fill` reads all of them in the background; `put` and `remove` follow changes. */
export interface ArticleFinder {
  /** Resolves when the filling in progress has ended. */
  readonly filled: Promise<void>;
  /** Begins to read every article that the index does not have. */
  fill(): void;
  /** Finds articles, best match first, with the matching words marked. */
  search(query: ArticleSearchQuery): Promise<ArticleListPage>;
  /** Finds the articles that share the most key terms with one, best first; at most ten. */
  findRelated(slug: string, limit: number): Promise<readonly ArticleSummary[]>;
  /** Brings articles up to date that the index has in another version. */
  put(articles: readonly ChangedArticle[]): Promise<void>;
  remove(slug: string): void;
}

/** Words beyond this position are not searched: a longer text could stall the event loop while it is indexed. */
export const MAX_TEXT_LENGTH = 100_000;
export const MAX_RELATED = 10;

/**
 * Builds a result of a search. Its excerpt is its own when a match is in it, else a piece of the body; the body is read
 * only then.
 */
export async function buildSearchResult(
  articles: SearchableArticles,
  slug: string,
  matches: ReadonlySet<string>,
): Promise<ArticleSummary | null> {
  const summary = articles.getSummary(slug);
  if (!summary) return null;
  const isMatch = (word: string) => matches.has(word);
  const excerpt = buildResultExcerpt(summary.excerpt, '', isMatch);
  if (excerpt.some(({ match }) => match)) return { ...summary, excerptParts: excerpt };
  const text = (await articles.readText(slug)).slice(0, MAX_TEXT_LENGTH);
  return { ...summary, excerptParts: buildResultExcerpt(summary.excerpt, text, isMatch) };
}
