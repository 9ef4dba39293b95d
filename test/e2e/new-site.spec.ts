import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { expect, test } from '../support/browser-test.ts';
import { readRoutes } from '../support/routes.ts';
import { DESK_ROUTES, SUBSCRIPTION_WORDS } from '../support/standing-desks.ts';
import { PERSON, readEventsOf, readSession } from '../support/visit.ts';

test.use({ userAgent: PERSON });

/** Words of the shipped site, which a site about something else must not have. */
const SHIPPED =
  /\bcrm\b|high ?level|hubspot|activecampaign|\bkit\b|hlmax|sub-?accounts?|funnels?|pipelines?|agenc(y|ies)|newsletter|marketing|automation|coaches|saas/i;
const FILES =
  '/rss.xml /atom.xml /feed.json /llms.txt /robots.txt /sitemap.xml /sitemap-pages.xml /sitemap-articles.xml /site.webmanifest'.split(
    ' ',
  );

/** All words of five letters and more in the files of some folders. */
function readWords(...folders: readonly string[]): Set<string> {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ya?ml|md|tsx?|json|astro|css|txt)$/.test(name))
      .map((name) => readFileSync(path.join(ROOT, folder, name), 'utf8')),
  );
  return new Set(files.flatMap((text) => text.toLowerCase().match(/\p{L}{5,}/gu) ?? []));
}
const STATES =
  '/go/example /go/example?page=pricing /assessment?step=1 /no-such-page /blog/nothing /500'.split(' ');

/** A page without styles, and without the tables of the privacy policy, which name events of the product. */
const readHtml = async (address: string) => {
  const html = (await (await fetch(address)).text()).replace(/<style.*?<\/style>/gs, '');
  return address.endsWith('/privacy') ? html.replace(/<table.*?<\/table>/gs, '') : html;
};

test('no page or file of a new site has a word of the shipped one', { tag: '@generic' }, async ({ site }) => {
  const found: string[] = [];
  const routes = await readRoutes(site.url);
  expect(routes.length).toBeGreaterThan(8);
  // Each word of the shipped content that neither the product, the test of the desks nor the new site's name has.
  const known = readWords('src', 'networks', 'test/support').add('guide').add('chair');
  const words = [...readWords('content')].filter((word) => !known.has(word));
  expect(words.length).toBeGreaterThan(500);
  const all = new Set(words);
  const hasWord = (line: string) =>
    line
      .toLowerCase()
      .match(/\p{L}{5,}/gu)
      ?.some((word) => all.has(word)) ?? false;
  for (const route of ['/', ...routes, ...STATES, ...FILES]) {
    const text = await readHtml(site.url + route);
    // Names of compiled files are random letters.
    for (const line of text.replace(/\/_astro\/[\w.-]+/g, '').split(/(?<=>)|\n/)) {
      if (SHIPPED.test(line) || hasWord(line)) found.push(`${route}: ${line.trim().slice(0, 160)}`);
    }
  }
  expect(found).toEqual([]);
  // No picture for sharing is left of it either.
  for (const name of readdirSync(path.join(ROOT, 'content/pages'))) {
    if (routes.includes(`/${name.replace('.yaml', '')}`)) continue;
    const card = await fetch(`${site.url}/og/${name.replace('.yaml', '.png')}`, { redirect: 'manual' });
    expect([name, card.status]).toEqual([name, 302]);
  }
});

/** What readers see of a page, hear of it, or find in search results; not how long the site stores events. */
const readShown = (html: string) =>
  html
    .replace(/<(script|style)\b.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, (tag) =>
      [...tag.matchAll(/\b(?:alt|title|aria-label|placeholder|content)="([^"]*)"/g)]
        .map(([, text]) => `\n${text}\n`)
        .join('\n'),
    )
    .replace('We remove events after 13 months', '');

test('a site about desks says nothing about subscriptions, on no page and in no file', {
  tag: '@generic',
}, async ({ site }) => {
  const found: string[] = [];
  const routes = await readRoutes(site.url);
  expect(routes).toEqual(expect.arrayContaining(DESK_ROUTES));
  for (const route of ['/', ...routes, ...STATES, ...FILES]) {
    const text = readShown(await readHtml(site.url + route));
    for (const line of text.split('\n')) {
      if (SUBSCRIPTION_WORDS.test(line)) found.push(`${route}: ${line.trim().slice(0, 160)}`);
    }
  }
  expect(found).toEqual([]);
});

test('the name of a new site is its title, whatever characters it has', { tag: '@generic' }, async ({
  page,
}) => {
  await page.goto('/');
  await expect(page).toHaveTitle(/^Desk & "Chair" Guide: /);
});

test('a call to action of a new site leads to its partner with the code and nothing else', {
  tag: '@generic',
}, async ({ page, provider }) => {
  await page.goto('/example-product');
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('main').getByRole('link', { name: 'See Example Product' }).first().click(),
  ]);
  await opened.waitForURL(`${provider.url}/**`);
  const address = new URL(opened.url());
  expect(address.pathname).toBe('/pricing');
  expect([...address.searchParams]).toEqual([['ref', 'your-code']]);
});

test('a link without a redirect is the address of the shop, and its click is stored with its visit', {
  tag: '@generic',
}, async ({ page, provider, site }) => {
  const pages = await Promise.all(
    DESK_ROUTES.map(async (route) => [route, await readHtml(site.url + route)]),
  );
  const [route = ''] = pages.find(([, html]) => html?.includes('ping="/go/store')) ?? [];
  await page.goto(`${route}?utm_source=letter`);
  const session = await readSession(page);
  const link = page.getByRole('main').locator('a[ping^="/go/store"]').first();
  const href = (await link.getAttribute('href')) ?? '';
  expect(href).toMatch(new RegExp(`^${provider.url}/[^?]*\\?ref=your-code$`));
  const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  await opened.waitForURL(href);
  const readClicks = () =>
    readEventsOf(site, ({ name, data }) => name === 'affiliate_redirect' && data['partner'] === 'store');
  await expect.poll(async () => (await readClicks()).length).toBe(1);
  expect(await readClicks()).toMatchObject([
    { session, page: route, flags: [], campaign: { utm_source: 'letter' } },
  ]);
  expect(await link.getAttribute('ping')).toMatch(/^\/go\/store/);
});

test('the assessment of a new site ends with a recommendation', { tag: '@generic' }, async ({ page }) => {
  await page.goto('/assessment?step=1');
  for (const answer of ['I am just starting', 'Soon', 'A low price', 'Under $30']) {
    await page.getByText(answer, { exact: true }).click();
    await page.getByRole('button', { name: /^(Continue|See|Show|Get)/ }).click();
  }
  await expect(page.getByText('We recommend Example Product Basic')).toBeVisible();
});

test('headings have the font of the brand, from a file that never changes under its name', {
  tag: '@generic',
}, async ({ page }) => {
  for (const path of ['/', '/blog', '/assessment', '/example-product']) {
    const font = page.waitForResponse(/\/fonts\/brand\.[0-9a-f]{10}\.woff2$/);
    await page.goto(path);
    expect.soft((await font).headers()['cache-control']).toContain('immutable');
    expect
      .soft(await page.locator('h1').evaluate((h1) => getComputedStyle(h1).fontFamily))
      .toMatch(/^"?Brand/);
  }
});
