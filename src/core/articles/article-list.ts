import type { ArticleCard } from './article.ts';
import type { TextPart } from './marked-text.ts';

/** How many pages of articles one address shows at most; further back is a link. */
const MOST_PAGES_SHOWN = 5;

const LAST_PAGE = 9_999;
const LONGEST_QUERY = 120;

/** What the list's address asks for: `/blog?q=…&page=…`. */
export interface ListAddress {
  /** Trimmed; empty lists all articles. */
  readonly query: string;
  /** From 1. The list shows every page up to this one, see `readFirstPage`. */
  readonly page: number;
}

/** What a card shows of an article. */
export interface ListedArticle
  extends Pick<
    ArticleCard,
    'slug' | 'title' | 'excerpt' | 'featuredImage' | 'categories' | 'author' | 'publishedAt' | 'readingTime'
  > {
  /** Instead of the excerpt: what a search found, its words marked. */
  readonly excerptParts?: readonly TextPart[] | undefined;
}

/** One page of the list as it is handed to the browser. */
export interface ListedPage {
  readonly articles: readonly ListedArticle[];
  readonly hasMore: boolean;
}

/** What the server could find out about the list. `first` is the number of `pages[0]`. */
export type ListState =
  | { readonly kind: 'loaded'; readonly first: number; readonly pages: readonly ListedPage[] }
  | { readonly kind: 'failed' }
  | { readonly kind: 'not-configured' };

/** Parses the list's query parameters; what makes no sense asks for the first page of everything. */
export function parseListAddress(parameters: { get(name: string): string | null }): ListAddress {
  const page = parameters.get('page') ?? '';
  return {
    query: parseSearchText(parameters.get('q') ?? ''),
    page: /^[1-9]\d{0,3}$/.test(page) ? Math.min(Number(page), LAST_PAGE) : 1,
  };
}

/** Trims what was typed; inner blanks count once. */
export function parseSearchText(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_QUERY).trim();
}

/** Builds the path and query of a place in the list. */
export function buildListPath({ query, page }: ListAddress): string {
  const parameters = new URLSearchParams();
  if (query !== '') parameters.set('q', query);
  if (page > 1) parameters.set('page', String(page));
  const text = parameters.toString();
  return text === '' ? '/blog' : `/blog?${text}`;
}

/** The first of the pages that an address shows. */
export function readFirstPage({ page }: ListAddress): number {
  return Math.max(1, page - MOST_PAGES_SHOWN + 1);
}

/** The id of the first card of a later page: where *Load More Articles* leads. */
export function buildPageAnchor(page: number): string {
  return `more-${page}`;
}
