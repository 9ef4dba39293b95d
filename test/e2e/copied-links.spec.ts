import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import {
  clickAndArrive,
  PERSON,
  PERSON_LAUNCH,
  readEventsOf,
  waitForArrival,
  waitForDelivery,
  waitForRecord,
} from '../support/visit.ts';

test.use({ userAgent: PERSON, launchOptions: PERSON_LAUNCH });

test.beforeEach(({ provider }) => provider.reset());

const LINK = 'main a[href^="/go/highlevel"]';
const ANSWERS = { businessType: 'agency', budget: '500-1000', revenue: 'scaling', challenges: ['costs'] };

/** Opens the trial page with a campaign and finished answers, which no link may give to another visitor. */
async function openWithVisit(page: Page): Promise<string> {
  await page.goto('/gohighlevel-free-trial?utm_source=copied&gclid=secret');
  await page.evaluate((answers) => {
    sessionStorage.setItem('assessment_results', JSON.stringify(answers));
  }, ANSWERS);
  return (await page.locator(LINK).first().getAttribute('href')) ?? '';
}

test('a link that leaves by no click is the plain link of the page', async ({ page }) => {
  const href = await openWithVisit(page);
  const link = page.locator(LINK).first();
  const ways = {
    'the context menu': () => link.click({ button: 'right' }),
    'focus by keyboard': () => link.focus(),
    print: () => page.emulateMedia({ media: 'print' }),
    'a press without a click': async () => {
      await page.emulateMedia({ media: 'screen' });
      await link.hover();
      await page.mouse.down();
    },
    'a drag': () => page.mouse.move(10, 10),
  };
  for (const [name, leave] of Object.entries(ways)) {
    await leave();
    expect(await link.getAttribute('href'), name).toBe(href);
    expect(await page.content(), name).not.toMatch(/gclid=secret|session=/);
  }
});

const CLICKS: readonly (readonly [string, Parameters<typeof clickAndArrive>[3]])[] = [
  ['a click', {}],
  ['the middle button', { button: 'middle' }],
  ['Control', { modifiers: ['ControlOrMeta'] }],
];
for (const [name, options] of CLICKS) {
  test(`a link is plain again after ${name}`, async ({ page, provider }) => {
    const href = await openWithVisit(page);
    const link = page.locator(LINK).first();
    const { request } = await clickAndArrive(page, provider, link, options);
    expect(request.query.get('gclid')).toBe('secret');
    expect(await link.getAttribute('href')).toBe(href);
  });
}

test('the copied address of a redirect counts others as themselves', async ({
  page,
  provider,
  site,
  browser,
}) => {
  await openWithVisit(page);
  const redirect = page.context().waitForEvent('request', (request) => request.url().includes('/go/'));
  await clickAndArrive(page, provider, page.locator(LINK).first());
  const copied = (await redirect).url();
  expect(copied).toContain('gclid=secret');
  for (const agent of ['Firefox/140.0', 'Safari/605.1', 'Edg/140.0']) {
    provider.reset();
    const context = await browser.newContext({ userAgent: `Mozilla/5.0 (X11; Linux x86_64) ${agent}` });
    const tab = await context.newPage();
    await tab.goto(copied);
    const { query } = await waitForArrival(tab, provider);
    expect([...query.keys()]).toEqual(
      'fp_ref utm_source utm_medium utm_campaign utm_content fp_sid'.split(' '),
    );
    await context.close();
  }
  await waitForDelivery(page);
  const token = new URL(copied).searchParams.get('click');
  const source = new URL(copied).searchParams.get('source');
  const clicks = (await readEventsOf(site, (event) => event.name === 'affiliate_redirect')).filter(
    (event) => event.data['source'] === source && !event.flags.includes('duplicate'),
  );
  const others = clicks.slice(clicks.findIndex(({ id }) => id === token) + 1);
  expect(others.map(({ session, campaign, flags }) => [session, campaign, flags])).toEqual([
    ['', {}, []],
    ['', {}, []],
    ['', {}, []],
  ]);
});

test('a link opened from the context menu carries the visit unseen', async ({ page, provider }) => {
  const href = await openWithVisit(page);
  await waitForRecord(page);
  const opened = page.context().waitForEvent('page');
  // What "Open link in new tab" does: a tab of its own, with this page as the referrer.
  await page.evaluate((address) => {
    window.open(address, '_blank', 'noopener');
  }, href);
  const { query } = await waitForArrival(await opened, provider);
  expect(Object.fromEntries(query)).toMatchObject({ utm_source: 'copied', gclid: 'secret' });
  expect(query.get('entry_page')).toBe('gohighlevel_free_trial');
});
