import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

let now = 0;
let served: Article[] = [];
let failure: Error | null = null;
let calls: string[] = [];
/** Copies that outlive the caches of a test. */
let database: SqlExecutor;
let cached: CachedSource;
const changes = vi.fn();

const respond = async <T>(call: string, build: () => T): Promise<T> => {
  calls.push(call);
  await Promise.resolve();
  if (failure) throw failure;
  return build();
};
const source: ArticleSource = {
  list: ({ page, limit }) =>
    respond(`list ${page}:${limit}`, () => ({
      articles: served.slice((page - 1) * limit, page * limit).map(buildSummary),
      hasMore: served.length > page * limit,
    })),
  search: ({ text }) =>
    respond(`search ${text}`, () => ({
      articles: served.filter(({ title }) => title.includes(text)).map(buildSummary),
      hasMore: false,
    })),
  get: (slug) => respond(`get ${slug}`, () => served.find((article) => article.slug === slug) ?? null),
};
/** Opens the source over the served articles; its time is `now` unless the clock of the machine is asked for. */
const create = (given: Partial<Parameters<typeof CachedSource.open>[0]> = {}) =>
  CachedSource.open({
    ...CACHE,
    source,
    database,
    freshMs: FRESH_MS,
    onBreakerChange: changes,
    clock: { now: () => now, monotonic: () => now },
    ...given,
  });
const CRAWL = { random: () => 0, crawlPauseMs: 0, onStoreError: () => undefined } as const;
/** Lets refreshes in the background end. */
const settle = () => setTimeout(5);
const readSlugs = async () => (await cached.list(PAGE)).articles.map(({ slug }) => slug).join(' ');

beforeEach(async () => {
  now = 1_000;
  served = [buildTestArticle('b', 2), buildTestArticle('a', 1)];
  failure = null;
  calls = [];
  changes.mockClear();
  database = { ...openMemoryExecutor('articles'), close: async () => undefined };
  cached = await create();
});
afterEach(() => cached.close());

it('returns a fresh copy for five minutes without a call', async () => {
  await cached.list(PAGE);
  await cached.get('a');
  now += FRESH_MS - 1;
  await cached.list(PAGE);
  await cached.get('a');
  expect(calls).toEqual(['list 1:12', 'get a']);
});

it('makes one call for fifty requests at the same time', async () => {
  const articles = await Promise.all(Array.from({ length: 50 }, () => cached.get('a')));
  expect(articles.every((article) => article?.slug === 'a')).toBe(true);
  await Promise.all(Array.from({ length: 50 }, () => cached.list(PAGE)));
  expect(calls).toEqual(['get a', 'list 1:12']);
});

it('returns a stale copy at once and refreshes it with one call in the background', async () => {
  await readSlugs();
  now += FRESH_MS + 1;
  served = [buildTestArticle('c', 3), ...served];
  expect(await Promise.all([readSlugs(), readSlugs(), readSlugs()])).toEqual(['b a', 'b a', 'b a']);
  await settle();
  expect(await readSlugs()).toBe('c b a');
  expect(calls).toEqual(['list 1:12', 'list 1:12']);
});

it('refreshes at most four of a hundred stale articles at the same time, and all of them in the end', async () => {
  served = Array.from({ length: 100 }, (_, index) => buildTestArticle(`a${index}`, 100 - index));
  for (const { slug } of served) {
    await cached.get(slug);
    now += 100;
  }
  now += FRESH_MS + 1;
  calls = [];
  const readAll = () => Promise.all(served.map(({ slug }) => cached.get(slug)));
  await readAll();
  expect(calls).toHaveLength(4);
  for (let round = 0; round < 25; round++) {
    now += 1_001;
    await readAll();
    await settle();
  }
  expect(new Set(calls).size).toBe(100);
});

