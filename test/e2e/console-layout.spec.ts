// Every view and page of the console in every width of window, with rows as long and amounts as large as they may get.
import type { Locator, Page } from '@playwright/test';
import { CONSOLE_DOORS, CONSOLE_VIEWS } from '../../src/core/console/console-view.ts';
import { ASKS_TO_CONFIRM, expect, test } from '../support/browser-test.ts';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import { confirmWithPassword } from '../support/console-access.ts';
import { buildClickVisit, startWorkSite, type WorkSite } from '../support/console-work-site.ts';
import { findOverflow, findOverflowOpened } from '../support/layout.ts';
import { loadAndWeigh } from '../support/page-weight.ts';
import { buildSampleEvent } from '../support/sample-events.ts';

/** The narrowest windows of every layout that the style sheets have. */
const WIDTHS = [320, 390, 641, 769, 1025, 1280];
/** Where scrollbars, fonts and fields, in which Firefox differs, are tightest. */
const TIGHTEST_WIDTHS = [320, 769];
let turn = 0;
/** Unless at full length, one half of the widths and the other one in turn. */
const getWidths = (page: Page) => {
  if (page.context().browser()?.browserType().name() === 'firefox') return TIGHTEST_WIDTHS;
  turn += 1;
  return WIDTHS.filter((_, index) => IS_FULL_LENGTH || index % 2 === turn % 2);
};
/** The height of a laptop's window at 125%. */
const HEIGHT = 640;
/** More than a page of any list has. */
const ROWS = 48;
/** The views that list them, with the rows that each shows at least. */
const LISTS: Readonly<Record<string, number>> = { pages: 12, commissions: 24, sources: 12, campaigns: 40 };
const CURRENCIES = ['USD', 'EUR', 'IDR'];

const LONG_WORD = 'retargeting_lookalike_audience_2026_northamerica_agencies_over_fifty_seats';
const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(2).trim();
const buildCampaign = (index: number) => ({
  utm_source: `newsletter-of-the-partner-network-${index}`,
  utm_medium: 'email',
  utm_campaign: index % 2 === 0 ? LONG_WORD : 'A long name of a campaign in many words, as people write it',
  utm_content: `button-at-the-end-of-the-message-${index % 7}`,
});
const buildPage = (index: number) =>
  index % 8 === 0
    ? '/roi-calculator'
    : `/compare-all-platforms-for-agencies-and-course-creators-part-${index}`;

/** An approved commission that should have been paid months ago, since the network reports other payments. */
const buildOverdue = (now: number, nativeId: string) => ({
  nativeId: `overdue-${nativeId}`,
  status: 'approved' as const,
  currency: 'USD',
  amount: 1_234_567_89,
  eventTime: now - 200 * 86_400_000,
  changeTime: now - 190 * 86_400_000,
});

test.use({ tolerated: ASKS_TO_CONFIRM });

let work: WorkSite;
test.beforeAll(async () => {
  const now = Date.now();
  const visits = Array.from({ length: ROWS * 2 }, (_, index) =>
    buildClickVisit((index % 24) * 20 + 0.1, {
      page: buildPage(index % ROWS),
      campaign: buildCampaign(index % ROWS),
      data: {
        source: `comparison-table-of-all-plans-row-${index % ROWS}`,
        visit_channel: 'referral',
        visit_source: `${LONG_WORD}-${index % ROWS}.example`,
      },
    }),
  );
  const message = {
    topic: 'general',
    name: LONG_NAME,
    email: `${'a'.repeat(60)}@example.com`,
    message: `${LONG_WORD}${LONG_WORD} and words`,
  };
  work = await startWorkSite(
    visits,
    (clicks) =>
      clicks.flatMap(({ id }, index) => {
        const currency = CURRENCIES[index % CURRENCIES.length] ?? 'USD';
        const amount = currency === 'IDR' ? 1_234_567_890_00 : 1_234_567_89;
        const status = (['approved', 'pending', 'paid'] as const)[index % 3] ?? 'paid';
        const common = { eventTime: now - index * 3_600_000, currency, amount };
        const nativeId = `network-reference-${'0'.repeat(40)}-${index}`;
        return [
          { ...common, nativeId, status, token: id, saleAmount: amount * 3 },
          ...(index % 9 === 0 ? [{ ...common, nativeId, status: 'reversed' as const, changeTime: now }] : []),
          { ...common, nativeId: `unmatched-${nativeId}`, status, token: `${LONG_WORD}-${index}` },
          ...(index % 12 === 0 ? [buildOverdue(now, nativeId)] : []),
        ];
      }),
    Array.from({ length: 9 }, (_, index) =>
      buildSampleEvent({
        name: 'contact_message',
        page: '/contact',
        data: message,
        serverTime: now - index * 60_000,
      }),
    ),
  );
});
test.afterAll(() => work.site.remove());
test.beforeEach(({ context }) => work.signIn(context));

