import { request as requestHttp } from 'node:http';
import { expect, siteTest } from '../support/browser-test.ts';

/** `fetch` refuses some of the methods. */
function send(url: string, method: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = requestHttp(url, { method }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject).end();
  });
}

siteTest('every path of the framework responds 404, and writes no line to the log', async ({ site }) => {
  const before = site.output().length;
  const paths = '/_image /_image?href=%2Ffavicon.svg&w=10&f=webp /_server-islands/x /_actions/x /500'.split(
    ' ',
  );
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'POST'])
      expect([path, method, await send(site.url + path, method)]).toEqual([path, method, 404]);
  }
  expect(site.output().slice(before)).not.toMatch(/"level":"(error|warn)"/);
});

siteTest('no path allows a method that changes or repeats something', async ({ site }) => {
  for (const path of [
    ...'/healthz /readyz /robots.txt /llms.txt /sitemap.xml /rss.xml /feed.json /go/highlevel'.split(' '),
    '/',
    '/blog',
    '/favicon.svg',
    '/api/journey',
    '/api/region',
  ])
    for (const method of ['TRACE', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'OPTIONS'])
      expect.soft([path, method, await send(site.url + path, method)]).toEqual([path, method, 405]);
});

siteTest('a client that refuses every encoding gets everything as it is', async ({ site }) => {
  for (const path of ['/rss.xml', '/feed.json', '/sitemap.xml', '/', '/blog', '/favicon.svg'])
    for (const accepted of ['gzip;q=0, br;q=0', 'gzip;q=0', 'br;q=0.000', 'identity']) {
      const { headers } = await fetch(site.url + path, { headers: { 'accept-encoding': accepted } });
      expect.soft([path, accepted, headers.get('content-encoding')]).toEqual([path, accepted, null]);
    }
});

siteTest('there is an image for shared links to a page that is newer than the build', async ({ site }) => {
  const led = await fetch(`${site.url}/og/added-since.png`, { redirect: 'manual' });
  expect(led.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  const { url, status, headers } = await fetch(`${site.url}/og/added-since.png`);
  expect([url, status, headers.get('content-type')]).toEqual([
    `${site.url}/og/default.png`,
    200,
    'image/png',
  ]);
});
