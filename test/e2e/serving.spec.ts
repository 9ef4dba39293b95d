import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { APIRequestContext } from '@playwright/test';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { expect, NOT_FOUND, siteTest, test } from '../support/browser-test.ts';
import { fetchEncoded } from '../support/first-flight.ts';
import { readRoutes } from '../support/routes.ts';
import { findFreePort, startSite } from '../support/site.ts';

/** Pages with content for one visit (the form has the time when it was shown), which no cache may store. */
const MADE_FOR_EACH_VISIT = new Set(['/contact']);

async function readKeptRoutes(origin: string): Promise<string[]> {
  return (await readRoutes(origin)).filter((route) => !MADE_FOR_EACH_VISIT.has(route));
}

test.describe('addresses without a page', () => {
  test.use({ tolerated: NOT_FOUND });

  test('an unknown path shows the 404 page with status 404 and the way home', async ({ page }) => {
    const response = await page.goto('/no-such-page');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found');
    await page.getByRole('link', { name: 'Return to Home' }).click();
    await expect(page).toHaveURL('/');
  });

  test('an unknown path suggests pages whose titles have its words', async ({ page }) => {
    await page.goto('/pricing-of-hubspot');
    const suggested = page.getByRole('navigation', { name: 'Were you looking for one of these?' });
    await expect(suggested.getByRole('link').first()).toHaveAttribute('href', '/hubspot-from-the-documents');
    await page.goto('/zzz');
    await expect(suggested).toHaveCount(0);
  });
});

siteTest('an unknown path is neither cached nor indexed', async ({ request }) => {
  const response = await request.get('/no-such-page');
  expect(response.headers()['cache-control']).toMatch(/no-store|max-age=\d{1,2}\b/);
  expect(await response.text()).toMatch(/<meta name="robots" content="noindex/);
});

// Cloudflare compresses responses to GET and sends them without a length.
siteTest(
  'every page responds to HEAD as to GET, without a body',
  { tag: ['@generic', '@node'] },
  async ({ request, site }) => {
    for (const route of await readKeptRoutes(site.url)) {
      const [get, head] = [await request.get(route), await request.head(route)];
      expect.soft(head.status(), route).toBe(get.status());
      expect.soft(head.headers()['content-type'], route).toBe(get.headers()['content-type']);
      expect.soft(head.headers()['content-length'], route).toBe(get.headers()['content-length']);
      expect.soft((await head.body()).length, route).toBe(0);
    }
  },
);

siteTest(
  'every page has a validator and responds 304 when the ETag matches',
  { tag: '@generic' },
  async ({ request, site }) => {
    for (const route of await readKeptRoutes(site.url)) {
      const { etag = '' } = (await request.get(route)).headers();
      expect.soft(etag, route).toMatch(/^"[^"]+"$/);
      const again = await request.get(route, { headers: { 'if-none-match': etag } });
      expect.soft(again.status(), route).toBe(304);
      expect.soft(again.headers()['etag'], route).toBe(etag);
    }
  },
);

// Compression is Cloudflare's part.
for (const [accepted, sent] of [
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
] as const) {
  siteTest(`a client that takes ${accepted} gets ${sent}`, { tag: '@node' }, async ({ request }) => {
    const response = await request.get('/', { headers: { 'accept-encoding': accepted } });
    expect(response.headers()['content-encoding']).toBe(sent);
    expect(response.headers()['vary']).toMatch(/accept-encoding/i);
    expect(await response.text()).toContain('</html>');
  });
}

siteTest(
  'pages let a cache in front serve them, also while this server is down',
  async ({ request, site }) => {
    for (const route of await readKeptRoutes(site.url)) {
      const policy = (await request.get(route)).headers()['cache-control'];
      expect.soft(policy, route).toMatch(/s-maxage=\d+.*stale-while-revalidate=\d+.*stale-if-error=\d+/);
      expect.soft(policy, route).not.toMatch(/private|no-store/);
    }
  },
);

/** Files that a page names, with those that the build has not compressed, without those that a handler writes. */
async function readFiles(request: APIRequestContext): Promise<{ hashed: string[]; others: string[] }> {
  const html = await (await request.get('/roi-calculator')).text();
  const named = [...html.matchAll(/(?:(?:src|href|component-url)="|url\("?)(\/[^"?#)]+\.\w{2,11})[")]/g)];
  const files = [...new Set(named.map((match) => match[1] ?? ''))].filter(
    (file) => !/^\/(rss|feed|atom|site\.webmanifest)\b/.test(file),
  );
  const isHashed = (file: string) => /^\/(_astro|fonts|images)\//.test(file);
  return { hashed: files.filter(isHashed), others: files.filter((file) => !isHashed(file)) };
}

siteTest('hashed files are cached for a year, others for a while', async ({ request }) => {
  const { hashed, others } = await readFiles(request);
  expect(hashed.some((file) => file.endsWith('.js'))).toBe(true);
  expect(hashed.some((file) => file.endsWith('.woff2'))).toBe(true);
  expect(others.length).toBeGreaterThan(0);
  for (const file of hashed) {
    expect((await request.get(file)).headers()['cache-control'], file).toBe(
      'public, max-age=31536000, immutable',
    );
  }
  for (const file of others)
    expect((await request.get(file)).headers()['cache-control'], file).toBe('public, max-age=3600');
});

// Workers static assets respond to HEAD without a length.
siteTest(
  'files have a validator, respond 304 when the ETag matches, and respond to HEAD as to GET',
  { tag: '@node' },
  async ({ request }) => {
    const { hashed, others } = await readFiles(request);
    for (const file of [...hashed, ...others]) {
      const got = await request.get(file);
      const { etag = '' } = got.headers();
      expect.soft(etag, file).toMatch(/^"[^"]+"$/);
      const again = await request.get(file, { headers: { 'if-none-match': etag } });
      expect.soft(again.status(), file).toBe(304);
      expect.soft(again.headers()['etag'], file).toBe(etag);
      const head = await request.head(file);
      expect.soft(head.status(), file).toBe(200);
      for (const name of ['content-type', 'content-length', 'content-encoding', 'etag', 'vary'])
        expect.soft(head.headers()[name], `${file}: ${name}`).toBe(got.headers()[name]);
    }
  },
);

// Compression is Cloudflare's part.
siteTest(
  'what the build has compressed is sent as it is, at the first request already',
  { tag: '@node' },
  async () => {
    const client = path.join(ROOT, 'dist/client');
    const compressed = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(js|svg|webmanifest)\.br$/.test(name),
    );
    expect(compressed.some((name) => name.endsWith('.js.br'))).toBe(true);
    await using fresh = await startSite();
    for (const name of compressed) {
      const file = name.replace(/\.br$/, '').split(path.sep).join('/');
      const plain = readFileSync(path.join(client, file));
      // What is shorter is sent as it is.
      if (plain.length < 200) continue;
      for (const [accepted, ending] of [
        ['br', '.br'],
        ['gzip', '.gz'],
      ] as const) {
        const sent = await fetchEncoded(`${fresh.url}/${file}`, accepted);
        expect.soft(sent.headers['content-encoding'], file).toBe(accepted);
        expect.soft(sent.headers['vary'], file).toMatch(/accept-encoding/i);
        expect
          .soft(sent.body.equals(readFileSync(path.join(client, file + ending))), file + ending)
          .toBe(true);
      }
      const { headers } = await fetchEncoded(`${fresh.url}/${file}`, 'identity');
      expect.soft(headers['content-encoding'], file).toBeUndefined();
      expect.soft(headers['content-length'], file).toBe(String(plain.length));
      expect.soft(headers['vary'], file).toMatch(/accept-encoding/i);
    }
  },
);