it('returns stale copies for as long as the source fails', async () => {
  await readSlugs();
  await cached.get('a');
  failure = new ArticleSourceError('timeout', '[articles:test] timeout');
  for (let hours = 0; hours < 100; hours++) {
    now += 3_600_000;
    expect(await readSlugs()).toBe('b a');
    expect((await cached.get('a'))?.content).toBe('<p>Body of a</p>');
    await settle();
  }
  expect(cached.getStatus()).toMatchObject({ lastError: { code: 'timeout' }, articles: 2, bodies: 1 });
  failure = null;
  served = [buildTestArticle('c', 3)];
  now += 3_600_000;
  await readSlugs();
  await settle();
  expect(await readSlugs()).toBe('c');
  expect(changes.mock.calls.filter(([{ failures }]) => failures <= 1)).toHaveLength(2);
});

it('returns copies after a restart, also for pages that were never requested', async () => {
  served = Array.from({ length: 5 }, (_, index) => buildTestArticle(`a${index}`, 9 - index));
  await cached.list({ page: 1, limit: 3 });
  await cached.list({ page: 2, limit: 3 });
  await cached.get('a1');
  failure = new ArticleSourceError('unreachable', '[articles:test] unreachable');
  cached = await create();
  expect(await readSlugs()).toBe('a0 a1 a2 a3 a4');
  expect((await cached.list({ page: 2, limit: 3 })).articles.map(({ slug }) => slug)).toEqual(['a3', 'a4']);
  expect((await cached.get('a1'))?.slug).toBe('a1');
  await expect(cached.get('a2')).rejects.toMatchObject({ code: 'unreachable' });
  expect((await cached.search({ text: 'a3', page: 1, limit: 3 })).articles[0]?.slug).toBe('a3');
});

it('rejects with the error of the source when there is no copy', async () => {
  failure = new ArticleSourceError('not-configured', '[articles:test] API key not configured');
  await expect(cached.list(PAGE)).rejects.toThrow('API key not configured');
  await expect(cached.get('a')).rejects.toThrow('API key not configured');
  await expect(cached.search({ text: 'x', page: 1, limit: 1 })).rejects.toThrow('API key not configured');
});

it('remembers for 30 seconds that an article does not exist', async () => {
  expect(await cached.get('none')).toBeNull();
  expect(await cached.get('none')).toBeNull();
  now += 30_001;
  served = [buildTestArticle('none')];
  expect(await cached.get('none')).toBeNull();
  await settle();
  expect((await cached.get('none'))?.slug).toBe('none');
  expect(calls).toEqual(['get none', 'get none']);
});

it('limits the calls for 10,000 articles and searches without a copy', async () => {
  const requests = Array.from({ length: 10_000 }, (_, index) =>
    cached.get(`x-${index}`).catch(() => 'refused'),
  );
  const refused = (await Promise.all(requests)).filter((result) => result === 'refused').length;
  for (let index = 0; index < 1_000; index++)
    await cached.search({ text: `q${index}`, ...PAGE }).catch(() => null);
  expect(calls.length).toBeLessThanOrEqual(60);
  expect(refused).toBeGreaterThanOrEqual(9_940);
  now += 1_000;
  expect(await cached.get('b')).not.toBeNull();
});

it('lists what it knows while the list of the source is empty, and what is new afterwards', async () => {
  await readSlugs();
  const before = served;
  served = [];
  for (let count = 0; count < 3; count++) {
    now += FRESH_MS + 1;
    await readSlugs();
    await settle();
    expect(await readSlugs()).toBe('b a');
  }
  served = [buildTestArticle('c', 3), ...before];
  now += FRESH_MS + 1;
  await readSlugs();
  await settle();
  expect(await readSlugs()).toBe('c b a');
});

it('removes an article soon after a reader found it gone, without waiting for the next crawl', async () => {
  await cached.close();
  cached = await create(CRAWL);
  await expect.poll(() => cached.getStatus()).toMatchObject({ bodies: 2, isComplete: true });
  await cached.get('a');
  served = served.slice(0, 1);
  now += FRESH_MS + 1;
  expect((await cached.get('a'))?.slug).toBe('a');
  await expect.poll(() => cached.getSummaries().map(({ slug }) => slug)).toEqual(['b']);
  expect(await cached.get('a')).toBeNull();
  expect(await new ArticleCopies(database).readArticle('a')).toBeNull();
});