const open = (path: string) => `${work.site.url}/console/${path}`.replace(/\/$/, '');
const FILTERS = new URLSearchParams({
  from: '2025-12-27',
  to: '2027-01-05',
  campaign: `newsletter-of-the-partner-network-2 / email / ${LONG_WORD}`,
  'page!': buildPage(3),
});

const openFold = (fold: Locator) =>
  fold.evaluate((details: HTMLDetailsElement) => details.setAttribute('open', ''));

/** Checks one page of the console in every width. */
async function expectToFit(
  page: Page,
  name: string,
  widths: readonly number[] = getWidths(page),
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    expect.soft(await findOverflowOpened(page), `${name}, ${width} px`).toEqual([]);
  }
}

const COMMISSION = encodeURIComponent(`network-reference-${'0'.repeat(40)}-0`);
const VIEWS = CONSOLE_DOORS.flatMap(({ tabs }) => tabs).map(({ view, rest }) =>
  [view === 'overview' ? '' : view, rest ?? ''].join('/').replace(/\/$/, ''),
);
/** Views of one thing, filtered, sorted, empty, and in another currency. */
const STATES = [
  `?range=12mo&${FILTERS}`,
  `pages?${FILTERS}`,
  `pages?page=${encodeURIComponent('/roi-calculator')}`,
  'sources?source=unknown',
  'campaigns?range=12mo&currency=IDR',
  'partners?currency=EUR',
  'partners?partner=highlevel',
  `commissions?${FILTERS}`,
  'commissions?q=nothing-has-this-text',
  `commissions/highlevel/${COMMISSION}`,
  'messages?state=answered',
];

for (const [what, paths, widths, details] of [
  ['view', VIEWS, undefined, {}],
  // A state has the parts of its view, with other texts: the tightest widths show whether they fit.
  ['state of a view', STATES, IS_FULL_LENGTH ? undefined : TIGHTEST_WIDTHS, { tag: '@full' }],
] as const) {
  test(`every ${what} fits every width, with each menu and explanation open`, details, async ({ page }) => {
    for (const path of paths) {
      const response = await page.goto(open(path));
      expect.soft(response?.status(), path).toBe(200);
      await expectToFit(page, path, widths);
    }
  });
}

test('forms, their results, dialogs and the pages of guests fit every width', { tag: '@full' }, async ({
  page,
  browser,
}) => {
  const guests = await browser.newContext();
  const guest = await guests.newPage();
  await guest.goto(open('pages'));
  await expectToFit(guest, 'sign-in');

  await page.goto(open(`settings?share=${encodeURIComponent(`/console/pages?${FILTERS}`)}#share`));
  await page.getByRole('button', { name: 'Create a share link' }).click();
  await expectToFit(page, 'confirmation');
  await confirmWithPassword(page);
  const shared = await page.locator('.settings-issued input').inputValue();
  await guest.goto(shared);
  await expectToFit(guest, 'shared pages');
  await openFold(page.locator('.setting', { has: page.locator('#operators') }));
  await page.locator('#operators').getByLabel('Name').fill(LONG_NAME);
  await page.getByRole('button', { name: 'Add an operator' }).click();
  const setup = await page.locator('.settings-issued input').inputValue();
  await expectToFit(page, 'settings');
  await guest.goto(setup);
  await expectToFit(guest, 'set-up');
  await guests.close();

  await page.goto(open('partners/import'));
  await page.getByRole('button', { name: 'Create them' }).click();
  await page.getByRole('link', { name: 'Show the address of GoHighLevel' }).click();
  for (const content of [
    'no table',
    `id,sub id,amount,status,date\n${LONG_WORD},,934567.89,approved,2026-01-25\n`,
  ]) {
    await openFold(page.locator('.attention'));
    await page
      .getByLabel('File, at most')
      .setInputFiles({ name: `${LONG_WORD}.csv`, mimeType: 'text/csv', buffer: Buffer.from(content) });
    await page.getByRole('combobox', { name: 'Partner' }).selectOption('highlevel');
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await expect(page.locator('.notice, #preview').first()).toBeVisible();
    await expectToFit(page, `preview of ${content}`);
  }
  await page.getByLabel('Time zone').selectOption('UTC');
  await page.getByRole('button', { name: 'Read it so' }).click();
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expectToFit(page, 'imported file');

  await page.goto(open(`pages?${FILTERS}`));
  for (const key of ['?', 'Control+k']) {
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toBeVisible();
    for (const width of getWidths(page)) {
      await page.setViewportSize({ width, height: HEIGHT });
      // What is behind a dialog can neither be opened nor have the focus.
      expect.soft(await findOverflow(page), `dialog ${key}, ${width} px`).toEqual([]);
    }
    await page.keyboard.press('Escape');
  }
});

