import { request as requestHttp } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.remove());

/** `fetch` refuses some of the methods. */
function send(path: string, method: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = requestHttp(site.url + path, { method }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject).end();
  });
}

it('responds 404 at every path of the framework, and writes no line to the log', async () => {
  const paths = '/_image /_image?href=%2Ffavicon.svg&w=10&f=webp /_server-islands/x /_actions/x /500'.split(
    ' ',
  );
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'POST'])
      expect([path, method, await send(path, method)]).toEqual([path, method, 404]);
  }
  expect(site.output()).not.toMatch(/"level":"(error|warn)"/);
});

it.each([
  ...'/healthz /readyz /robots.txt /llms.txt /sitemap.xml /rss.xml /feed.json /go/highlevel'.split(' '),
  ...['/', '/blog', '/favicon.svg', '/api/journey', '/api/region'],
])('allows no method at %s that changes or repeats something', async (path) => {
  for (const method of ['TRACE', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'OPTIONS'])
    expect([method, await send(path, method)]).toEqual([method, 405]);
});

it.each(['/rss.xml', '/feed.json', '/sitemap.xml', '/', '/blog', '/favicon.svg'])(
  'sends %s as it is to a client that refuses every encoding',
  async (path) => {
    for (const accepted of ['gzip;q=0, br;q=0', 'gzip;q=0', 'br;q=0.000', 'identity'])
      expect(
        (await fetch(site.url + path, { headers: { 'accept-encoding': accepted } })).headers.get(
          'content-encoding',
        ),
      ).toBeNull();
  },
);

it('has an image for shared links to a page that is newer than the build', async () => {
  const led = await fetch(`${site.url}/og/added-since.png`, { redirect: 'manual' });
  expect(led.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  const { url, status, headers } = await fetch(`${site.url}/og/added-since.png`);
  expect([url, status, headers.get('content-type')]).toEqual([
    `${site.url}/og/default.png`,
    200,
    'image/png',
  ]);
});
