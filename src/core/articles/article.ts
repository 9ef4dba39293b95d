import type { TextPart } from './marked-text.ts';

/** One article, whatever source it came from. `content` is sanitised HTML. */
export interface Article {
  readonly id: string;
  /** `[a-z0-9-]+`; the path is `/blog/{slug}`. */
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly featuredImage: ArticleImage | null;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly author: string;
  /** ISO 8601 instants. */
  readonly publishedAt: string;
  readonly updatedAt: string;
  /** Whole minutes, at least 1. */
  readonly readingTime: number;
  readonly content: string;
  readonly seoTitle: string;
  readonly seoDescription: string;
  /** Partner key for the article's call to action; empty: the site's promoted platform. */
  readonly partner: string;
}

/** A picture with the sizes that exist of it. */
export interface ArticleImage {
  readonly src: string;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
  /** `srcset` values by MIME type, best first; empty for images of other hosts. */
  readonly sources: readonly { readonly type: string; readonly srcset: string }[];
}

/** What a list shows of an article: everything but the body. */
export interface ArticleCard extends Omit<Article, 'content'> {
  /** What a search result shows in place of the excerpt, the words that were searched for marked. */
  readonly excerptParts?: readonly TextPart[];
}

export interface ArticlePage {
  readonly articles: readonly ArticleCard[];
  readonly hasMore: boolean;
}

export const ARTICLES_PER_PAGE = 12;
