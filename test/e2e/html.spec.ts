import { HtmlValidate } from 'html-validate';
import { expect, siteTest } from '../support/browser-test.ts';
import { readRoutes } from '../support/routes.ts';
import { readStructuredData, type StructuredData } from '../support/structured-data.ts';
import { PERSON, readEventsOf } from '../support/visit.ts';

const validator = new HtmlValidate({ extends: ['html-validate:standard'] });

/** Pages that no sitemap lists. */
const STATES =
  '/blog?q=crm /blog?q=nothingmatchesthis /assessment?step=1 /assessment?step=results /assessment?step=results&business-type=agency'.split(
    ' ',
  );
const FAILURES = ['/no-such-page', '/blog/no-such-article', '/500'];

siteTest('every page is valid HTML', { tag: '@generic' }, async ({ request, site }) => {
  const invalid: string[] = [];
  for (const route of [...(await readRoutes(site.url)), ...STATES, ...FAILURES]) {
    const html = await (await request.get(route)).text();
    const { results } = await validator.validateString(html, route);
    for (const { messages } of results) {
      for (const { ruleId, message, line, column } of messages) {
        invalid.push(`${route}:${line}:${column} ${ruleId}: ${message}`);
      }
    }
    if ((html.match(/<h1\b/g) ?? []).length !== 1) invalid.push(`${route} has not one <h1>`);
  }
  expect(invalid).toEqual([]);
});

siteTest('links and buttons that styles set apart are words apart without them', async ({ site }) => {
  const pages = [...(await readRoutes(site.url)), ...STATES, ...FAILURES];
  for (const route of pages) {
    const html = await (await fetch(site.url + route)).text();
    const touching = /<\/(?:a|button)>(?:<\/?(?:span|small)\b[^>]*>)*<(?:a|button)\b[^>]*>/g;
    expect.soft(html.match(touching) ?? [], route).toEqual([]);
  }
});

/** Links of the site to partners; those in the text of an article were written by its author. */
const PAID_LINK = /<a [^>]*rel="sponsored noopener"[^>]*>/g;

siteTest(
  'every button that leads to a partner names its part of the page',
  { tag: '@generic' },
  async ({ site }) => {
    const routes = await readRoutes(site.url);
    let found = 0;
    for (const route of routes.filter((path) => !path.startsWith('/blog/'))) {
      const html = await (await fetch(site.url + route)).text();
      for (const [link] of html.matchAll(PAID_LINK)) {
        found += 1;
        // A link that is the shop's own address (`redirect: no`) names it in the address that counts its clicks.
        expect.soft(link, route).toMatch(/\b(?:href|ping)="\/[^"]*[?&](amp;)?position=[a-z][a-z0-9-]*"/);
      }
    }
    expect(found).toBeGreaterThan(0);
  },
);

siteTest('the buttons of one page are told apart by their clicks, without scripts too', async ({ site }) => {
  const html = await (await fetch(`${site.url}/gohighlevel-free-trial`)).text();
  const links = [...html.matchAll(PAID_LINK)].map(
    ([link]) => /href="([^"]+)"/.exec(link)?.[1]?.replaceAll('&amp;', '&') ?? '',
  );
  const wanted = links.map((link) => new URLSearchParams(link.split('?')[1]).get('position'));
  expect(new Set(wanted).size).toBe(links.length);
  const headers = { 'user-agent': PERSON, referer: `${site.url}/gohighlevel-free-trial` };
  for (const link of links) await fetch(site.url + link, { headers });
  const clicks = await readEventsOf(
    site,
    ({ name, page }) => name === 'affiliate_redirect' && page === '/gohighlevel-free-trial',
  );
  const stored = clicks.map(({ data }) => data['position']);
  for (const position of wanted) expect.soft(stored).toContain(position);
});

const REVIEW = '/expert-review-gohighlevel-business-systems-consultant';

/** What a route has to say of itself, beyond the way to it. */
function listExpected(route: string): string[] {
  if (route === '/') return ['Organization', 'WebSite'];
  return [
    ...(/^\/blog\/(?!topic\/|tag\/)/.test(route) ? ['BlogPosting'] : []),
    'BreadcrumbList',
    ...(route.startsWith('/authors/') ? ['ProfilePage'] : []),
  ];
}

siteTest('every route has the structured data of its kind, true to its address', async ({ site }) => {
  const routes = await readRoutes(site.url);
  const wrong: string[] = [];
  for (const route of routes) {
    const html = await (await fetch(site.url + route)).text();
    const data = readStructuredData(html);
    const kinds = data.map((one) => one['@type']).sort();
    if (kinds.join() !== listExpected(route).sort().join()) wrong.push(`${route}: ${kinds.join()}`);
    wrong.push(...findForeign(data, site.url).map((address) => `${route}: ${address}`));
    const way = data.find((one) => one['@type'] === 'BreadcrumbList');
    if (way && way.itemListElement.at(-1)?.item !== site.url + route)
      wrong.push(`${route}: the way ends elsewhere`);
  }
  expect(routes.length).toBeGreaterThan(40);
  expect(wrong).toEqual([]);
});

/** Addresses of the site's own things that are not on the site. */
function findForeign(data: readonly StructuredData[], origin: string): string[] {
  const own = data.filter((one) => one['@type'] !== 'SoftwareApplication');
  return [...JSON.stringify(own).matchAll(/"(https?:[^"]+)"/g)]
    .map(([, address = '']) => address)
    .filter((address) => address !== 'https://schema.org' && !address.startsWith(`${origin}/`));
}

siteTest('every address that structured data names is there', async ({ site }) => {
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

siteTest('the review gives search engines no scores without a recorded test', async ({ site }) => {
  const html = await (await fetch(site.url + REVIEW)).text();
  expect(html).toContain('id="ratings"');
  expect(readStructuredData(html).map((one) => one['@type'])).not.toContain('SoftwareApplication');
});
