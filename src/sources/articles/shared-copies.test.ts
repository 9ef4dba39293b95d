import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { CACHE } from '../../../test/support/article-setup.ts';
import type { Article } from '../../core/articles/article.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import { ArticleCopies, buildSummary } from '../../stores/article-copies.ts';
import { openMemoryExecutor } from '../../stores/sql/node-sqlite/memory-executor.ts';
import type { SqlExecutor } from '../../stores/sql/sql-executor.ts';
import { CachedSource } from './cached-source.ts';

const FRESH_MS = 300_000;
const PAGE = { page: 1, limit: 12 };

let executor: SqlExecutor;
let now = 0;
let served: Article[] = [];
let isDown = false;
let isStoreDown = false;
let calls: string[] = [];
let background: Promise<unknown>[] = [];
const opened: CachedSource[] = [];

const respond = async <T>(call: string, build: () => T): Promise<T> => {
  calls.push(call);
  if (isDown) throw new ArticleSourceError('unreachable', '[articles:test] unreachable');
  return build();
};
const source: ArticleSource = {
  list: ({ page, limit }) =>
    respond(`list ${page}`, () => ({
      articles: served.slice((page - 1) * limit, page * limit).map(buildSummary),
      hasMore: served.length > page * limit,
    })),
  search: () => respond('search', () => ({ articles: [], hasMore: false })),
  get: (slug) => respond(`get ${slug}`, () => served.find((article) => article.slug === slug) ?? null),
};

/** An instance of its own over the shared copies. */
async function open(): Promise<CachedSource> {
  const cached = await CachedSource.open({
    ...CACHE,
    source,
    database: {
      query: (statement) =>
        isStoreDown ? Promise.reject(new Error('store is down')) : executor.query(statement),
      batch: (statements) => executor.batch(statements),
      close: async () => undefined,
    },
    clock: { now: () => now, monotonic: () => now },
    freshMs: FRESH_MS,
    crawlPauseMs: 0,
    keepAlive: (work) => background.push(work),
    onStoreError: () => undefined,
  });
  opened.push(cached);
  return cached;
}

const readSlugs = async (cached: CachedSource) =>
  (await cached.list(PAGE)).articles.map(({ slug }) => slug).join(' ');

/** Lets an instance notice what others have stored. */
async function follow(cached: CachedSource): Promise<void> {
  now += 10_000;
  cached.getSummaries();
  await Promise.all(background);
}

beforeEach(() => {
  executor = openMemoryExecutor('articles');
  now = 1_000_000;
  served = [buildTestArticle('b', 2), buildTestArticle('a', 1)];
  isDown = false;
  isStoreDown = false;
  calls = [];
  background = [];
});
afterEach(async () => {
  await Promise.all(background);
  for (const cached of opened.splice(0)) await cached.close();
  await executor.close();
});

it('one instance reads the source, and the others show what it has stored', async () => {
  const [first, second] = [await open(), await open()];
  await Promise.all([first.crawlWhenDue(), second.crawlWhenDue()]);
  expect(calls.sort()).toEqual(['get a', 'get b', 'list 1']);
  calls = [];
  for (const cached of [first, second]) {
    await follow(cached);
    expect(await readSlugs(cached)).toBe('b a');
    expect((await cached.get('a'))?.content).toBe('<p>Body of a</p>');
    expect((await cached.search({ text: 'body', ...PAGE })).articles).toHaveLength(2);
  }
  expect(calls).toEqual([]);
});

it('reads the source again when the copies are no longer fresh, and only then', async () => {
  const cached = await open();
  await cached.crawlWhenDue();
  served = [buildTestArticle('c', 3), ...served];
  now += FRESH_MS - 1;
  await cached.crawlWhenDue();
  expect(await readSlugs(cached)).toBe('b a');
  now += 1;
  await cached.crawlWhenDue();
  expect(await readSlugs(cached)).toBe('c b a');
});

it('shows an edited article to every instance after the crawl', async () => {
  const [first, second] = [await open(), await open()];
  await first.crawlWhenDue();
  await follow(second);
  await second.get('a');
  const updatedAt = '2027-01-01T00:00:00.000Z';
  served = [buildTestArticle('b', 2), buildTestArticle('a', 1, { content: '<p>Edited</p>', updatedAt })];
  now += FRESH_MS;
  await first.crawlWhenDue();
  await follow(second);
  expect((await second.get('a'))?.content).toBe('<p>Edited</p>');
});

it('a new instance shows everything while the source is down, for as long as that lasts', async () => {
  await (await open()).crawlWhenDue();
  isDown = true;
  const cached = await open();
  for (let hour = 0; hour < 50; hour++) {
    now += 3_600_000;
    await cached.crawlWhenDue();
    expect(await readSlugs(cached)).toBe('b a');
    expect((await cached.get('a'))?.slug).toBe('a');
  }
  await expect(cached.get('unknown')).rejects.toMatchObject({ code: 'unreachable' });
});

it('crawls again a minute after a failed crawl, and a quarter of an hour after one that never ended', async () => {
  const cached = await open();
  isDown = true;
  await cached.crawlWhenDue();
  isDown = false;
  now += 59_999;
  await cached.crawlWhenDue();
  expect(calls).toEqual(['list 1']);
  now += 1;
  expect(await new ArticleCopies(executor).takeCrawl(now)).toBe(0);
  await cached.crawlWhenDue();
  expect(calls).toEqual(['list 1']);
  now += 900_000;
  await cached.crawlWhenDue();
  expect(await readSlugs(cached)).toBe('b a');
});

it('writes nothing when nothing has changed, so that other instances have nothing to read again', async () => {
  const cached = await open();
  const readWrites = async () =>
    (await executor.query({ sql: 'SELECT writes FROM source_state' }))[0]?.['writes'];
  await cached.crawlWhenDue();
  const writes = await readWrites();
  // Long enough for a crawl of everything.
  now += 3_600_000;
  await cached.crawlWhenDue();
  expect([await readWrites(), calls.filter((call) => call === 'list 1').length]).toEqual([writes, 2]);
});

it('asks the source for an article that has no copy, and stores it for all', async () => {
  const [first, second] = [await open(), await open()];
  await first.crawlWhenDue();
  served = [buildTestArticle('c', 3), ...served];
  expect((await first.get('c'))?.slug).toBe('c');
  await follow(second);
  isDown = true;
  expect((await second.get('c'))?.slug).toBe('c');
});

it('believes that an article is gone only at the second call', async () => {
  const cached = await open();
  await cached.crawlWhenDue();
  served = served.slice(0, 1);
  now += 20_000;
  expect((await cached.get('a'))?.slug).toBe('a');
});

it('shows the copies once a store that failed at the start can be read', async () => {
  await (await open()).crawlWhenDue();
  isStoreDown = true;
  isDown = true;
  const cached = await open();
  await expect(cached.list(PAGE)).rejects.toMatchObject({ code: 'unreachable' });
  isStoreDown = false;
  await follow(cached);
  expect(await readSlugs(cached)).toBe('b a');
});

it('keeps the copies of its source and removes those of another', async () => {
  await new ArticleCopies(executor).removeOthers('ghost');
  await (await open()).crawlWhenDue();
  await new ArticleCopies(executor).removeOthers('ghost');
  expect(await readSlugs(await open())).toBe('b a');
  await new ArticleCopies(executor).removeOthers('wordpress');
  isDown = true;
  await expect((await open()).list(PAGE)).rejects.toMatchObject({ code: 'unreachable' });
});
