import { type ArticleListQuery, ArticleSourceError } from '../../core/articles/article-source.ts';
import { HttpError } from '../http/http-get.ts';

/** Items of a list as a service has them. */
export interface ItemPage {
  readonly items: readonly unknown[];
  readonly hasMore: boolean;
}

/** Reads one page of a service's list. Rejects with `ArticleSourceError`. */
export type ReadItems = (query: ArticleListQuery) => Promise<ItemPage>;

/**
 * Reads a page of a list. When the response is too large, the same items are read in smaller pages; an item that is too
 * large alone is read by `readOutline`, without its body.
 */
export async function readInParts(
  query: ArticleListQuery,
  readItems: ReadItems,
  readOutline: ReadItems,
): Promise<ItemPage> {
  try {
    return await readItems(query);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    const { page, limit } = query;
    if (limit === 1) return readOutline(query);
    const count = findSmallestDivisor(limit);
    const items: unknown[] = [];
    for (let part = (page - 1) * count + 1; part <= page * count; part++) {
      const found = await readInParts({ page: part, limit: limit / count }, readItems, readOutline);
      items.push(...found.items);
      if (!found.hasMore) return { items, hasMore: false };
    }
    return { items, hasMore: true };
  }
}

/** Reads one article; when the response is too large, its outline. */
export async function readOrOutline<T>(read: () => Promise<T>, readOutline: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    return readOutline();
  }
}

function isTooLarge(error: unknown): boolean {
  return (
    error instanceof ArticleSourceError &&
    error.cause instanceof HttpError &&
    error.cause.code === 'too-large'
  );
}

/** Above 1, so that the parts have equal size and begin where a page begins. */
function findSmallestDivisor(number: number): number {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return divisor;
  return number;
}
