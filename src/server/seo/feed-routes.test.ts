import { gunzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { readShippedSite } from '../../../test/support/shipped-content.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import { PageCache } from '../../runtimes/node/page-cache.ts';
import { createFeedRoutes } from './feed-routes.ts';

const served = Array.from({ length: 30 }, (_, index) => buildTestArticle(`a${index}`, 30 - index));
let now = 1;
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
    if (slug === broken) throw new ArticleSourceError('bad-response', '[articles:test] none');
    return served.find((article) => article.slug === slug) ?? null;
  },
};
let cache: PageCache;
const routes = createFeedRoutes(articles, { site: readShippedSite() }, 'https://hub.example');
beforeEach(() => {
  now = 1;
  lists = 0;
  failure = null;
  broken = '';
  cache = new PageCache({
    freshMs: 60_000,
    maxStaleMs: 600_000,
    maxPages: 10,
    maxBytes: 1_000_000,
    now: () => now,
  });
});
const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const route = routes.find((one) => one.path === path);
  if (!route) return expect.fail(`no route for ${path}`);
  return createRouteClient(route, { cache })(null, headers, { method });
};

it('contains the twenty newest articles', async () => {
  const rss = await get('/rss.xml');
  expect(rss.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
  expect((await rss.text()).match(/<item>/g)).toHaveLength(20);
  expect(rss.headers.get('last-modified')).toBe('Fri, 30 Jan 2026 00:00:00 GMT');
  expect((await (await get('/feed.json')).json()).items).toHaveLength(20);
});

it('is built once a minute', async () => {
  await Promise.all([get('/rss.xml'), get('/rss.xml'), get('/rss.xml')]);
  await get('/rss.xml');
  expect(lists).toBe(1);
  now += 60_001;
  await get('/rss.xml');
  expect(lists).toBe(2);
});

it('responds 304 to a client that has it, in either encoding', async () => {
  for (const encoding of [{}, { 'accept-encoding': 'br, gzip' }]) {
    const first = await get('/rss.xml', encoding);
    const again = await get('/rss.xml', {
      ...encoding,
      'if-none-match': `W/"x", ${first.headers.get('etag')}`,
    });
    expect([again.status, again.body]).toEqual([304, null]);
  }
});

it('is compressed for a client that accepts gzip', async () => {
  const zipped = await get('/rss.xml', { 'accept-encoding': 'gzip, deflate' });
  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  const text = gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString();
  expect(text).toBe(await (await get('/rss.xml')).text());
});

it('leaves out the one article that cannot be read', async () => {
  broken = 'a3';
  expect((await (await get('/rss.xml')).text()).match(/<item>/g)).toHaveLength(19);
});

it('responds 502 while the source fails, and 200 at the next request after that', async () => {
  failure = new ArticleSourceError('timeout', '[articles:test] timeout');
  expect((await get('/rss.xml')).status).toBe(502);
  failure = null;
  expect((await get('/rss.xml')).status).toBe(200);
});

it.each(['POST', 'PUT', 'DELETE'])('responds 405 to %s', async (method) => {
  expect((await get('/rss.xml', {}, method)).status).toBe(405);
});
