import { gunzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { buildHttpCall } from '../../../test/support/http-call.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import { createFeedHandlers } from './feed-handlers.ts';

const served = Array.from({ length: 30 }, (_, index) => buildTestArticle(`a${index}`, 30 - index));
let now = 0;
let lists = 0;
let failure: Error | null = null;
let broken = '';
const articles: ArticleSource = {
  list: async ({ limit }) => {
    lists += 1;
    if (failure) throw failure;
    return { articles: served.slice(0, limit), hasMore: true };
  },
  search: async () => ({ articles: [], hasMore: false }),
  get: async (slug) => {
    if (slug === broken) throw new ArticleSourceError('bad-answer', '[articles:test] none');
    return served.find((article) => article.slug === slug) ?? null;
  },
};
const site = {
  name: 'Hub',
  description: 'About.',
  origin: 'https://hub.example',
  language: 'en',
  disclosure: 'Paid.',
};
const create = () =>
  new Map(createFeedHandlers({ articles, site, clock: { now: () => now, monotonic: () => now } }));
let handlers = create();
beforeEach(() => {
  now = 0;
  lists = 0;
  failure = null;
  broken = '';
  handlers = create();
});
const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const handler = handlers.get(path);
  if (!handler) return expect.fail(`no handler for ${path}`);
  return handler(buildHttpCall('', headers, { method, path }));
};

it('gives the twenty newest articles', async () => {
  const rss = await get('/rss.xml');
  expect(rss.headers['content-type']).toBe('application/rss+xml; charset=utf-8');
  expect(String(rss.body).match(/<item>/g)).toHaveLength(20);
  expect(rss.headers['last-modified']).toBe('Fri, 30 Jan 2026 00:00:00 GMT');
  expect(JSON.parse(String((await get('/feed.json')).body)).items).toHaveLength(20);
});

it('is built once a minute', async () => {
  await Promise.all([get('/rss.xml'), get('/rss.xml'), get('/rss.xml')]);
  expect(lists).toBe(1);
  now += 60_000;
  await get('/rss.xml');
  expect(lists).toBe(2);
});

it('answers 304 to who has it, in either encoding', async () => {
  for (const encoding of [{}, { 'accept-encoding': 'br, gzip' }]) {
    const first = await get('/rss.xml', encoding);
    const again = await get('/rss.xml', { ...encoding, 'if-none-match': `W/"x", ${first.headers['etag']}` });
    expect([again.status, again.body]).toEqual([304, null]);
  }
});

it('is zipped for who takes that', async () => {
  const zipped = await get('/rss.xml', { 'accept-encoding': 'gzip, deflate' });
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(zipped.body ?? '').toString()).toBe((await get('/rss.xml')).body);
});

it('leaves out the one article that cannot be read', async () => {
  broken = 'a3';
  expect(String((await get('/rss.xml')).body).match(/<item>/g)).toHaveLength(19);
});

it('says that the source fails, and tries again the next time', async () => {
  failure = new ArticleSourceError('timeout', '[articles:test] timeout');
  expect((await get('/rss.xml')).status).toBe(502);
  failure = null;
  expect((await get('/rss.xml')).status).toBe(200);
});

it.each(['POST', 'PUT', 'DELETE'])('does not take %s', async (method) => {
  expect((await get('/rss.xml', {}, method)).status).toBe(405);
});
