import { expect, test } from '../support/browser-test.ts';
import { parseHead, sendRaw } from '../support/raw-request.ts';
import { readRoutes } from '../support/routes.ts';
import { startSite } from '../support/site.ts';

/** What every answer carries, whatever it is. */
const EVERYWHERE: Readonly<Record<string, RegExp>> = {
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^strict-origin-when-cross-origin$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-(site|origin)$/,
  'origin-agent-cluster': /^\?1$/,
  'permissions-policy': /camera=\(\), microphone=\(\), geolocation=\(\)/,
  'content-security-policy': /^default-src 'none';(?!.*'unsafe-).*frame-ancestors 'none'/,
};

/** What a page's policy says beyond that. */
const PAGE_POLICY = [
  /script-src 'self'( 'sha256-[\w+/=]+')*;/,
  /script-src-attr 'none'/,
  /style-src 'self'( 'sha256-[\w+/=]+')*;/,
  /style-src-attr 'none'/,
  /object-src 'none'/,
  /base-uri 'none'/,
  /form-action 'self'/,
  /require-trusted-types-for 'script'/,
];

function findWrongHeaders(headers: Readonly<Record<string, string>>): string[] {
  const wrong = Object.entries(EVERYWHERE)
    .filter(([name, form]) => !form.test(headers[name] ?? ''))
    .map(([name]) => `${name}: ${headers[name]}`);
  const telling = ['server', 'x-powered-by', 'access-control-allow-origin'].filter((name) => name in headers);
  return [...wrong, ...telling];
}

test('every page carries the whole set', async ({ request, site }) => {
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

test('every file that a page names carries the whole set', async ({ request, site }) => {
  const files = new Set(['/robots.txt', '/favicon.svg', '/site.webmanifest', '/rss.xml']);
  for (const route of (await readRoutes(site.url)).slice(0, 12)) {
    const html = await (await request.get(route)).text();
    for (const [, file] of html.matchAll(/(?:src|href)="(\/[^"?#]+\.\w{2,11})"/g)) files.add(file ?? '/');
  }
  for (const file of files) {
    const answer = await request.get(file);
    expect.soft(answer.status(), file).toBe(200);
    expect.soft(findWrongHeaders(answer.headers()), file).toEqual([]);
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
  ['GET', '/go/nobody'],
  ['GET', '/hubspot-trial'],
  ['GET', '/api/journey'],
  ['POST', '/api/journey'],
  ['PUT', '/api/journey'],
  ['POST', '/api/assessments'],
  ['POST', '/functions/article-service-proxy'],
  ['GET', '/functions/article-service-cdn-proxy'],
  ['GET', '/api/no-such-function'],
  ['GET', '/%00'],
  ['GET', '/%2e%2e/etc/passwd'],
] as const) {
  test(`${method} ${path} carries the whole set`, async ({ request }) => {
    const answer = await request.fetch(path, { method, maxRedirects: 0 });
    expect(answer.status()).toBeLessThan(500);
    expect(findWrongHeaders(answer.headers())).toEqual([]);
  });
}

test('a page that the browser has already carries the whole set', async ({ request }) => {
  const { etag = '' } = (await request.get('/')).headers();
  const again = await request.get('/', { headers: { 'if-none-match': etag } });
  expect(again.status()).toBe(304);
  expect(findWrongHeaders(again.headers())).toEqual([]);
});

for (const [name, bytes, status] of [
  ['headers past the limit', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['what is not HTTP', 'hello\r\n\r\n', 400],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
] as const) {
  test(`${name} gets ${status} with the whole set`, async ({ site }) => {
    const { status: got, headers } = parseHead(await sendRaw(site.url, bytes));
    expect(got).toBe(status);
    expect(findWrongHeaders(headers)).toEqual([]);
  });
}

test('a path that looks like another host is no redirect and carries the whole set', async ({ site }) => {
  const answer = parseHead(
    await sendRaw(site.url, 'GET //evil.example/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
  );
  expect(answer.status).toBe(404);
  expect(answer.headers['location']).toBeUndefined();
  expect(findWrongHeaders(answer.headers)).toEqual([]);
});

test('behind TLS every answer demands TLS for the future', async () => {
  const site = await startSite({ env: { SITE_URL: 'https://hub.example' } });
  try {
    for (const path of ['/', '/no-such-page', '/favicon.svg', '/healthz', '/go/highlevel']) {
      const { headers } = await fetch(site.url + path, { redirect: 'manual' });
      expect(headers.get('strict-transport-security'), path).toBe('max-age=63072000; includeSubDomains');
    }
    const policy = (await fetch(site.url)).headers.get('content-security-policy');
    expect(policy).toContain('upgrade-insecure-requests');
  } finally {
    await site.remove();
  }
});
