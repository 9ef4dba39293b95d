import type { Article, ArticleCard } from '../core/articles/article.ts';
import type { ArticleSource } from '../core/articles/article-source.ts';

/** The hub's articles, whatever source they come from. */
export interface Articles extends ArticleSource {
  /** Every article that is known, newest first. Without a call to anybody. */
  cards(): readonly ArticleCard[];
  /** The articles that share the most telling words with one; best first. */
  findRelated(slug: string, limit: number): Promise<readonly ArticleCard[]>;
  /** An article that is not published, for who has the preview token; null: the token is wrong, or there is no such file. */
  preview(slug: string, token: string): Promise<Article | null>;
  /** What readers do not notice and operators should know, such as a source that fails behind good copies. */
  readNotes(): readonly string[];
  /** Resolves when the search index knows everything that is held here. */
  readonly filled: Promise<void>;
  /** Stops reading in the background and closes the copies' file. */
  close(): Promise<void>;
}
