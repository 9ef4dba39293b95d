import type { ListAddress } from './list-address.ts';

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
