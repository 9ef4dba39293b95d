import type { ContentImage, FocalPoint } from '../pages/images/content-image.ts';
import type { Update } from '../pages/updates.ts';
import type { Author } from './author.schema.ts';
import type { FrontMatter } from './front-matter.schema.ts';
import type { ListedArticle } from './listed-articles.ts';
import type { TextPart } from './mark-words.ts';

/** One article, whatever source it came from. */
export interface Article {
  readonly id: string;
  /** Words of any script, `_` and `-`; the default path is `/blog/{slug}`, percent-encoded. */
  readonly slug: string;
  /** The path at which visitors read it, when that is another one. */
  readonly address?: string | undefined;
  readonly title: string;
  readonly excerpt: string;
  readonly featuredImage: ArticleImage | null;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly author: string;
  /** ISO 8601 instants. */
  readonly publishedAt: string;
  readonly updatedAt: string;
  /** The order among articles of one day, from 1; left out: after those that have one. */
  readonly position?: number | undefined;
  /** Whole minutes, at least 1. */
  readonly readingTime: number;
  /** Day on which facts were compared with their sources; undefined where the article says none. */
  readonly comparedAt?: string | undefined;
  /** Sanitized HTML. */
  readonly content: string;
  /** The table of contents: the second-level headings of `content`. */
  readonly contents: readonly ContentsEntry[];
  /** Where in `content` a call to action fits, as an offset; its length: nowhere but at the end. */
  readonly splitAt: number;
  readonly seoTitle: string;
  readonly seoDescription: string;
  /** Partner key for the article's call to action; empty: the site's promoted partner. */
  readonly partner: string;
  /** Address of the original on another site, when the article is a copy of it. */
  readonly canonicalUrl?: string | undefined;
  /** Search engines may not list it. */
  readonly noindex?: boolean | undefined;
  /** Title and text where it is shared; empty or left out: those of search results. */
  readonly socialTitle?: string | undefined;
  readonly socialDescription?: string | undefined;
  /** How readers can check it; undefined for articles of other systems. */
  readonly evidence?: ArticleEvidence | undefined;
}

/** What the file of an article says so that readers can check it. */
export interface ArticleEvidence extends Pick<FrontMatter, 'sources' | 'checked'> {
  /** A list of three lines in sanitized HTML; empty without. */
  readonly short: string;
  /** Its log, newest first. */
  readonly updates: readonly Update[];
}

/** A heading of an article, by the id that leads to it, with the headings one level below. */
export interface ContentsEntry {
  readonly id: string;
  readonly text: string;
  readonly children: readonly Omit<ContentsEntry, 'children'>[];
}

/** The featured image of an article: a content image, or one of another host. */
export interface ArticleImage extends ContentImage {
  readonly alt: string;
  /** Default: the center. */
  readonly focus?: FocalPoint | undefined;
  /** true: the source does not say the size, and that of this object is assumed. */
  readonly isUnsized?: boolean | undefined;
  /** Plain text, such as the photographer. */
  readonly caption?: string | undefined;
}

/** An article without its body: what lists, search and neighboring articles need. */
export interface ArticleSummary extends Omit<Article, 'content' | 'contents' | 'splitAt' | 'evidence'> {
  /** In search results: replaces the excerpt, with the matching words marked. */
  readonly excerptParts?: readonly TextPart[];
}

export interface ArticleListPage<Item = ArticleSummary> {
  readonly articles: readonly Item[];
  readonly hasMore: boolean;
}

/** Articles on one page of a list, unless the request asks for another number. */
export const ARTICLES_PER_PAGE = 12;

/** Orders articles newest first, those of one day by position, then newest first again and by slug. */
export function compareNewestFirst(a: ArticleSummary, b: ArticleSummary): number {
  const isOneDay = a.publishedAt.slice(0, 10) === b.publishedAt.slice(0, 10);
  const { position: first = Infinity } = a;
  const { position: second = Infinity } = b;
  if (isOneDay && first !== second) return first - second;
  if (a.publishedAt !== b.publishedAt) return a.publishedAt < b.publishedAt ? 1 : -1;
  return a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0;
}

/** An article that visitors do not see yet. */
export interface UnpublishedArticle {
  readonly title: string;
  /** Its file below the content folder. */
  readonly file: string;
  /** When it is published; ms since 1970, null for a draft. */
  readonly publishAt: number | null;
}

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
  | FailedView;

/** What is shown when the source failed. */
export interface FailedView {
  readonly kind: 'failed';
  /** After which the next attempt can work. */
  readonly retrySeconds: number;
}

/** Finds an author by key or name; articles of other services name their authors, files may do either. */
export function findAuthor(authors: ReadonlyMap<string, Author>, nameOrKey: string): Author | undefined {
  const wanted = nameOrKey.trim().toLowerCase();
  return [...authors.values()].find(({ key, name }) => key === wanted || name.toLowerCase() === wanted);
}

/** Finds the newest test of a product, by its name, that an author has recorded. */
export function findTest(author: Author | undefined, product: string): Author['tests'][number] | undefined {
  const name = product.toLowerCase();
  return author?.tests
    .filter(({ what }) => what.toLowerCase().includes(name))
    .sort((a, b) => b.date.localeCompare(a.date))[0];
}
