import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import type { Article } from '../../core/articles/article.ts';
import { type ArticleCacheStore, buildCard } from '../../core/articles/article-cache-store.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import { createMemoryArticleStore } from './cache/memory-store.ts';
import { type CachedSource, createCachedSource } from './cached-source.ts';

const FRESH_MS = 300_000;
const PAGE = { page: 1, limit: 12 };

let now = 0;
let served: Article[] = [];
let failure: Error | null = null;
let calls: string[] = [];
let store: ArticleCacheStore;
let cached: CachedSource;
const changes = vi.fn();

const answer = async <T>(call: string, build: () => T): Promise<T> => {
  calls.push(call);
  await Promise.resolve();
  if (failure) throw failure;
  return build();
};
const source: ArticleSource = {
  list: ({ page, limit }) =>
    answer(`list ${page}:${limit}`, () => ({
      articles: served.slice((page - 1) * limit, page * limit).map(buildCard),
      hasMore: served.length > page * limit,
    })),
  search: ({ text }) =>
    answer(`search ${text}`, () => ({
      articles: served.filter(({ title }) => title.includes(text)).map(buildCard),
      hasMore: false,
    })),
  get: (slug) => answer(`get ${slug}`, () => served.find((article) => article.slug === slug) ?? null),
};
const create = () =>
  createCachedSource({
    source,
    store,
    clock: { now: () => now, monotonic: () => now },
    random: () => 1,
    freshMs: FRESH_MS,
    crawlPauseMs: null,
    onGateChange: changes,
    onStoreError: (error) => expect.fail(String(error)),
  });
