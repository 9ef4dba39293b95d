import { beforeEach, expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import type { Article } from '../../core/articles/article.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import { ArticleCopies, buildSummary } from '../../stores/article-copies.ts';
import { ArticleSearch } from '../../stores/article-search.ts';
import { openMemoryExecutor } from '../../stores/sql/node-sqlite/memory-executor.ts';
import type { SqlExecutor } from '../../stores/sql/sql-executor.ts';
import { purgeCopies } from './purge-articles.ts';

const DOWN = new ArticleSourceError('unreachable', '[articles:test] unreachable');

let served: Article[];
let failing: Set<string>;
let isDown: boolean;
/** The source lists articles and has none of them. */
let isEmptied: boolean;
let database: SqlExecutor;
let copies: ArticleCopies;

const source: ArticleSource = {
  list: async () => {
    if (isDown) throw DOWN;
    return { articles: served.map(buildSummary), hasMore: false };
  },
  search: () => expect.fail('a purge searches nothing'),
  get: async (slug) => {
    if (isDown || failing.has(slug)) throw DOWN;
    return isEmptied ? null : (served.find((article) => article.slug === slug) ?? null);
  },
};

async function purge(slug: string | null, isForced = false) {
  const purged: [slug: string, outcome: string][] = [];
  for await (const copy of purgeCopies(source, database, slug, isForced))
    purged.push([copy.slug, copy.outcome]);
  return purged;
}
const readContent = async (slug: string) => (await copies.readArticle(slug))?.content ?? null;

beforeEach(async () => {
  served = ['a', 'b', 'c'].map((slug, index) => buildTestArticle(slug, 3 - index, { content: 'new' }));
  failing = new Set();
  isDown = false;
  isEmptied = false;
  database = openMemoryExecutor('articles');
  copies = new ArticleCopies(database);
  await copies.write(['a', 'b', 'c'].map((slug, index) => buildTestArticle(slug, 3 - index)));
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
  ['does not have what it lists', () => (isEmptied = true)],
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
  expect(await copies.readSummaries()).toEqual([]);
});

it('brings the new text of each copy that it replaces into the search, and nothing of the others', async () => {
  failing.add('a');
  served = served.filter(({ slug }) => slug !== 'c');
  await purge(null);
  const { slugs } = await new ArticleSearch(database).search({ text: 'new', page: 1, limit: 9 });
  expect(slugs).toEqual(['b']);
});
