import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { buildServedArticles, respondAsWordPress } from '../support/fake-services.ts';
import { type Site, startSite } from '../support/site.ts';
import { startUpstream, type Upstream } from '../support/upstream-server.ts';

const FORMER: Readonly<Record<string, string>> = {
  'former-slug': '/2026/11/article-3/',
  'loop-a': '/loop-b/',
  'loop-b': '/loop-a/',
  elsewhere: 'https://evil.example/article-3/',
};

let upstream: Upstream;
let site: Site;
beforeAll(async () => {
  const respond = respondAsWordPress(() => buildServedArticles(5));
  upstream = await startUpstream((url) => {
    const location = FORMER[url.searchParams.get('name') ?? ''];
    return location === undefined ? respond(url) : { status: 301, headers: { location }, json: {} };
  });
  site = await startSite({ env: { ARTICLE_SOURCE: 'wordpress', ARTICLE_SERVICE_URL: upstream.url } });
  await vi.waitUntil(async () => (await request('/blog/article-3')).status === 200, { timeout: 30_000 });
});
afterAll(async () => {
  await site.remove();
  await upstream.close();
});

const request = (address: string) => fetch(site.url + address, { redirect: 'manual' });

it('redirects the former slug of a WordPress post to its present one, with the campaign of the address', async () => {
  const response = await request('/blog/former-slug?utm_source=old&gclid=g1');
  expect([response.status, response.headers.get('location')]).toEqual([
    301,
    '/blog/article-3?utm_source=old&gclid=g1',
  ]);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect((await request('/blog/former-slug')).headers.get('location')).toBe('/blog/article-3');
});

it('asks the source once for a slug that is requested often', async () => {
  for (let count = 0; count < 10; count += 1) await request('/blog/never-there');
  expect(upstream.calls.filter((call) => call.endsWith('?name=never-there'))).toHaveLength(1);
});

it.each(['loop-a', 'elsewhere', 'never-there', 'a%2F..%2Fb'])('responds 404 for %s', async (slug) =>
  expect((await request(`/blog/${slug}`)).status).toBe(404),
);

it('responds 404 or 503, and never with a redirect, when the source fails', async () => {
  await upstream.fail('status-500');
  expect([404, 503]).toContain((await request('/blog/another-slug')).status);
  await upstream.fail(null);
  await expect.poll(async () => (await request('/blog/one-more-slug')).status).toBe(404);
});
