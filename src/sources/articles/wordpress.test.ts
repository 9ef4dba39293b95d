import { afterEach, expect, it } from 'vitest';
import { startUpstream, type Upstream } from '../../../test/support/upstream-server.ts';
import { guardedGet } from '../http/guarded-http.ts';
import { findMovedPost } from './wordpress.ts';

const SLUG = 'former-slug';

let upstream: Upstream;
afterEach(() => upstream.close());

async function find(status: number, location?: (url: string) => string) {
  let url = '';
  upstream = await startUpstream(() => ({
    status,
    ...(location && { headers: { location: location(url) } }),
    json: {},
  }));
  ({ url } = upstream);
  const service = { name: 'wordpress', url, setting: '', accessRemedy: '', formatRemedy: '' };
  return findMovedPost(guardedGet, service, SLUG, 2_000);
}

it.each([
  ['an absolute address', (url: string) => `${url}/present-slug/`, 'present-slug'],
  ['a path', () => '/present-slug/', 'present-slug'],
  ['a permalink with a date', (url: string) => `${url}/2026/11/20/present-slug/`, 'present-slug'],
  ['letters of another script', () => '/%D1%86%D0%B5%D0%BD%D0%B0/', 'цена'],
])('finds the slug to which a site redirects with %s', async (_, location, slug) => {
  expect(await find(301, location)).toBe(slug);
  expect(upstream.calls).toEqual([`GET /?name=${SLUG}`]);
});

it.each([
  ['another site', 301, () => 'https://evil.example/present-slug/'],
  ['another scheme', 301, () => 'javascript:alert(1)'],
  ['the same slug', 301, () => `/${SLUG}/`],
  ['the front page', 301, () => '/'],
  ['broken escapes', 301, () => '/%E0%A4%A/'],
  ['no slug', 301, () => '/a%2F..%2Fb/'],
  ['nothing', 301, () => ''],
  ['a page for a while', 302, () => '/present-slug/'],
])('finds nothing when a site redirects to %s', async (_, status, location) => {
  expect(await find(status, location)).toBeNull();
});

it.each([404, 200, 500])('finds nothing when a site responds with %d', async (status) =>
  expect(await find(status)).toBeNull(),
);

it('rejects when the site does not respond', async () => {
  expect(await find(404)).toBeNull();
  await upstream.fail('down');
  const service = { name: 'wordpress', url: upstream.url, setting: '', accessRemedy: '', formatRemedy: '' };
  await expect(findMovedPost(guardedGet, service, SLUG, 2_000)).rejects.toMatchObject({ code: 'failed' });
});
