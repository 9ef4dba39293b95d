import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { CACHE } from '../../../test/support/article-setup.ts';
import { SEARCHED } from '../../../test/support/cases.ts';
import { forAll } from '../../../test/support/for-all.ts';
import type { Article } from '../../core/articles/article.ts';
import type { ArticleSource } from '../../core/articles/article-source.ts';
import { HOLD_MS } from '../../core/articles/held-deletions.ts';
import { ArticleCopies, buildSummary } from '../../stores/article-copies.ts';
import { openMemoryExecutor } from '../../stores/sql/node-sqlite/memory-executor.ts';
import type { SqlExecutor } from '../../stores/sql/sql-executor.ts';
import { CachedSource } from './cached-source.ts';

const FRESH_MS = 300_000;
/** Longer than every crawl of everything is apart. */
const FULL_MS = 72 * FRESH_MS;
const COUNT = 12;

/** What a damaged source says although nothing was deleted. */
interface Damage {
  readonly list: 'whole' | 'empty' | 'first page' | 'every other' | 'all but the last';
  readonly articles: 'there' | 'absent';
}
const WHOLE: Damage = { list: 'whole', articles: 'there' };

let executor: SqlExecutor;
let now = 0;
let served: Article[] = [];
let damage = WHOLE;
/** Calls after which the damage begins, and after which it ends. */
let damagedCalls = { from: 0, to: 0 };
let calls = 0;
let cached: CachedSource;

function takeDamage(): Damage {
  calls += 1;
  return calls >= damagedCalls.from && calls < damagedCalls.to ? damage : WHOLE;
}

function list({ list: kind }: Damage): readonly Article[] {
  if (kind === 'empty') return [];
  if (kind === 'first page') return served.slice(0, COUNT / 2);
  if (kind === 'all but the last') return served.slice(0, -1);
  return kind === 'every other' ? served.filter((_, index) => index % 2 === 0) : served;
}

const source: ArticleSource = {
  async list({ page, limit }) {
    const all = list(takeDamage());
    return {
      articles: all.slice((page - 1) * limit, page * limit).map(buildSummary),
      hasMore: all.length > page * limit,
    };
  },
  search: async () => ({ articles: [], hasMore: false }),
  async get(slug) {
    if (takeDamage().articles === 'absent') return null;
    return served.find((article) => article.slug === slug) ?? null;
  },
};
const versioned: ArticleSource = {
  ...source,
  async listVersions() {
    const versions = list(takeDamage()).map(({ slug, updatedAt }) => ({ slug, updatedAt }));
    return { versions, hasMore: false };
  },
};

async function open(upstream: ArticleSource): Promise<CachedSource> {
  return CachedSource.open({
    ...CACHE,
    source: upstream,
    database: { ...executor, close: async () => undefined },
    clock: { now: () => now, monotonic: () => now },
    freshMs: FRESH_MS,
    crawlPauseMs: 0,
    keepAlive: (work) => void work.catch(() => undefined),
  });
}

const readSlugs = () => cached.getSummaries().map(({ slug }) => slug);
const countHeld = () => cached.getStatus().held?.slugs.length ?? 0;

async function crawl(afterMs = FRESH_MS): Promise<void> {
  now += afterMs;
  await cached.crawlWhenDue();
}

async function start(upstream: ArticleSource): Promise<void> {
  executor = openMemoryExecutor('articles');
  now = Date.UTC(2026, 0, 2);
  served = Array.from({ length: COUNT }, (_, index) => buildTestArticle(`a${index}`, COUNT - index));
  restore();
  cached = await open(upstream);
  await crawl();
}

function damageWith(next: Damage): void {
  damage = next;
  damagedCalls = { from: 0, to: Number.POSITIVE_INFINITY };
}

function restore(): void {
  damage = WHOLE;
  damagedCalls = { from: 0, to: 0 };
}

function remove(...slugs: readonly string[]): void {
  served = served.filter(({ slug }) => !slugs.includes(slug));
}