it('gives an article that the list names although an earlier request did not find it', async () => {
  expect(await cached.get('c')).toBeNull();
  served = [buildTestArticle('c', 3), ...served];
  expect(await readSlugs()).toBe('c b a');
  expect((await cached.get('c'))?.slug).toBe('c');
});

const attempt = async () => {
  await cached.get('a').catch(() => undefined);
  await settle();
};

it('waits longer after each failure, at most 30 seconds', async () => {
  failure = new ArticleSourceError('failed', '[articles:test] responded with status 500');
  const times: number[] = [];
  for (now = 0; now < 3_600_000; now += 1_000) {
    const before = calls.length;
    await cached.get('a').catch(() => undefined);
    if (calls.length > before) times.push(now / 1_000);
  }
  expect(times.slice(0, 9)).toEqual([0, 1, 3, 7, 15, 31, 61, 91, 121]);
  expect(Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? 0)))).toBeLessThanOrEqual(30);
});

it('waits as long as Retry-After says', async () => {
  failure = new ArticleSourceError('rate-limited', '[articles:test] responded with status 429', {
    retryAfter: 120,
  });
  await attempt();
  now += 119_000;
  await attempt();
  expect(calls).toHaveLength(1);
  expect(cached.getStatus().waitMs).toBe(1_000);
  now += 1_000;
  await attempt();
  expect(calls).toHaveLength(2);
});

it('makes one call at a time while the source fails', async () => {
  failure = new ArticleSourceError('timeout', '[articles:test] timeout');
  await attempt();
  now += 60_000;
  await Promise.all(['c', 'd', 'e', 'f'].map((slug) => cached.get(slug).catch(() => undefined)));
  expect(calls).toHaveLength(2);
});

it('ignores jumps of the wall clock', async () => {
  let wall = Date.UTC(2026, 0, 2);
  await cached.close();
  cached = await create({ clock: { now: () => wall, monotonic: () => now } });
  await readSlugs();
  wall += 86_400_000;
  await readSlugs();
  wall -= 2 * 86_400_000;
  await readSlugs();
  await settle();
  expect(calls).toHaveLength(1);
});

it('searches the source until every article has been read, then its own index', async () => {
  const cold = await cached.search({ text: 'Title', ...PAGE });
  expect(cold.articles).toHaveLength(2);
  expect(calls).toEqual(['search Title']);
  await cached.get('a');
  failure = new ArticleSourceError('unreachable', '[articles:test] unreachable');
  await cached.get('zzz').catch(() => undefined);
  const found = await cached.search({ text: 'bdoy', ...PAGE });
  expect(found.articles.map(({ slug, excerptParts }) => [slug, excerptParts])).toEqual([
    [
      'a',
      [
        { text: 'Body', match: true },
        { text: ' of a', match: false },
      ],
    ],
  ]);
  expect(found.articles[0]).not.toHaveProperty('content');
});

describe('a source that is slower than readers wait', () => {
  const slowSource: ArticleSource = {
    list: (query) => setTimeout(100).then(() => source.list(query)),
    search: (query) => setTimeout(100).then(() => source.search(query)),
    get: (slug) => setTimeout(100).then(() => source.get(slug)),
  };
  const createSlow = (crawlPauseMs: number | null) =>
    create({ source: slowSource, maxWaitMs: 20, crawlPauseMs, clock: CACHE.clock });

  it.each([
    ['a list', (slow: CachedSource) => slow.list(PAGE)],
    ['an article', (slow: CachedSource) => slow.get('a')],
    ['a search', (slow: CachedSource) => slow.search({ text: 'Title', ...PAGE })],
  ])('times out for the reader of %s, and the next reader gets it', async (_, read) => {
    const slow = await createSlow(null);
    await expect(read(slow)).rejects.toMatchObject({ code: 'timeout' });
    await setTimeout(120);
    expect(await read(slow)).not.toBeNull();
    expect(calls).toHaveLength(1);
    expect(changes).not.toHaveBeenCalled();
    await slow.close();
  });

  it('is crawled completely', async () => {
    const slow = await createSlow(0);
    await expect.poll(() => slow.getStatus()).toMatchObject({ bodies: 2, failures: 0 });
    await slow.close();
  });
});

