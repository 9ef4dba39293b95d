import { OUTBOX_PAUSE_KEY } from '../../src/core/consent/storage-keys.ts';
import { expect, test } from '../support/browser-test.ts';
import { startSite } from '../support/site.ts';
import {
  clickAndArrive,
  countWaiting,
  PERSON,
  readEventsOf,
  readSession,
  waitForDelivery,
  waitForRecord,
} from '../support/visit.ts';

test.use({
  userAgent: PERSON,
  tolerated: {
    patterns: [/Failed to load resource/, /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED/],
    reason: 'the browser itself notes each request that a test makes fail',
  },
});

test.beforeEach(({ provider }) => provider.reset());

const CALL = 'main a[href^="/go/highlevel"]';

test('with storage denied, the page works and the visitor arrives', async ({ page, provider }) => {
  await page.addInitScript(() => {
    for (const name of ['sessionStorage', 'localStorage']) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
    }
  });
  const stored = page.waitForResponse((answer) => answer.url().endsWith('/api/journey'));
  await page.goto('/gohighlevel-free-trial?utm_source=newsletter');
  expect((await stored).status()).toBe(202);
  const { request } = await clickAndArrive(page, provider, page.locator(CALL).first());
  expect(request.query.getAll('fp_ref')).toEqual(['hlmax']);
  expect(request.query.get('utm_source')).toBe('newsletter');
});

test('with storage full, the visitor arrives, and every event is stored', async ({
  page,
  provider,
  site,
}) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Full.', 'QuotaExceededError');
    };
    Object.defineProperty(window, 'localStorage', {
      value: new Proxy(localStorage, {
        set() {
          throw new DOMException('Full.', 'QuotaExceededError');
        },
      }),
    });
  });
  await page.goto('/help?utm_source=full-storage');
  await page.goto('/gohighlevel-free-trial?utm_source=full-storage');
  await clickAndArrive(page, provider, page.locator(CALL).first());
  await expect
    .poll(() =>
      readEventsOf(site, (event) => event.campaign['utm_source'] === 'full-storage').then((e) => e.length),
    )
    .toBe(4);
});

test('a visitor arrives at the provider when the collector is blocked', async ({ page, provider }) => {
  await page.route('**/api/journey', (route) => route.abort('blockedbyclient'));
  await page.goto('/gohighlevel-free-trial?gclid=abc');
  const { request } = await clickAndArrive(page, provider, page.locator(CALL).first());
  expect(request.query.get('gclid')).toBe('abc');
});

test('what happens offline is delivered once, in order, when back online', async ({
  page,
  context,
  site,
}) => {
  await page.goto('/gohighlevel-free-trial');
  await waitForDelivery(page);
  const session = await readSession(page);
  await context.setOffline(true);
  for (let n = 1; n <= 30; n += 1) {
    await page.evaluate((label) => {
      const button = document.createElement('button');
      button.dataset['action'] = 'call_to_action';
      button.dataset['label'] = label;
      document.body.append(button);
      button.click();
      button.remove();
    }, `offline-${n}`);
  }
  expect(await countWaiting(page)).toBe(30);
  await context.setOffline(false);
  await waitForDelivery(page);
  const events = await readEventsOf(
    site,
    (event) => event.session === session && event.name === 'call_to_action',
  );
  expect(events.map((event) => event.label)).toEqual(
    Array.from({ length: 30 }, (_, n) => `offline-${n + 1}`),
  );
});

test('what happens while the server restarts is stored once', async ({ page, provider }) => {
  await using own = await startSite({ provider });
  await page.goto(`${own.url}/gohighlevel-free-trial?utm_source=restart`);
  await waitForDelivery(page);
  await own.stop();
  const opened = page.context().waitForEvent('page');
  await page.locator(CALL).first().click();
  await (await opened).close();
  await expect.poll(() => countWaiting(page)).toBe(1);
  await own.start();
  await waitForDelivery(page);
  const events = await readEventsOf(own, () => true);
  expect(events.map((event) => event.name)).toEqual(['page_view', 'free_trial_signup']);
});

