import { expect, siteTest, test } from '../support/browser-test.ts';
import { readRoutes } from '../support/routes.ts';
import { readStructuredData, type StructuredData } from '../support/structured-data.ts';

const REVIEW = '/expert-review-gohighlevel-business-systems-consultant';

/** What a route has to say of itself, beyond the way to it. */
function listExpected(route: string, html: string): string[] {
  if (route === '/') return ['Organization', 'WebSite'];
  return [
    ...(/^\/blog\/(?!topic\/|tag\/)/.test(route) ? ['BlogPosting'] : []),
    'BreadcrumbList',
    ...(html.includes('<details name="faq-') ? ['FAQPage'] : []),
    ...(route.startsWith('/authors/') ? ['ProfilePage'] : []),
    ...(route === REVIEW ? ['SoftwareApplication'] : []),
  ];
}

siteTest(
  'every route carries the structured data of its kind, whole and true to its address',
  async ({ site }) => {
    test.setTimeout(120_000);
    const routes = await readRoutes(site.url);
    const wrong: string[] = [];
    for (const route of routes) {
      const html = await (await fetch(site.url + route)).text();
      const data = readStructuredData(html);
      const kinds = data.map((one) => one['@type']).sort();
      if (kinds.join() !== listExpected(route, html).sort().join()) wrong.push(`${route}: ${kinds.join()}`);
      wrong.push(...findForeign(data, site.url).map((address) => `${route}: ${address}`));
      const way = data.find((one) => one['@type'] === 'BreadcrumbList');
      if (way && way.itemListElement.at(-1)?.item !== site.url + route)
        wrong.push(`${route}: the way ends elsewhere`);
    }
    expect(routes.length).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  },
);

/** Addresses of the site's own things that are not on the site. */
function findForeign(data: readonly StructuredData[], origin: string): string[] {
  const own = data.filter((one) => one['@type'] !== 'SoftwareApplication');
  return [...JSON.stringify(own).matchAll(/"(https?:[^"]+)"/g)]
    .map(([, address = '']) => address)
    .filter((address) => address !== 'https://schema.org' && !address.startsWith(`${origin}/`));
}

siteTest('every address that structured data names is there', async ({ site }) => {
  test.setTimeout(120_000);
  const named = new Set<string>();
  for (const route of await readRoutes(site.url)) {
    const data = readStructuredData(await (await fetch(site.url + route)).text());
    for (const [, address = ''] of JSON.stringify(data).matchAll(/"(https?:[^"{]+)"/g)) {
      if (address.startsWith(`${site.url}/`)) named.add(address);
    }
  }
  const broken: string[] = [];
  for (const address of named) {
    const response = await fetch(address, { method: 'HEAD' });
    if (response.status !== 200) broken.push(`${address} responds ${response.status}`);
  }
  expect(named.size).toBeGreaterThan(60);
  expect(broken).toEqual([]);
});

test('the review states each score that its page shows, once', async ({ page, site }) => {
  await page.goto(REVIEW);
  const shown = await page
    .locator('#ratings li')
    .evaluateAll((rows) =>
      rows.map((row) => [
        row.querySelector('h3')?.textContent ?? '',
        Number.parseInt(row.querySelector('p')?.textContent ?? '', 10),
      ]),
    );
  const data = readStructuredData(await (await fetch(site.url + REVIEW)).text());
  const review = data.find((one) => one['@type'] === 'SoftwareApplication');
  const stated = review?.review.map((one) => [one.reviewAspect, one.reviewRating.ratingValue]);
  expect(shown.length).toBeGreaterThan(1);
  expect(stated).toEqual(shown);
});
