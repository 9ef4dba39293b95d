import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { HeldDeletions } from '../../src/core/articles/held-deletions.ts';
import { CachedSource } from '../../src/sources/articles/cached-source.ts';
import { createWordPressSource } from '../../src/sources/articles/wordpress.ts';
import { guardedGet } from '../../src/sources/http/guarded-http.ts';
import { openMemoryExecutor } from '../../src/stores/sql/node-sqlite/memory-executor.ts';
import { CACHE, createTestMapper, realClock } from '../support/article-setup.ts';
import { SEED } from '../support/cases.ts';
import { createChance } from '../support/chance.ts';
import { startWordPress } from './start-wordpress.ts';

const POLL = { timeout: 120_000, interval: 200 };

let system: Awaited<ReturnType<typeof startWordPress>>;
let cached: CachedSource;
let reported: (HeldDeletions | null)[] = [];

const readSlugs = () => cached.getSummaries().map(({ slug }) => slug);
const countHeld = () => cached.getStatus().held?.slugs.length ?? 0;

beforeAll(async () => {
  system = await startWordPress();
  cached = await CachedSource.open({
    ...CACHE,
    source: createWordPressSource({
      url: system.url,
      mapper: createTestMapper('wordpress'),
      clock: realClock,
      get: guardedGet,
      deadlineMs: 20_000,
    }),
    database: openMemoryExecutor('articles'),
    random: createChance(SEED),
    freshMs: 1_000,
    maxWaitMs: 2_000,
    crawlPauseMs: 0,
    confirmationMs: 1_000,
    onHeld: (held) => reported.push(held),
  });
  await vi.waitUntil(() => cached.getStatus().isComplete, POLL);
}, 240_000);
afterAll(async () => {
  await cached?.close();
  await system?.stop();
}, 60_000);

it.each(['table', 'plugin'] as const)(
  'loses no article while the %s is damaged',
  { timeout: 300_000 },
  async (kind) => {
    const before = readSlugs();
    expect(before.length).toBeGreaterThan(100);
    reported = [];
    system.damage(kind);
    try {
      const address = `${system.url}/wp-json/wp/v2/posts?per_page=1`;
      const response = await fetch(address);
      expect([response.status, await response.json()]).toEqual([200, []]);
      await expect.poll(countHeld, POLL).toBe(before.length);
      for (const slug of before.slice(0, 20)) expect((await cached.get(slug))?.slug).toBe(slug);
      expect(readSlugs()).toEqual(before);
      expect((await cached.list({ page: 1, limit: 12 })).articles).toHaveLength(12);
    } finally {
      system.restore();
    }
    await expect.poll(countHeld, POLL).toBe(0);
    expect(readSlugs()).toEqual(before);
    for (const slug of before) expect((await cached.get(slug))?.slug).toBe(slug);
    expect(reported.map((held) => held?.slugs.length ?? 0)).toEqual([before.length, 0]);
  },
);

it('removes a post that was deleted', { timeout: 240_000 }, async () => {
  expect(readSlugs()).toContain('post-51');
  await system.deletePost('post-51');
  await expect.poll(readSlugs, POLL).not.toContain('post-51');
  expect(await cached.get('post-51')).toBeNull();
});