for (const [status, headers, tries] of [
  [408, {}, 2],
  [500, {}, 2],
  [503, { 'retry-after': '1' }, 2],
  [429, { 'retry-after': '1' }, 2],
] as const) {
  test(`an event that gets the response ${status} is sent again and stored once`, async ({ page, site }) => {
    let answered = 0;
    await page.route('**/api/journey', (route) => {
      answered += 1;
      return answered < tries ? route.fulfill({ status, headers }) : route.continue();
    });
    await page.goto(`/help?utm_source=answered-${status}`);
    await waitForDelivery(page);
    expect(answered).toBe(tries);
    const events = await readEventsOf(site, (event) => event.campaign['utm_source'] === `answered-${status}`);
    expect(events.map((event) => event.name)).toEqual(['page_view']);
  });
}

test('an event that is refused is dropped, and the next page view counts them', async ({ page, site }) => {
  await page.route('**/api/journey', (route) => route.fulfill({ status: 400 }));
  await page.goto('/help?utm_source=refused');
  await waitForDelivery(page);
  await page.unroute('**/api/journey');
  await page.goto('/terms');
  await waitForDelivery(page);
  const events = await readEventsOf(site, (event) => event.campaign['utm_source'] === 'refused');
  expect(events.map((event) => [event.page, event.data['dropped']])).toEqual([['/terms', 1]]);
});

test('the server asks for a pause, and no tab sends before it is over', async ({ page, context }) => {
  const times: number[] = [];
  await context.route('**/api/journey', (route) => {
    times.push(Date.now());
    return route.fulfill(
      times.length === 1 ? { status: 429, headers: { 'retry-after': '2' } } : { status: 202 },
    );
  });
  await page.goto('/help');
  await expect.poll(() => times.length).toBe(1);
  const other = await context.newPage();
  await other.goto('/terms');
  await waitForDelivery(other);
  expect(times).toHaveLength(2);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(2000);
});

test('a page that is opened during a pause sends what waits when the pause is over', async ({ page }) => {
  const times: number[] = [];
  let isRefused = true;
  await page.route('**/api/journey', (route) => {
    times.push(Date.now());
    return isRefused ? route.fulfill({ status: 503, headers: { 'retry-after': '3' } }) : route.continue();
  });
  await page.goto('/help');
  await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), OUTBOX_PAUSE_KEY)).not.toBeNull();
  await page.goto('/terms');
  // A page that is opened after the pause is refused once more.
  expect(await countWaiting(page)).toBe(2);
  isRefused = false;
  await waitForDelivery(page);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(3_000);
});

test('two tabs never send the same entry twice', async ({ context, site }) => {
  const sent: string[] = [];
  let isDown = true;
  await context.route('**/api/journey', async (route) => {
    if (isDown) return route.abort('connectionrefused');
    for (const event of route.request().postDataJSON().events) sent.push(event.id);
    // An answer that takes its time is when a second tab would come.
    await new Promise((resolve) => setTimeout(resolve, 300));
    return route.continue();
  });
  const tabs = await Promise.all([context.newPage(), context.newPage()]);
  for (const [index, tab] of tabs.entries()) {
    await tab.goto(`${site.url}/help?utm_source=tabs&utm_term=${index}`);
    // Nothing listens to clicks before.
    await waitForRecord(tab);
  }
  for (const tab of tabs) {
    for (let n = 0; n < 10; n += 1) {
      await tab.evaluate(() => {
        const button = document.createElement('button');
        button.dataset['action'] = 'call_to_action';
        document.body.append(button);
        button.click();
      });
    }
  }
  const [first] = tabs;
  if (!first) throw new Error('no tab');
  await expect.poll(() => countWaiting(first)).toBe(22);
  isDown = false;
  await Promise.all(tabs.map((tab) => tab.evaluate(() => dispatchEvent(new Event('online')))));
  await waitForDelivery(first);
  expect(sent).toHaveLength(22);
  expect(new Set(sent).size).toBe(22);
  const events = await readEventsOf(site, (event) => event.campaign['utm_source'] === 'tabs');
  expect(events.map((event) => event.id).sort()).toEqual([...sent].sort());
});
