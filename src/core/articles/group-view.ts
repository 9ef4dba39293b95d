import type { ListedArticle } from './article-list.ts';

/** Whether a list is of a topic (any category) or of a tag. */
export type GroupKind = 'topic' | 'tag';

/** One page of a topic's or tag's articles, newest first. */
export interface FoundGroup {
  readonly kind: 'found';
  readonly group: GroupKind;
  readonly name: string;
  /** What the site says about it; empty when it says nothing. */
  readonly description: string;
  /** Path without a query. */
  readonly path: string;
  readonly count: number;
  readonly page: number;
  readonly lastPage: number;
  readonly articles: readonly ListedArticle[];
}

/** What a topic's or tag's path leads to. */
export type GroupView = FoundGroup | { readonly kind: 'absent' } | { readonly kind: 'failed' };
