import { BLOG_PATH, buildAddress } from '../paths.ts';
import type { ArticleListPage, ArticleSummary, FailedView } from './article.ts';
import type { TextPart } from './mark-words.ts';
import type { SuggestedLink } from './suggest-for-path.ts';

/** Most pages that one address shows; earlier pages are behind a link. */
const MAX_PAGES_SHOWN = 5;

const MAX_PAGE = 9_999;
const MAX_QUERY_LENGTH = 120;

/** The state of the list in its address: `/blog?q=…&page=…`. */
export interface ListAddress {
  /** Trimmed; empty lists all articles. */
  readonly query: string;
  /** From 1. The list shows the pages from `getFirstPage` to this one. */
  readonly page: number;
}

/** What a card shows of an article. */
export interface ListedArticle
  extends Pick<
    ArticleSummary,
    | 'slug'
    | 'address'
    | 'title'
    | 'excerpt'
    | 'featuredImage'
    | 'categories'
    | 'author'
    | 'publishedAt'
    | 'readingTime'
    | 'comparedAt'
  > {
  /** In search results: replaces the excerpt, with the matching words marked. */
  readonly excerptParts?: readonly TextPart[] | undefined;
}

/** A landing page that a search has found. */
export interface FoundPage extends SuggestedLink {
  readonly description: string;
}

/** One page of the list as the browser receives it. The first page of a search has the landing pages as well. */
export interface ListedArticles extends ArticleListPage<ListedArticle> {
  readonly landingPages?: readonly FoundPage[];
}

/** The list as the server read it. `first` is the number of `pages[0]`. */
export type ListState =
  | { readonly kind: 'loaded'; readonly first: number; readonly pages: readonly ListedArticles[] }
  | FailedView
  | { readonly kind: 'not-configured' };

/** Parses the list's query parameters; invalid ones mean the first page of all articles. */
export function parseListAddress(parameters: { get(name: string): string | null }): ListAddress {
  const page = parameters.get('page') ?? '';
  return {
    query: parseSearchText(parameters.get('q') ?? ''),
    page: /^[1-9]\d{0,3}$/.test(page) ? Math.min(Number(page), MAX_PAGE) : 1,
  };
}

export function parseSearchText(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_QUERY_LENGTH).trim();
}

export function buildListPath({ query, page }: ListAddress): string {
  return buildAddress(BLOG_PATH, { q: query, page: page > 1 ? page : undefined });
}

/** Returns the first of the pages that an address shows. */
export function getFirstPage({ page }: ListAddress): number {
  return Math.max(1, page - MAX_PAGES_SHOWN + 1);
}

/** Builds the id of the first card of a later page, the target of *Load More Articles*. */
export function buildPageAnchor(page: number): string {
  return `more-${page}`;
}

/** The names that titles of the list's pages consist of. */
export interface ListNames {
  /** Of the list of all articles. */
  readonly hub: string;
  readonly site: string;
}

/** Builds the document title of a page of the list: all articles, or a search. */
export function buildListTitle({ query, page }: ListAddress, { hub, site }: ListNames): string {
  const subject = query === '' ? hub : `Articles about ${query}`;
  return `${subject}${buildPageSuffix(page)} | ${site}`;
}

/** Builds the end of the title of a page that is not the first; empty for that. */
export function buildPageSuffix(page: number): string {
  return page > 1 ? `, page ${page}` : '';
}
