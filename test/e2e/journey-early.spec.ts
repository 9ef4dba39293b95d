import { expect, test } from '../support/browser-test.ts';
import {
  clickAndArrive,
  holdFiles,
  PERSON,
  readEventsOf,
  readSession,
  waitForDelivery,
} from '../support/visit.ts';

test.use({ userAgent: PERSON });

test.beforeEach(({ provider }) => provider.reset());

const VISIT_SCRIPT = '**/_astro/visit-*.js';

test('pages left before the visit script has loaded are in journey and events', async ({ page, site }) => {
  const release = await holdFiles(page, VISIT_SCRIPT);
  await page.goto('/help?utm_source=early-leave&gclid=early');
  await page.goto('/terms');
  release();
  await page.goto('/contact');
  await waitForDelivery(page);
  const session = await readSession(page);
  const events = await readEventsOf(site, (event) => event.session === session);
  expect(events.map(({ name, page: path }) => `${name} ${path}`)).toEqual([
    'page_view /help',
    'page_view /terms',
    'page_view /contact',
  ]);
  expect(events.map(({ campaign }) => campaign['utm_source'])).toEqual(Array(3).fill('early-leave'));
  const times = events.map(({ clientTime }) => Number(clientTime));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const journey = await page.evaluate(() => JSON.parse(sessionStorage.getItem('user_journey_data') ?? '{}'));
  expect(journey).toMatchObject({ entryPage: '/help', pageVisits: ['/help', '/terms', '/contact'] });
  expect(journey).not.toHaveProperty('left');
});

test('a link clicked before the visit script has loaded carries the visit', async ({ page, provider }) => {
  const release = await holdFiles(page, VISIT_SCRIPT);
  await page.goto('/gohighlevel-free-trial?utm_source=early-click', { waitUntil: 'domcontentloaded' });
  const arrival = clickAndArrive(page, provider, page.locator('main a[href^="/go/highlevel"]').first());
  release();
  const { request } = await arrival;
  expect(request.query.get('utm_source')).toBe('early-click');
  expect(request.query.get('entry_page')).toBe('gohighlevel_free_trial');
});

test('a link to a partner works when the visit script cannot be loaded', async ({ page, provider }) => {
  await holdFiles(page, VISIT_SCRIPT);
  await page.goto('/gohighlevel-free-trial', { waitUntil: 'domcontentloaded' });
  const { request } = await clickAndArrive(
    page,
    provider,
    page.locator('main a[href^="/go/highlevel"]').first(),
  );
  expect(request.query.get('fp_ref')).toBe('hlmax');
});
