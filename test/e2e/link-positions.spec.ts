import { expect, siteTest as test } from '../support/browser-test.ts';
import { readRoutes } from '../support/routes.ts';
import { PERSON, readEventsOf } from '../support/visit.ts';

/** Links of the site to partners; those in the text of an article were written by its author. */
const PAID_LINK = /<a [^>]*rel="sponsored noopener"[^>]*>/g;

test('every button that leads to a partner names its part of the page', { tag: '@generic' }, async ({
  site,
}) => {
  const routes = await readRoutes(site.url);
  let found = 0;
  for (const route of routes.filter((path) => !path.startsWith('/blog/'))) {
    const html = await (await fetch(site.url + route)).text();
    for (const [link] of html.matchAll(PAID_LINK)) {
      found += 1;
      expect.soft(link, route).toMatch(/href="\/[^"]*[?&](amp;)?position=[a-z][a-z0-9-]*"/);
    }
  }
  expect(found).toBeGreaterThan(0);
});

test('the buttons of one page are told apart by their clicks, without scripts too', async ({ site }) => {
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
