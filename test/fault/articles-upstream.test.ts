/** @module-tag rest */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CachedSource } from '../../src/sources/articles/cached-source.ts';
import { openArticleDatabase } from '../../src/stores/node-databases.ts';
import { CACHE, createTestRemote } from '../support/article-setup.ts';
import { SEED } from '../support/cases.ts';
import { createChance } from '../support/chance.ts';
import { buildServedArticles, respondAsRemote } from '../support/fake-services.ts';
import { FAULTS, startUpstream, type Upstream } from '../support/upstream-server.ts';

const DEADLINE_MS = 1_000;
const PAGE = { page: 1, limit: 12 };
/** A read from a copy takes less than this: one that waits for the service takes longer than the deadline. */
const PROMPT_MS = DEADLINE_MS / 2;

let upstream: Upstream;
let cached: CachedSource;
const served = buildServedArticles(20);
/** Ms that a test has skipped, in addition to the time that passes. */
let skipped = 0;
const dir = mkdtempSync(path.join(os.tmpdir(), 'article-faults-'));

beforeAll(async () => {
  upstream = await startUpstream(respondAsRemote(() => served));
  cached = await CachedSource.open({
    ...CACHE,
    source: createTestRemote(upstream.url, DEADLINE_MS),
    database: openArticleDatabase(path.join(dir, 'articles.db'), () => undefined),
    clock: { now: Date.now, monotonic: () => performance.now() + skipped },
    random: createChance(SEED),
  });
  await cached.list(PAGE);
  await cached.get('article-1');
});
afterAll(async () => {
  await cached.close();
  await upstream.close();
  rmSync(dir, { recursive: true });
});

/** Ms that the middle one of five reads takes: one alone also measures who else uses the machine. */
async function measure(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 5; count++) {
    const start = performance.now();
    await read();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[2] ?? 0;
}

describe('reads from copies while the service is', { tags: ['measures'] }, () => {
  it.each(FAULTS)('%s', async (fault) => {
    await upstream.fail(fault);
    skipped += 3_600_000;
    const failures = cached.getStatus().failures;
    expect(await measure(() => cached.list(PAGE))).toBeLessThan(PROMPT_MS);
    expect(await measure(() => cached.get('article-1'))).toBeLessThan(PROMPT_MS);
    expect(await measure(() => cached.search({ text: 'pipelins', ...PAGE }))).toBeLessThan(PROMPT_MS);
    await expect.poll(() => cached.getStatus().failures).toBeGreaterThan(failures);
    expect((await cached.list(PAGE)).articles).toHaveLength(12);
    expect((await cached.get('article-1'))?.content).toContain('The body of 1.');
    expect((await cached.search({ text: 'pipelins', ...PAGE })).articles.length).toBeGreaterThan(0);
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes that this thread still needs: responses of up to 4 MB leave garbage, which counts while it is not collected. */
function readMemory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('memory and sockets', { tags: ['measures'] }, () => {
  it.each(['endless-body', 'gzip-bomb', 'huge-length', 'hang'] as const)(
    'do not grow with thirty responses of the kind %s',
    async (fault) => {
      const source = createTestRemote(upstream.url, DEADLINE_MS);
      await upstream.fail(fault);
      const readFiveTimes = () =>
        Promise.all(Array.from({ length: 5 }, () => source.list(PAGE).catch(() => null)));
      await readFiveTimes();
      const before = readMemory();
      for (let round = 0; round < 6; round++) await readFiveTimes();
      await expect.poll(() => readMemory() - before).toBeLessThan(10_000_000);
      await expect.poll(() => upstream.sockets()).toBeLessThanOrEqual(5);
      await upstream.fail(null);
    },
  );
});
