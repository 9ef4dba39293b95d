import { CHROMIUM_ARGS, findBrowsers } from '../../scripts/test/browsers.ts';
import { expect, test } from '../support/browser-test.ts';
import {
  evaluateSettled,
  openAndStore,
  PERSON,
  readEventsOf,
  readSession,
  waitForDelivery,
} from '../support/visit.ts';

const [executablePath] = findBrowsers('Chromium');

test.use({
  userAgent: PERSON,
  // Tests run without the page cache for Back and Forward unless they say otherwise.
  launchOptions: {
    args: CHROMIUM_ARGS,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    ...(executablePath ? { executablePath } : {}),
  },
});

test('a page restored by Back is viewed once more, in the same session', async ({ page, site }) => {
  await openAndStore(page, '/help?utm_source=back');
  await page.evaluate(() => {
    addEventListener('pageshow', (event) => {
      document.documentElement.dataset['restored'] = String(event.persisted);
    });
  });
  const session = await readSession(page);
  await page.locator('footer a[href="/terms"]').click();
  await page.waitForURL('**/terms');
  await waitForDelivery(page);
  // A page from the cache has loaded long ago: there is no load event to wait for.
  await page.evaluate(() => history.back());
  await expect(page.locator('html')).toHaveAttribute('data-restored', 'true');
  const views = () => readEventsOf(site, (event) => event.session === session);
  await expect.poll(() => views().then((events) => events.length)).toBe(3);
  expect((await views()).map((event) => event.page)).toEqual(['/help', '/terms', '/help']);
  const visits = await evaluateSettled(
    page,
    () => JSON.parse(sessionStorage.getItem('user_journey_data') ?? '{}').pageVisits,
  );
  expect(visits).toEqual(['/help', '/terms']);
});
