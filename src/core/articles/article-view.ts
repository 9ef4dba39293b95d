import type { Article, ArticleSummary } from './article.ts';
import type { ListedArticle } from './list-address.ts';

/** An article with everything its page shows. */
export interface FoundArticle {
  readonly kind: 'found';
  /** The request had a preview token, so the response is for this visitor only. */
  readonly isPreview: boolean;
  readonly article: Article;
  readonly previous: ArticleSummary | null;
  readonly next: ArticleSummary | null;
  readonly related: readonly ListedArticle[];
}

/**
 * What the page of a slug shows: an article, no article (`absent`), or that the source failed; or that the article has
 * another slug now.
 */
export type ArticleView =
  | FoundArticle
  | { readonly kind: 'moved'; readonly slug: string }
  | { readonly kind: 'absent'; readonly newest: readonly ListedArticle[] }
  | { readonly kind: 'failed' };
