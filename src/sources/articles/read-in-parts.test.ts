import { expect, it } from 'vitest';
import { ArticleSourceError } from '../../core/articles/article-source.ts';
import { HttpError } from '../http/http-get.ts';
import { type ReadItems, readInParts } from './read-in-parts.ts';

const COUNT = 250;
const TOO_LARGE = new ArticleSourceError('bad-response', '[articles:test] too large', {
  cause: new HttpError('too-large'),
});

/** Reads numbers; a page with more than `most` of them, or with the number 17, is too large. */
const createReader =
  (most: number): ReadItems =>
  async ({ page, limit }) => {
    const end = page * limit;
    const items = Array.from({ length: COUNT }, (_, index) => index).slice(end - limit, end);
    if (items.length > most || items.includes(17)) throw TOO_LARGE;
    return { items, hasMore: end < COUNT };
  };
const readOutline: ReadItems = async ({ page }) => ({ items: [`outline ${page}`], hasMore: page < COUNT });

it.each([1, 2, 7, 12, 20, 50, 97, 100])(
  'reads every item of pages of %d once and in order',
  async (limit) => {
    for (const most of [1, 3, 100]) {
      const items: unknown[] = [];
      for (let page = 1, hasMore = true; hasMore; page++) {
        const found = await readInParts({ page, limit }, createReader(most), readOutline);
        items.push(...found.items);
        hasMore = found.hasMore;
      }
      expect(items).toEqual(
        Array.from({ length: COUNT }, (_, index) => (index === 17 ? 'outline 18' : index)),
      );
    }
  },
);

it('rejects with the first error when the smallest page is too large without its body too', async () => {
  let calls = 0;
  const read: ReadItems = async () => {
    calls += 1;
    throw TOO_LARGE;
  };
  await expect(readInParts({ page: 1, limit: 12 }, read, read)).rejects.toBe(TOO_LARGE);
  expect(calls).toBe(5);
});
