import { expect, test } from '../support/browser-test.ts';
import { NOT_FOUND } from '../support/expected-noise.ts';
import { readRoutes } from '../support/routes.ts';

/** Pages that carry something made for one visit (the form: when it was shown), so that nobody may keep them. */
const MADE_FOR_EACH_VISIT = new Set(['/contact']);

async function readKeptRoutes(origin: string): Promise<string[]> {
  return (await readRoutes(origin)).filter((route) => !MADE_FOR_EACH_VISIT.has(route));
}

test.describe('addresses without a page', () => {
  test.use({ tolerated: NOT_FOUND });

  test('an unknown path shows the 404 page with status 404 and the way home', async ({ page }) => {
    const answer = await page.goto('/no-such-page');
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found');
    await page.getByRole('link', { name: 'Return to Home' }).click();
    await expect(page).toHaveURL('/');
  });

  test('an unknown article says so with status 404', async ({ page }) => {
    const answer = await page.goto('/blog/no-such-article');
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Article Not Found');
    await expect(page.getByText("The article you're looking for doesn't exist.")).toBeVisible();
  });

  test('an unknown path is never kept by a cache and never indexed', async ({ request }) => {
    const answer = await request.get('/no-such-page');
    expect(answer.headers()['cache-control']).toMatch(/no-store|max-age=\d{1,2}\b/);
    expect(await answer.text()).toMatch(/<meta name="robots" content="noindex/);
  });
});

test('every page answers HEAD like GET, without a body', async ({ request, site }) => {
  for (const route of await readKeptRoutes(site.url)) {
    const [get, head] = [await request.get(route), await request.head(route)];
    expect.soft(head.status(), route).toBe(get.status());
    expect.soft(head.headers()['content-type'], route).toBe(get.headers()['content-type']);
    expect.soft(head.headers()['content-length'], route).toBe(get.headers()['content-length']);
    expect.soft((await head.body()).length, route).toBe(0);
  }
});

test('every page has a validator and answers 304 to who has it', async ({ request, site }) => {
  for (const route of await readKeptRoutes(site.url)) {
    const { etag = '' } = (await request.get(route)).headers();
    expect.soft(etag, route).toMatch(/^"[^"]+"$/);
    const again = await request.get(route, { headers: { 'if-none-match': etag } });
    expect.soft(again.status(), route).toBe(304);
    expect.soft(again.headers()['etag'], route).toBe(etag);
  }
});

for (const [accepted, sent] of [
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['identity', undefined],
  ['br;q=0, gzip', 'gzip'],
] as const) {
  test(`a client that takes ${accepted} gets ${sent ?? 'the plain page'}`, async ({ request }) => {
    const answer = await request.get('/', { headers: { 'accept-encoding': accepted } });
    expect(answer.headers()['content-encoding']).toBe(sent);
    expect(answer.headers()['vary']).toMatch(/accept-encoding/i);
    expect(await answer.text()).toContain('</html>');
  });
}

test('pages let a cache in front serve them, also when this server is down', async ({ request, site }) => {
  for (const route of await readKeptRoutes(site.url)) {
    const policy = (await request.get(route)).headers()['cache-control'];
    expect.soft(policy, route).toMatch(/s-maxage=\d+.*stale-while-revalidate=\d+.*stale-if-error=\d+/);
    expect.soft(policy, route).not.toMatch(/private|no-store/);
  }
});

test('hashed files are kept for ever', async ({ request }) => {
  const html = await (await request.get('/')).text();
  const files = [...html.matchAll(/(?:src|href)="(\/_astro\/[^"]+)"/g)].map((match) => match[1] ?? '');
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    expect((await request.get(file)).headers()['cache-control'], file).toBe(
      'public, max-age=31536000, immutable',
    );
  }
});

test('parameters that mean nothing to a page change nothing', async ({ request, site }) => {
  for (const route of ['/', '/blog', ...(await readRoutes(site.url)).slice(-1)]) {
    const plain = await request.get(route);
    const marked = await request.get(`${route}?utm_source=x&gclid=y&x=%3Cscript%3E`);
    expect(await marked.text(), route).toBe(await plain.text());
    expect(marked.headers()['etag'], route).toBe(plain.headers()['etag']);
  }
});

test('a trailing slash leads to the path without it, the query kept', async ({ request, site }) => {
  for (const route of await readRoutes(site.url)) {
    if (route === '/') continue;
    const answer = await request.get(`${route}/?q=a&page=2`, { maxRedirects: 0 });
    expect.soft(answer.status(), route).toBe(301);
    expect.soft(answer.headers()['location'], route).toBe(`${route}?q=a&page=2`);
  }
});

for (const [alias, target] of [
  ['/gohighlevel-tutorial', '/gohighlevel-complete-tutorial'],
  ['/expert-review', '/expert-review-gohighlevel-business-systems-consultant'],
]) {
  test(`${alias} answers 301 to ${target}`, async ({ request }) => {
    const answer = await request.get(`${alias}?utm_source=a`, { maxRedirects: 0 });
    expect(answer.status()).toBe(301);
    expect(answer.headers()['location']).toBe(`${target}?utm_source=a`);
  });
}

test('robots.txt opens the site, closes the redirect and names the sitemap', async ({ request, site }) => {
  const robots = await request.get('/robots.txt');
  expect(robots.headers()['content-type']).toMatch(/^text\/plain/);
  const text = await robots.text();
  expect(text).toMatch(/^User-agent: \*$/m);
  expect(text).toMatch(/^Disallow: \/go\/$/m);
  expect(text).toContain(`Sitemap: ${site.url}/`);
});

test('the sitemap lists pages that answer 200, may be indexed and call themselves by that address', async ({
  request,
  site,
}) => {
  const routes = await readRoutes(site.url);
  expect(routes).toContain('/');
  expect(routes.filter((route) => route.startsWith('/go/'))).toEqual([]);
  for (const route of routes) {
    const answer = await request.get(route, { maxRedirects: 0 });
    const html = await answer.text();
    expect.soft(answer.status(), route).toBe(200);
    expect.soft(html, route).not.toMatch(/<meta name="robots" content="noindex/);
    expect.soft(html, route).toContain(`<link rel="canonical" href="${site.url}${route}"`);
  }
});

test('the process says that it lives and is ready', async ({ request }) => {
  expect((await request.get('/healthz')).status()).toBe(200);
  expect((await request.get('/readyz')).status()).toBe(200);
});
