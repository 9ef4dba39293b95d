import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestMapper, realClock } from '../../../test/support/article-setup.ts';
import {
  buildServedArticles,
  respondAsRemote,
  type ServedArticle,
} from '../../../test/support/fake-services.ts';
import { watchMachine } from '../../../test/support/scale-to-machine.ts';
import { startUpstream, type Upstream } from '../../../test/support/upstream-server.ts';
import { guardedGet } from '../http/guarded-http.ts';
import { createRemoteSource } from './remote.ts';

let first: Upstream;
let second: Upstream;
let atFirst: readonly ServedArticle[] = [];
let atSecond: readonly ServedArticle[] = [];

beforeAll(async () => {
  first = await startUpstream((url) => respondAsRemote(() => atFirst)(url));
  second = await startUpstream((url) => respondAsRemote(() => atSecond)(url));
});
afterAll(async () => {
  await first.close();
  await second.close();
});
beforeEach(async () => {
  atFirst = buildServedArticles(3);
  atSecond = buildServedArticles(5);
  first.calls.length = 0;
  second.calls.length = 0;
  await first.fail(null);
  await second.fail(null);
});

const create = (change: Partial<Parameters<typeof createRemoteSource>[0]> = {}) =>
  createRemoteSource({
    url: first.url,
    key: 'the-key',
    keyHeader: 'Authorization',
    cdnUrl: second.url,
    mapper: createTestMapper('remote'),
    clock: realClock,
    get: guardedGet,
    deadlineMs: 5_000,
    ...change,
  });
const ALL = { page: 1, limit: 12 };

it.each([
  ['Authorization', 'Bearer the-key'],
  ['authorization', 'Bearer the-key'],
  ['X-Api-Key', 'the-key'],
])('sends the key in %s as %s, to the first address only', async (keyHeader, value) => {
  await create({ keyHeader }).list(ALL);
  expect(first.lastHeaders()[keyHeader.toLowerCase()]).toBe(value);
  await first.fail('status-500');
  await create({ keyHeader }).list(ALL);
  expect(JSON.stringify(second.lastHeaders())).not.toContain('the-key');
});

it('rejects without a call when the key is missing', async () => {
  const missing = create({ key: '', cdnUrl: '' });
  await expect(missing.list(ALL)).rejects.toThrow('API key not configured');
  await expect(missing.get('article-1')).rejects.toMatchObject({ code: 'not-configured' });
  expect(first.calls).toEqual([]);
});

it('reads the second address without a key', async () =>
  expect((await create({ key: '' }).list(ALL)).articles).toHaveLength(5));

it('does not read the second address while the first has articles', async () => {
  expect((await create().list(ALL)).articles).toHaveLength(3);
  expect((await create().get('article-1'))?.slug).toBe('article-1');
  expect(second.calls).toEqual([]);
});

it.each(['status-500', 'down', 'wrong-shape', 'hang'] as const)(
  'reads the second address, the first is %s',
  async (fault) => {
    await first.fail(fault);
    const source = create({ deadlineMs: 2_000 });
    expect((await source.list(ALL)).articles).toHaveLength(5);
    expect((await source.get('article-4'))?.slug).toBe('article-4');
  },
);

it('reads the second address when the first has no articles, or not this one', async () => {
  atFirst = [];
  expect((await create().list(ALL)).articles).toHaveLength(5);
  expect((await create().get('article-4'))?.slug).toBe('article-4');
  expect((await create().search({ ...ALL, text: 'pipelines' })).articles).toHaveLength(2);
});

it('returns what the first address responded when the second has nothing or fails', async () => {
  atFirst = [];
  await second.fail('down');
  expect(await create().list(ALL)).toEqual({ articles: [], hasMore: false });
  expect(await create().get('article-1')).toBeNull();
  await first.fail('status-429');
  await second.fail(null);
  atSecond = [];
  await expect(create().get('article-1')).rejects.toMatchObject({ code: 'rate-limited' });
  await expect(create().list(ALL)).rejects.toMatchObject({ code: 'rate-limited', retryAfter: 30 });
});

it('enforces one deadline for both addresses', { tags: ['rest', 'measures'] }, async () => {
  await first.fail('hang');
  await second.fail('hang');
  const scale = watchMachine();
  const start = performance.now();
  await expect(create({ deadlineMs: 2_000 }).list(ALL)).rejects.toMatchObject({ code: 'timeout' });
  expect(performance.now() - start).toBeLessThan(scale(3_200));
});

it('requests the paths of the service and leaves out an invalid article alone', async () => {
  const skipped: string[] = [];
  const [good] = buildServedArticles(1);
  atFirst = good ? [good, { ...good, slug: '../x' }, { ...good, publishedAt: 'soon', updatedAt: '' }] : [];
  const mapper = createTestMapper('remote', skipped);
  const source = create({ url: `${first.url}/`, cdnUrl: '', mapper });
  await source.list({ page: 2, limit: 12 });
  await source.search({ text: ' a&b=c ', page: 1, limit: 12 });
  await source.get('article-0');
  expect(first.calls).toEqual([
    'GET /articles?page=2&limit=12',
    'GET /articles/search?q=a%26b%3Dc&page=1&limit=12',
    'GET /articles/article-0',
  ]);
  expect((await source.list(ALL)).articles).toHaveLength(1);
  expect(skipped).toEqual([
    '../x (id id-../x, "Article number 0 about deliverability"): slug must be lower-case letters, digits, _ and - of at most 200 characters',
    'article-0 (id id-article-0, "Article number 0 about deliverability"): publishedAt must be a date from 1990 on',
  ]);
});