describe.each([
  ['that lists versions', versioned],
  ['that lists pages alone', source],
])('a source %s', (_, upstream) => {
  beforeEach(() => start(upstream));
  afterEach(() => executor.close());

  it('loses no article that exists, whatever the damage looks like, and shows exactly the existing ones in the end', async () => {
    const index = fc.nat(COUNT - 1);
    const step = fc.oneof(
      fc.record({
        list: fc.constantFrom<Damage['list']>(
          'whole',
          'empty',
          'first page',
          'every other',
          'all but the last',
        ),
        articles: fc.constantFrom<Damage['articles']>('there', 'absent'),
        from: fc.constantFrom(0, 0, 1, 2, 5, 50),
        length: fc.constantFrom(20, 60, 1_000_000),
        crawls: fc.integer({ min: 1, max: 2 }),
      }),
      fc.record({ remove: index }),
      fc.record({ read: index }),
      fc.record({ crawlAfterMs: fc.constantFrom(FRESH_MS, 3_600_000) }),
      fc.record({ isRestarted: fc.constant(true) }),
    );
    await forAll(0.02 * SEARCHED, [fc.array(step, { maxLength: 6 })], async (steps) => {
      await start(upstream);
      for (const one of steps) {
        if ('list' in one) {
          damage = one;
          damagedCalls = { from: calls + one.from, to: calls + one.from + one.length };
          for (let count = 0; count < one.crawls; count++) await crawl(3_600_000);
        } else if ('remove' in one) remove(`a${one.remove}`);
        else if ('read' in one) await cached.get(`a${one.read}`);
        else if ('isRestarted' in one) cached = await open(upstream);
        else await crawl(one.crawlAfterMs);
        const shown = new Set(readSlugs());
        expect(served.map(({ slug }) => slug).filter((slug) => !shown.has(slug))).toEqual([]);
        for (const { slug } of served.slice(0, 3)) expect((await cached.get(slug))?.slug).toBe(slug);
      }
      restore();
      await crawl(FULL_MS);
      await crawl(HOLD_MS);
      await crawl(FULL_MS);
      expect(readSlugs()).toEqual(served.map(({ slug }) => slug));
      expect(countHeld()).toBe(0);
    });
  });

  it('removes single articles with the next crawl of everything', async () => {
    remove('a11', 'a10');
    await crawl(FULL_MS);
    expect(readSlugs()).toHaveLength(10);
    expect(await cached.get('a11')).toBeNull();
    expect(await new ArticleCopies(executor).readArticle('a11')).toBeNull();
    expect(countHeld()).toBe(0);
  });

  it('holds a bulk deletion until it is accepted', async () => {
    remove(...Array.from({ length: 6 }, (_, index) => `a${index}`));
    await crawl(FULL_MS);
    expect([readSlugs().length, countHeld()]).toEqual([12, 6]);
    expect((await cached.get('a1'))?.content).toBe('<p>Body of a1</p>');
    expect(await cached.acceptDeletions()).toBe(6);
    await crawl();
    expect([readSlugs().length, countHeld()]).toEqual([6, 0]);
    remove('a11');
    await crawl(FULL_MS);
    expect(readSlugs()).toHaveLength(5);
  });

  it('removes a bulk deletion that is not accepted after three days', async () => {
    remove(...Array.from({ length: 6 }, (_, index) => `a${index}`));
    await crawl(FULL_MS);
    await crawl(HOLD_MS - FULL_MS);
    expect(readSlugs()).toHaveLength(12);
    await crawl(FULL_MS);
    expect(readSlugs()).toHaveLength(6);
  });

  it('holds what a source loses step by step within a day', async () => {
    for (let gone = 0; gone < 6; gone++) {
      remove(`a${gone}`);
      await crawl(3_600_000);
    }
    expect(readSlugs().length).toBeGreaterThanOrEqual(9);
    expect(countHeld()).toBeGreaterThan(0);
  });

  it('does not remove an article that is there again when its deletion is accepted', async () => {
    damageWith({ list: 'empty', articles: 'absent' });
    await crawl(FULL_MS);
    expect(countHeld()).toBe(COUNT);
    await cached.acceptDeletions();
    restore();
    await crawl(FULL_MS);
    expect([readSlugs().length, countHeld()]).toEqual([COUNT, 0]);
  });

  it('shows an article that was published while the source was damaged as soon as it can be read', async () => {
    served = [buildTestArticle('new', COUNT + 1), ...served];
    damageWith({ list: 'whole', articles: 'absent' });
    await crawl();
    await cached.get('new');
    restore();
    await crawl();
    expect(readSlugs()).toContain('new');
    expect((await cached.get('new'))?.slug).toBe('new');
  });
});
