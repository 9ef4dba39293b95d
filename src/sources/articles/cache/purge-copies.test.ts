import { beforeEach, expect, it } from 'vitest';
import { buildTestArticle } from '../../../../test/contract/article-cache-store.ts';
import type { Article } from '../../../core/articles/article.ts';
import { type ArticleSource, ArticleSourceError } from '../../../core/articles/article-source.ts';
import { type ArticleCacheStore, buildSummary } from '../../../stores/article-copies.ts';
import type { ChangedArticle } from '../article-finder.ts';
import { createMemoryArticleStore } from './memory-article-cache-store.ts';
import { purgeCopies } from './purge-copies.ts';

const DOWN = new ArticleSourceError('unreachable', '[articles:test] unreachable');

let served: Article[];
let failing: Set<string>;
let isDown: boolean;
let store: ArticleCacheStore;

const source: ArticleSource = {
  list: async () => {
    if (isDown) throw DOWN;
    return { articles: served.map(buildSummary), hasMore: false };
  },
  search: () => expect.fail('a purge searches nothing'),
  get: async (slug) => {
    if (isDown || failing.has(slug)) throw DOWN;
    return served.find((article) => article.slug === slug) ?? null;
  },
};

async function purge(slug: string | null, isForced = false) {
  const purged: [slug: string, outcome: string][] = [];
  for await (const copy of purgeCopies({ source, store, slug, isForced }))
    purged.push([copy.slug, copy.outcome]);
  return purged;
}
const readContent = async (slug: string) => (await store.readArticle(slug))?.content ?? null;

beforeEach(async () => {
  served = ['a', 'b', 'c'].map((slug, index) => buildTestArticle(slug, 3 - index, { content: 'new' }));
  failing = new Set();
  isDown = false;
  store = createMemoryArticleStore();
  await store.write(['a', 'b', 'c'].map((slug, index) => buildTestArticle(slug, 3 - index)));
});

it('replaces the copy of one article, although its version is the same, and leaves the others alone', async () => {
  expect(await purge('b')).toEqual([['b', 'replaced']]);
  expect(await Promise.all(['a', 'b', 'c'].map(readContent))).toEqual([
    '<p>Body of a</p>',
    'new',
    '<p>Body of c</p>',
  ]);
});

it('replaces all copies and removes those of articles that the source no longer has', async () => {
  served = served.filter(({ slug }) => slug !== 'c');
  expect(await purge(null)).toEqual([
    ['a', 'replaced'],
    ['b', 'replaced'],
    ['c', 'gone at the source'],
  ]);
  expect(await Promise.all(['a', 'b', 'c'].map(readContent))).toEqual(['new', 'new', null]);
});

it.each([
  ['is down', () => (isDown = true)],
  ['lists no article', () => (served = [])],
])('changes no copy when the source %s', async (_, begin) => {
  begin();
  await expect(purge(null)).rejects.toBeInstanceOf(ArticleSourceError);
  expect(await Promise.all(['a', 'b', 'c'].map(readContent))).not.toContain(null);
});

it('leaves copies that cannot be read, and removes them when it is forced', async () => {
  failing.add('a');
  expect(await purge('a')).toEqual([['a', 'unchanged']]);
  expect(await purge(null)).toEqual([
    ['a', 'unchanged'],
    ['b', 'replaced'],
    ['c', 'replaced'],
  ]);
  expect(await readContent('a')).toBe('<p>Body of a</p>');
  expect(await purge('a', true)).toEqual([['a', 'removed']]);
  isDown = true;
  expect((await purge(null, true)).map(([, outcome]) => outcome)).toEqual(['removed', 'removed']);
  expect(await store.readSummaries()).toEqual([]);
});

it('gives a stored search the new text of each copy that it replaces, and nothing of the others', async () => {
  const texts: unknown[] = [];
  const search = {
    put: async (changed: readonly ChangedArticle[]) => {
      texts.push(...changed.map(({ summary, text }) => [summary.slug, text]));
    },
  };
  failing.add('a');
  served = served.filter(({ slug }) => slug !== 'c');
  for await (const _ of purgeCopies({ source, store, search, slug: null, isForced: false }));
  expect(texts).toEqual([['b', 'new']]);
});