it('crawls every page and body and follows changes', async () => {
  await cached.close();
  served = Array.from({ length: 30 }, (_, index) => buildTestArticle(`a${index}`, 30 - index));
  cached = await create({ ...CRAWL, clock: CACHE.clock, freshMs: 20 });
  await expect.poll(() => cached.getStatus()).toMatchObject({ articles: 30, bodies: 30, isComplete: true });
  served = [buildTestArticle('new', 31), ...served];
  await expect.poll(() => cached.getStatus().bodies).toBe(31);
  expect((await cached.search({ text: 'new', ...PAGE })).articles[0]?.slug).toBe('new');
});

it('follows changes and deletions of old articles without a visitor', async () => {
  served = Array.from({ length: 60 }, (_, index) => buildTestArticle(`a${index}`, 80 - index));
  const hidden = new Set<string>();
  const seen: string[] = [];
  const versioned: ArticleSource = {
    ...source,
    get: async (slug) => (hidden.has(slug) ? null : source.get(slug)),
    listVersions: () =>
      respond('versions', () => ({
        versions: served.map(({ slug, updatedAt }) => ({ slug, updatedAt })),
        hasMore: false,
      })),
  };
  const onChange = (slug: string, change: string) => seen.push(`${slug} ${change}`);
  const crawled = await create({ ...CRAWL, clock: CACHE.clock, freshMs: 20, source: versioned, onChange });
  await expect.poll(() => crawled.getStatus()).toMatchObject({ isComplete: true, bodies: 60 });
  const change = (slug: string, title: string) => {
    const [article = buildTestArticle(slug)] = served.filter((one) => one.slug === slug);
    const updated = { ...article, title, updatedAt: '2026-12-31T00:00:00.000Z' };
    served = served.map((one) => (one.slug === slug ? updated : one));
  };
  change('a59', 'Changed');
  change('a57', 'For members only');
  hidden.add('a57');
  served = served.filter(({ slug }) => slug !== 'a58');
  await expect.poll(() => crawled.getSummaries().at(-1)?.title).toBe('Changed');
  await expect.poll(() => crawled.getSummaries()).toHaveLength(58);
  expect((await crawled.list({ page: 5, limit: 12 })).articles).toHaveLength(10);
  expect(await crawled.get('a58')).toBeNull();
  expect(await crawled.get('a57')).toBeNull();
  expect(seen.sort()).toEqual(['a57 removed', 'a58 removed', 'a59 updated']);
  const before = calls.filter((call) => call.startsWith('get')).length;
  await setTimeout(200);
  expect(calls.filter((call) => call.startsWith('get'))).toHaveLength(before);
  await crawled.close();
});

it('works without copies on disk when the store is broken', async () => {
  const fail = () => Promise.reject(new Error('disk full'));
  const broken = { query: fail, batch: fail, close: async () => undefined };
  const errors: unknown[] = [];
  const fragile = await create({ database: broken, onStoreError: (error) => errors.push(error) });
  expect((await fragile.list(PAGE)).articles).toHaveLength(2);
  expect((await fragile.get('a'))?.slug).toBe('a');
  failure = new Error('down');
  now += FRESH_MS + 1;
  expect((await fragile.get('a'))?.slug).toBe('a');
  expect(errors.length).toBeGreaterThan(0);
  await fragile.close();
});
