import type { Article, ArticleCard } from './article.ts';
import type { ListedArticle } from './article-list.ts';
import type { ContentsEntry } from './headings.ts';

/** An article with everything its page shows. */
export interface FoundArticle {
  readonly kind: 'found';
  /** It was asked for with a preview token: nobody else may be shown this answer. */
  readonly isPreview: boolean;
  readonly article: Article;
  readonly contents: readonly ContentsEntry[];
  /** The body up to the call to action in its flow, and after it. */
  readonly body: readonly [before: string, after: string];
  readonly previous: ArticleCard | null;
  readonly next: ArticleCard | null;
  readonly related: readonly ListedArticle[];
}

/** What a slug leads to: `absent`, there is no such article; `failed`, the source could not say. */
export type ArticleView =
  | FoundArticle
  | { readonly kind: 'absent'; readonly newest: readonly ListedArticle[] }
  | { readonly kind: 'failed' };
