import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestMapper, realClock } from '../../../test/support/article-setup.ts';
import {
  startUpstream,
  type Upstream,
  type UpstreamResponse,
} from '../../../test/support/upstream-server.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import { guardedGet } from '../http/guarded-http.ts';
import { HttpError } from '../http/http-get.ts';
import { createGhostSource } from './ghost.ts';
import { createRemoteSource } from './remote.ts';
import { type ReadItems, readInParts } from './service-client.ts';
import { createWordPressSource } from './wordpress.ts';

let upstream: Upstream;
let response: UpstreamResponse;
beforeAll(async () => {
  upstream = await startUpstream(() => response);
});
afterAll(() => upstream.close());

const SOURCES: Readonly<Record<string, (url: string) => ArticleSource>> = {
  wordpress: (url) => createWordPressSource({ ...create('wordpress'), url }),
  ghost: (url) => createGhostSource({ ...create('ghost'), url, key: 'k' }),
  remote: (url) =>
    createRemoteSource({ ...create('remote'), url, key: 'k', keyHeader: 'Authorization', cdnUrl: '' }),
};
const create = (name: string) => ({
  mapper: createTestMapper(name),
  clock: realClock,
  get: guardedGet,
  deadlineMs: 2_000,
});
const redirectTo = (location: string): UpstreamResponse => ({ status: 301, headers: { location }, json: '' });

it.each([
  ['wordpress', { status: 401, json: {} }, /responded with status 401\. The REST API is switched off/],
  ['wordpress', { status: 404, json: {} }, /status 404\. .*ARTICLE_SERVICE_URL.*without \/wp-json.*"Plain"/],
  ['wordpress', { json: {} }, /expected a list, got an object\. ARTICLE_SERVICE_URL .* without \/wp-json/],
  [
    'wordpress',
    redirectTo('https://www.wp.example/'),
    /: www\.wp\.example\. Set ARTICLE_SERVICE_URL to the address/,
  ],
  ['wordpress', { headers: { 'content-type': 'text/html' }, json: 1 }, /not JSON\. .*WP_DEBUG_DISPLAY/],
  ['wordpress', { status: 503, json: {} }, /status 503\. Look into the service's own log/],
  ['ghost', { status: 401, json: {} }, /status 401\. ARTICLE_SERVICE_KEY must be the Content API key/],
  ['ghost', { status: 404, json: {} }, /expected a list under "posts", got nothing\. ARTICLE_SERVICE_URL/],
  ['remote', { status: 403, json: {} }, /status 403\. Check ARTICLE_SERVICE_KEY and/],
  ['remote', { status: 429, json: {} }, /status 429\. The service limits requests/],
])('names the host, the problem and the remedy when %s responds %j', async (name, failure, expected) => {
  response = failure;
  const source = SOURCES[name]?.(upstream.url);
  const error = await source?.list({ page: 1, limit: 12 }).catch((reason: unknown) => reason);
  expect(String(error)).toContain(`[articles:${name}] ${new URL(upstream.url).host}: `);
  expect(String(error)).toMatch(expected);
});

it.each(Object.keys(SOURCES))('names the reason of a connection that %s refuses', async (name) => {
  const error = await SOURCES[name]?.('http://127.0.0.1:1').list({ page: 1, limit: 1 }).catch(String);
  expect(error).toMatch(
    /127\.0\.0\.1:1: the connection failed \(ECONNREFUSED\)\. Check [A-Z_]+_URL, the DNS record/,
  );
});

const COUNT = 250;
const TOO_LARGE = new ArticleSourceError('bad-response', '[articles:test] too large', {
  cause: new HttpError('too-large'),
});

/** Reads numbers; a page with more than `most` of them, or with the number 17, is too large. */
const createReader =
  (most: number): ReadItems =>
  async ({ page, limit }) => {
    const end = page * limit;
    const items = Array.from({ length: COUNT }, (_, index) => index).slice(end - limit, end);
    if (items.length > most || items.includes(17)) throw TOO_LARGE;
    return { items, hasMore: end < COUNT };
  };
const readOutline: ReadItems = async ({ page }) => ({ items: [`outline ${page}`], hasMore: page < COUNT });

it.each([1, 2, 7, 12, 20, 50, 97, 100])(
  'reads every item of pages of %d once and in order',
  async (limit) => {
    for (const most of [1, 3, 100]) {
      const items: unknown[] = [];
      for (let page = 1, hasMore = true; hasMore; page++) {
        const found = await readInParts({ page, limit }, createReader(most), readOutline);
        items.push(...found.items);
        hasMore = found.hasMore;
      }
      expect(items).toEqual(
        Array.from({ length: COUNT }, (_, index) => (index === 17 ? 'outline 18' : index)),
      );
    }
  },
);

it('rejects with the first error when the smallest page is too large without its body too', async () => {
  let calls = 0;
  const read: ReadItems = async () => {
    calls += 1;
    throw TOO_LARGE;
  };
  await expect(readInParts({ page: 1, limit: 12 }, read, read)).rejects.toBe(TOO_LARGE);
  expect(calls).toBe(5);
});
