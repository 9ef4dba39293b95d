import { expect, siteTest as test } from '../support/browser-test.ts';
import { findWrongHeaders, PAGE_POLICY, parseHead, sendRaw } from '../support/raw-request.ts';
import { readRoutes } from '../support/routes.ts';
import { startSite } from '../support/site.ts';

test('every page carries the whole set', { tag: '@generic' }, async ({ request, site }) => {
  for (const route of [
    ...(await readRoutes(site.url)),
    '/no-such-page',
    '/blog/no-such-article',
    '/blog?q=a&page=2',
  ]) {
    const headers = (await request.get(route)).headers();
    expect.soft(findWrongHeaders(headers), route).toEqual([]);
    for (const part of PAGE_POLICY) expect.soft(headers['content-security-policy'], route).toMatch(part);
  }
});

test('every file that a page names carries the whole set', { tag: '@generic' }, async ({ request, site }) => {
  const files = new Set(['/robots.txt', '/favicon.svg', '/site.webmanifest', '/rss.xml']);
  for (const route of (await readRoutes(site.url)).slice(0, 12)) {
    const html = await (await request.get(route)).text();
    for (const [, file] of html.matchAll(/(?:src|href)="(\/[^"?#]+\.\w{2,11})"/g)) files.add(file ?? '/');
  }
  for (const file of files) {
    const response = await request.get(file);
    expect.soft(response.status(), file).toBe(200);
    expect.soft(findWrongHeaders(response.headers()), file).toEqual([]);
  }
});

for (const [method, path] of [
  ['HEAD', '/'],
  ['OPTIONS', '/'],
  ['PUT', '/'],
  ['DELETE', '/blog'],
  ['POST', '/'],
  ['POST', '/favicon.svg'],
  ['POST', '/no-such-page'],
  ['GET', '/healthz'],
  ['GET', '/readyz'],
  ['GET', '/blog/'],
  ['GET', '/expert-review'],
  ['GET', '/go/highlevel'],
  ['HEAD', '/go/highlevel'],
  ['POST', '/go/highlevel'],
  ['GET', '/go/unknown'],
  ['GET', '/hubspot-trial'],
  ['GET', '/api/journey'],
  ['POST', '/api/journey'],
  ['PUT', '/api/journey'],
  ['POST', '/functions/article-service-proxy'],
  ['GET', '/functions/article-service-cdn-proxy'],
  ['GET', '/api/no-such-function'],
  ['GET', '/%00'],
  ['GET', '/%2e%2e/etc/passwd'],
] as const) {
  test(`${method} ${path} carries the whole set`, async ({ request }) => {
    const response = await request.fetch(path, { method, maxRedirects: 0 });
    expect(response.status()).toBeLessThan(500);
    expect(findWrongHeaders(response.headers())).toEqual([]);
  });
}

for (const path of ['/', '/favicon.svg', '/apple-touch-icon.png', '/rss.xml']) {
  test(`${path} that the browser has already carries the whole set`, async ({ request }) => {
    const { etag = '' } = (await request.get(path)).headers();
    const again = await request.get(path, { headers: { 'if-none-match': etag } });
    expect(again.status()).toBe(304);
    expect(findWrongHeaders(again.headers())).toEqual([]);
  });
}

// Malformed HTTP never reaches a worker: Cloudflare responds to it.
for (const [name, bytes, status] of [
  ['headers past the limit', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['what is not HTTP', 'hello\r\n\r\n', 400],
  [
    'a body past the limit',
    'POST /api/journey HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 999999999\r\n\r\n',
    413,
  ],
  ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n', 417],
  ['a request without a host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['an unknown method', 'PROPFIND / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 405],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
] as const) {
  test(`${name} gets ${status} with the whole set`, { tag: '@node' }, async ({ site }) => {
    const { status: got, headers } = parseHead(await sendRaw(site.url, bytes));
    expect(got).toBe(status);
    expect(findWrongHeaders(headers)).toEqual([]);
  });
}

test('a path that looks like another host is no redirect and carries the whole set', async ({ site }) => {
  const response = parseHead(
    await sendRaw(site.url, 'GET //evil.example/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
  );
  expect(response.status).toBe(404);
  expect(response.headers['location']).toBeUndefined();
  expect(findWrongHeaders(response.headers)).toEqual([]);
});

test('without its article service and behind TLS, responses carry the whole set and demand TLS', {
  tag: '@full',
}, async () => {
  await using site = await startSite({
    articleService: { url: 'http://127.0.0.1:1', key: 'key' },
    env: { SITE_URL: 'https://hub.example' },
  });
  const read = async (path: string, init?: RequestInit) => {
    const { status, headers } = await fetch(site.url + path, { redirect: 'manual', ...init });
    expect(headers.get('strict-transport-security'), path).toBe('max-age=86400');
    return { status, headers: Object.fromEntries(headers) };
  };
  for (const path of ['/blog', '/blog/crm-basics']) {
    const { status, headers } = await read(path);
    expect(status, path).toBe(503);
    expect(findWrongHeaders(headers), path).toEqual([]);
    for (const part of PAGE_POLICY) expect(headers['content-security-policy'], path).toMatch(part);
  }
  const { status, headers } = await read('/functions/article-service-proxy', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ path: '/articles?page=1&limit=1', method: 'GET', payload: null }),
  });
  expect([status, findWrongHeaders(headers)]).toEqual([502, []]);
  for (const path of ['/no-such-page', '/favicon.svg', '/healthz', '/go/highlevel']) await read(path);
  expect((await read('/')).headers['content-security-policy']).toContain('upgrade-insecure-requests');
});