/** Lets refreshes that run behind an answer come to their end. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
const slugs = async () => (await cached.list(PAGE)).articles.map(({ slug }) => slug).join(' ');

beforeEach(async () => {
  now = 1_000;
  served = [buildTestArticle('b', 2), buildTestArticle('a', 1)];
  failure = null;
  calls = [];
  changes.mockClear();
  store = createMemoryArticleStore();
  cached = await create();
});
afterEach(() => cached.close());

describe('a fresh copy', () => {
  it('is given out without asking, for five minutes', async () => {
    await cached.list(PAGE);
    await cached.get('a');
    now += FRESH_MS - 1;
    await cached.list(PAGE);
    await cached.get('a');
    expect(calls).toEqual(['list 1:12', 'get a']);
  });

  it('is asked for once by fifty at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => cached.get('a')));
    expect(answers.every((article) => article?.slug === 'a')).toBe(true);
    await Promise.all(Array.from({ length: 50 }, () => cached.list(PAGE)));
    expect(calls).toEqual(['get a', 'list 1:12']);
  });
});

describe('a stale copy', () => {
  it('is given out at once, with one refresh behind', async () => {
    await slugs();
    now += FRESH_MS;
    served = [buildTestArticle('c', 3), ...served];
    expect(await Promise.all([slugs(), slugs(), slugs()])).toEqual(['b a', 'b a', 'b a']);
    await settle();
    expect(await slugs()).toBe('c b a');
    expect(calls).toEqual(['list 1:12', 'list 1:12']);
  });

  it('stays while the source fails, however long', async () => {
    await slugs();
    await cached.get('a');
    failure = new ArticleSourceError('timeout', '[articles:test] timeout');
    for (let hours = 0; hours < 100; hours++) {
      now += 3_600_000;
      expect(await slugs()).toBe('b a');
      expect((await cached.get('a'))?.content).toBe('<p>Body of a</p>');
      await settle();
    }
    expect(cached.status()).toMatchObject({ lastError: { code: 'timeout' }, articles: 2, bodies: 1 });
    failure = null;
    served = [buildTestArticle('c', 3)];
    now += 3_600_000;
    await slugs();
    await settle();
    expect(await slugs()).toBe('c');
    expect(changes).toHaveBeenCalledTimes(2);
  });

  it('outlives the process, also of pages that were never asked for', async () => {
    served = Array.from({ length: 5 }, (_, index) => buildTestArticle(`a${index}`, 9 - index));
    await cached.list({ page: 1, limit: 3 });
    await cached.list({ page: 2, limit: 3 });
    await cached.get('a1');
    failure = new ArticleSourceError('unreachable', '[articles:test] unreachable');
    cached = await create();
    expect(await slugs()).toBe('a0 a1 a2 a3 a4');
    expect((await cached.list({ page: 2, limit: 3 })).articles.map(({ slug }) => slug)).toEqual(['a3', 'a4']);
    expect((await cached.get('a1'))?.slug).toBe('a1');
    await expect(cached.get('a2')).rejects.toMatchObject({ code: 'unreachable' });
    expect((await cached.search({ text: 'a3', page: 1, limit: 3 })).articles[0]?.slug).toBe('a3');
  });
});

describe('no copy', () => {
  it('and a source that fails is the source’s error', async () => {
    failure = new ArticleSourceError('not-configured', '[articles:test] API key not configured');
    await expect(cached.list(PAGE)).rejects.toThrow('API key not configured');
    await expect(cached.get('a')).rejects.toThrow('API key not configured');
    await expect(cached.search({ text: 'x', page: 1, limit: 1 })).rejects.toThrow('API key not configured');
  });

  it('is remembered for half a minute when the article does not exist', async () => {
    expect(await cached.get('none')).toBeNull();
    expect(await cached.get('none')).toBeNull();
    now += 30_000;
    served = [buildTestArticle('none')];
    expect(await cached.get('none')).toBeNull();
    await settle();
    expect((await cached.get('none'))?.slug).toBe('none');
    expect(calls).toEqual(['get none', 'get none']);
  });

  it('of 10,000 unknown things leads to a bounded number of calls', async () => {
    const asked = Array.from({ length: 10_000 }, (_, index) =>
      cached.get(`x-${index}`).catch(() => 'refused'),
    );
    const refused = (await Promise.all(asked)).filter((one) => one === 'refused').length;
    for (let index = 0; index < 1_000; index++)
      await cached.search({ text: `q${index}`, ...PAGE }).catch(() => null);
    expect(calls.length).toBeLessThanOrEqual(60);
    expect(refused).toBeGreaterThanOrEqual(9_940);
    now += 1_000;
    expect(await cached.get('b')).not.toBeNull();
  });
});

describe('a doubtful answer', () => {
  it('that is empty replaces a full one only at the second look', async () => {
    await slugs();
    served = [];
    now += FRESH_MS;
    await slugs();
    await settle();
    expect(await slugs()).toBe('b a');
    now += 10_000;
    expect(await slugs()).toBe('b a');
    await settle();
    expect(await slugs()).toBe('');
    expect(calls).toHaveLength(3);
  });

  it('that is empty is forgotten when the second look is full', async () => {
    await slugs();
    const before = served;
    served = [];
    now += FRESH_MS;
    await slugs();
    await settle();
    served = [buildTestArticle('c', 3), ...before];
    now += 10_000;
    await slugs();
    await settle();
    expect(await slugs()).toBe('c b a');
  });

  it('that an article is gone counts at the second look, everywhere', async () => {
    await slugs();
    await cached.get('a');
    served = served.slice(0, 1);
    now += FRESH_MS;
    await cached.get('a');
    await settle();
    expect(await cached.get('a')).not.toBeNull();
    now += 10_000;
    await cached.get('a');
    await settle();
    expect(await cached.get('a')).toBeNull();
    expect(cached.cards().map(({ slug }) => slug)).toEqual(['b']);
    expect(await store.readArticle('a')).toBeNull();
  });
});

describe('attempts while the source fails', () => {
  const attempt = async () => {
    await cached.get('a').catch(() => undefined);
    await settle();
  };

  it('come further and further apart, at most five minutes', async () => {
    failure = new ArticleSourceError('failed', '[articles:test] answered 500');
    const times: number[] = [];
    for (now = 0; now < 3_600_000; now += 1_000) {
      const before = calls.length;
      await cached.get('a').catch(() => undefined);
      if (calls.length > before) times.push(now / 1_000);
    }
    expect(times.slice(0, 9)).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255]);
    expect(Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? 0)))).toBeLessThanOrEqual(300);
  });

  it('wait as long as they are told to', async () => {
    failure = new ArticleSourceError('rate-limited', '[articles:test] answered 429', { retryAfter: 120 });
    await attempt();
    now += 119_000;
    await attempt();
    expect(calls).toHaveLength(1);
    expect(cached.status().waitMs).toBe(1_000);
    now += 1_000;
    await attempt();
    expect(calls).toHaveLength(2);
  });

  it('are one at a time', async () => {
    failure = new ArticleSourceError('timeout', '[articles:test] timeout');
    await attempt();
    now += 60_000;
    await Promise.all(['c', 'd', 'e', 'f'].map((slug) => cached.get(slug).catch(() => undefined)));
    expect(calls).toHaveLength(2);
  });
});

describe('the wall clock', () => {
  it('may jump by a day in either direction', async () => {
    let wall = Date.UTC(2026, 0, 2);
    await cached.close();
    cached = await createCachedSource({
      source,
      store,
      clock: { now: () => wall, monotonic: () => now },
      random: () => 1,
      freshMs: FRESH_MS,
      crawlPauseMs: null,
      onGateChange: changes,
      onStoreError: () => undefined,
    });
    await slugs();
    wall += 86_400_000;
    await slugs();
    wall -= 2 * 86_400_000;
    await slugs();
    await settle();
    expect(calls).toHaveLength(1);
  });
});

describe('search', () => {
  it('asks the source until everything is known here, then finds by bodies, typos and beginnings', async () => {
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
});

describe('the crawler', () => {
  it('reads every page and body, keeps up with changes, and notices what is gone', async () => {
    await cached.close();
    served = Array.from({ length: 30 }, (_, index) => buildTestArticle(`a${index}`, 30 - index));
    cached = await createCachedSource({
      source,
      store,
      clock: { now: Date.now, monotonic: () => performance.now() },
      random: () => 0,
      freshMs: 20,
      crawlPauseMs: 0,
      onGateChange: changes,
      onStoreError: () => undefined,
    });
    await expect.poll(() => cached.status()).toMatchObject({ articles: 30, bodies: 30, complete: true });
    served = [buildTestArticle('new', 31), ...served];
    await expect.poll(() => cached.status().bodies).toBe(31);
    expect((await cached.search({ text: 'new', ...PAGE })).articles[0]?.slug).toBe('new');
  });
});

describe('a store that is broken', () => {
  it('costs nothing but the memory of it', async () => {
    const broken = new Proxy(createMemoryArticleStore(), {
      get: (target, name) =>
        name === 'close' ? target.close : () => Promise.reject(new Error(`disk full at ${String(name)}`)),
    });
    const errors: unknown[] = [];
    const fragile = await createCachedSource({
      source,
      store: broken,
      clock: { now: () => now, monotonic: () => now },
      random: () => 1,
      freshMs: FRESH_MS,
      crawlPauseMs: null,
      onGateChange: changes,
      onStoreError: (error) => errors.push(error),
    });
    expect((await fragile.list(PAGE)).articles).toHaveLength(2);
    expect((await fragile.get('a'))?.slug).toBe('a');
    failure = new Error('down');
    now += FRESH_MS;
    expect((await fragile.get('a'))?.slug).toBe('a');
    expect(errors.length).toBeGreaterThan(0);
    await fragile.close();
  });
});
