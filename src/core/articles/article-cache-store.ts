import type { Article, ArticleCard } from './article.ts';

/** A list page as it is kept: which articles, in which order. */
export interface StoredPage {
  /** `{page}:{limit}`. */
  readonly key: string;
  readonly slugs: readonly string[];
  readonly hasMore: boolean;
}

/** A card, and of which version of the article the body is kept. */
export interface StoredCard {
  readonly card: ArticleCard;
  /** `updatedAt` of the kept body; null: none is kept. */
  readonly bodyOf: string | null;
}

/**
 * Where the last good copies of articles outlive the process. One contract suite holds every adapter to this
 * (`test/contract/article-cache-store.ts`). Rejections mean that it cannot keep or read right now.
 */
export interface ArticleCacheStore {
  /** Every kept card, newest first. */
  readCards(): Promise<readonly StoredCard[]>;
  readArticle(slug: string): Promise<Article | null>;
  /** Kept articles with bodies after `slug`, by slug, at most `count`; empty: there are no more. */
  readArticlesAfter(slug: string, count: number): Promise<readonly Article[]>;
  /** Keeps cards and whole articles; a card keeps the body that is there. */
  write(items: readonly (ArticleCard | Article)[]): Promise<void>;
  remove(slug: string): Promise<void>;
  readPages(): Promise<readonly StoredPage[]>;
  writePage(page: StoredPage): Promise<void>;
  /** A fact about the whole, by name. */
  readFact(name: string): Promise<string | null>;
  writeFact(name: string, value: string): Promise<void>;
  /** Drops the oldest articles and the pages written longest ago past these bounds; resolves with the slugs dropped. */
  prune(bounds: {
    readonly articles: number;
    readonly pages: number;
    /** Of all bodies together. */
    readonly bytes: number;
  }): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Whether a listed item is a whole article. */
export function isWholeArticle(item: ArticleCard | Article): item is Article {
  return 'content' in item;
}

/** Builds the card of an article: everything but its body. */
export function buildCard(article: ArticleCard | Article): ArticleCard {
  if (!isWholeArticle(article)) return article;
  const { content: _, ...card } = article;
  return card;
}