siteTest(
  'parameters and headers that mean nothing to a page change nothing, even first',
  { tag: '@full' },
  async () => {
    await using fresh = await startSite();
    await using clean = await startSite();
    const plain = (text: string) => text.replaceAll(fresh.url, 'SITE').replaceAll(clean.url, 'SITE');
    const routes = ['/', '/blog', '/roi-calculator', ...(await readRoutes(fresh.url)).slice(-1)];
    for (const route of routes) {
      const poison = `${route}?utm_source=zq9&gclid=zq9&x=%3Cscript%3Ezq9&canonical=//evil.example`;
      const headers = {
        'x-forwarded-host': 'evil.example',
        'x-original-url': '/zq9',
        'x-forwarded-proto': 'zq9',
      };
      const poisoned = await fetch(fresh.url + poison, { headers });
      const later = await fetch(fresh.url + route);
      const text = await later.text();
      expect(await poisoned.text(), route).toBe(text);
      expect(poisoned.headers.get('etag'), route).toBe(later.headers.get('etag'));
      expect(text, route).not.toMatch(/zq9|evil\.example/);
      expect(plain(text), route).toBe(plain(await (await fetch(clean.url + route)).text()));
    }
  },
);

// A worker has no metrics, which count the cached pages.
siteTest('unknown parameters do not split the cached pages', { tag: '@node' }, async () => {
  const port = await findFreePort();
  await using site = await startSite({ env: { METRICS_PORT: String(port) } });
  const countKept = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return Number(/^signpost_pages_cached (\d+)$/m.exec(metrics)?.[1]);
  };
  let visit = 0;
  // Pages are dropped while pictures are drawn after a start, so they are asked for until all are there.
  const countAfter = async (...routes: readonly string[]) => {
    for (const route of [...routes, ...routes]) {
      visit += 1;
      const response = await fetch(`${site.url}${route}gclid=${visit}&x${visit}=1`);
      expect(response.status).toBe(200);
    }
    return countKept();
  };
  await expect.poll(() => countAfter('/?', '/blog?', '/help?')).toBe(3);
  await expect.poll(() => countAfter('/?', '/blog?', '/help?', '/blog?page=2&')).toBe(4);
});

for (const [alias, target] of [
  ['/gohighlevel-tutorial', '/gohighlevel-complete-tutorial'],
  ['/takeaways/trial-plan.ics', '/gohighlevel-free-trial'],
  ['/expert-review', '/expert-review-gohighlevel-business-systems-consultant'],
]) {
  siteTest(`${alias} responds 301 to ${target}`, async ({ request }) => {
    const response = await request.get(`${alias}?utm_source=a`, { maxRedirects: 0 });
    expect(response.status()).toBe(301);
    expect(response.headers()['location']).toBe(`${target}?utm_source=a`);
  });
}

siteTest('robots.txt opens the site, closes /go/ and names the sitemap', async ({ request, site }) => {
  const robots = await request.get('/robots.txt');
  expect(robots.headers()['content-type']).toMatch(/^text\/plain/);
  const text = await robots.text();
  expect(text).toMatch(/^User-agent: \*$/m);
  expect(text).toMatch(/^Disallow: \/go\/$/m);
  expect(text).toContain(`Sitemap: ${site.url}/`);
});