test('long names and large amounts of costs fit every width in every form', { tag: '@full' }, async ({
  page,
}) => {
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  const { utm_source, utm_medium, utm_campaign } = buildCampaign(2);
  const campaign = `${utm_source} / ${utm_medium} / ${utm_campaign}`;
  const rows = [LONG_WORD.slice(9), 'Not matched'].map((name) => `${day},${name},USD,987654.32`);
  await page.goto(open('campaigns/costs'));
  await page.getByLabel('Export, at most').setInputFiles({
    name: `${LONG_WORD}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(['Campaign report', 'Day,Campaign,Currency code,Cost', ...rows].join('\n')),
  });
  await page.getByRole('combobox', { name: 'Platform' }).selectOption('google');
  await page.getByRole('button', { name: 'Preview the costs' }).click();
  await expectToFit(page, 'preview of costs');
  await page.getByRole('button', { name: 'Import 2 costs' }).click();
  await page.getByLabel('Campaign of the reports for Not matched').fill(campaign);
  await page.getByRole('button', { name: 'Assign Not matched' }).click();
  await expect(page.locator('.notice')).toHaveText(`Not matched counts as ${campaign} now.`);
  await expectToFit(page, 'imported costs');
  await page.goto(open('campaigns?currency=USD'));
  const costs = page.locator('#costs');
  await openFold(costs);
  const store = async (what: string, name: string) => {
    const form = costs.locator('form').filter({ has: page.getByLabel(what, { exact: true }) });
    await form.getByLabel(what, { exact: true }).fill(name);
    await form.getByLabel('Day or month').fill(day);
    await form.getByLabel('Cost', { exact: true }).fill('999999.99');
    await form.getByRole('button', { name: 'Add the cost' }).click();
  };
  await store('Campaign', `${'source'.repeat(9)} / ${LONG_WORD} / x`);
  await expect(page.locator('.notice')).toContainText('No visit of this campaign is known yet');
  await openFold(costs);
  await store('Something else', LONG_NAME);
  await expect(page.locator('.notice')).toContainText('cost $999,999.99');
  await expectToFit(page, 'campaigns with costs');
  await page.goto(open(`campaigns?currency=USD&campaign=${encodeURIComponent(campaign)}`));
  await expect(page.getByRole('table', { name: 'Campaigns by what their clicks earned' })).toBeVisible();
  await expectToFit(page, 'a campaign with its cost');
});

const KB = 1024;
const SCRIPT_BYTES = 15 * KB;
const VIEW_BYTES = 60 * KB;

// Chromium alone: its protocol counts the bytes.
test(`every view is small with ${ROWS} rows, and brings few scripts @chromium`, async ({ page }) => {
  for (const { key } of CONSOLE_VIEWS) {
    const loaded = await loadAndWeigh(page, open(key === 'overview' ? '' : key));
    const scripts = loaded
      .filter(({ type }) => type.endsWith('script'))
      .reduce((total, { bytes }) => total + bytes, 0);
    expect.soft(scripts, `${key}: scripts`).toBeGreaterThan(0);
    expect.soft(scripts, `${key}: scripts`).toBeLessThanOrEqual(SCRIPT_BYTES);
    const all = loaded.reduce((total, { bytes }) => total + bytes, 0);
    expect.soft(all, `${key}: everything`).toBeLessThanOrEqual(VIEW_BYTES);
    const least = LISTS[key];
    if (least === undefined) continue;
    const rows = await page.locator('main tbody tr').count();
    expect.soft(rows, `${key}: rows`).toBeGreaterThanOrEqual(least);
  }
});
