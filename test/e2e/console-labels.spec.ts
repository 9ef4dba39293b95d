// Money of Amazon's tracking ids, from the report to the pages, and an id that moves.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { DAY_MS } from '../../src/core/clock.ts';
import { findAxeViolationsUnfolded, findViolationsInBothSchemes } from '../support/accessibility.ts';
import { expect, test } from '../support/browser-test.ts';
import { type ConsoleSite, openConsoleSite } from '../support/console-access.ts';
import { findOverflow } from '../support/layout.ts';
import { startCommand } from '../support/run-command.ts';
import { buildSampleEvent } from '../support/sample-events.ts';
import { seedSite } from '../support/seed-ledger.ts';
import { startSite } from '../support/site.ts';

const LABELS = `labels:
  pool: [free-20]
  uses:
    - { id: one-20, since: 2026-01-01, pages: [/roi-calculator] }
    - { id: both-20, since: 2026-01-01, pages: [/case-studies, /gohighlevel-free-trial], name: guides }
    - { id: few-20, since: 2026-01-01, pages: [/help, /feature-comparison], name: others }
`;
const CLICKS = { '/roi-calculator': 4, '/case-studies': 30, '/gohighlevel-free-trial': 10, '/glossary': 8 };

let opened: ConsoleSite;
test.beforeAll(async () => {
  const toAmazon = (text: string) =>
    `${text
      .replace(/^subId:\n(?: .*\n)+/m, 'subId: null\n')
      .replace('parameter: lmref', 'parameter: tag')
      .replace('value: signpost', 'value: hub-20')
      .replace(/^network: .*$/m, 'network: amazon')}${LABELS}`;
  const site = await startSite({ contentEdits: { 'partners/kit.yaml': toAmazon } });
  opened = await openConsoleSite(site);
  const serverTime = Date.now() - 2 * DAY_MS;
  const data = { partner: 'kit', source: 'hero' };
  const clicks = Object.entries(CLICKS).flatMap(([page, count]) =>
    Array.from({ length: count }, (_, index) =>
      buildSampleEvent({ name: 'affiliate_redirect', session: `${page} ${index}`, page, data, serverTime }),
    ),
  );
  await seedSite(site, clicks, []);
  const day = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const sell = (id: string, count: number, fee: string) =>
    Array.from(
      { length: count },
      (_, index) =>
        `Desks,A desk <b>${index % 3},B00${index % 3},Shop,${id},${day},20.00,1,0,20.00,${fee},PHONE`,
    );
  const rows = [...sell('one-20', 2, '1.50'), ...sell('both-20', 24, '2.00'), ...sell('few-20', 3, '0.70')];
  const file = path.join(site.dataDir, 'earnings.csv');
  const head =
    'Category,Name,ASIN,Seller,Tracking ID,Date Shipped,Price($),Items Shipped,Returns,Revenue($),Ad Fees($),Device Type Group';
  writeFileSync(file, `${[head, ...rows].join('\n')}\n`);
  const words = [
    'import',
    file,
    '--partner',
    'kit',
    '--currency',
    'USD',
    '--time-zone',
    'UTC',
    '--checked',
    '--yes',
  ];
  const folders = { DATA_DIR: site.dataDir, CONTENT_DIR: site.contentDir };
  expect(await startCommand('commissions', words, folders)).toMatchObject({ code: 0 });
});
test.afterAll(() => opened.site.remove());
test.beforeEach(({ context }) => opened.signIn(context));

async function expectGoodPage(page: Page): Promise<void> {
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await findOverflow(page)).toEqual([]);
    const shots = process.env['SHOTS'];
    if (shots !== undefined)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const name = new URL(page.url()).pathname.split('/').at(-1);
        await page.screenshot({ path: `${shots}/${name}-${width}-${colorScheme}.png`, fullPage: true });
      }
  }
  expect(await findAxeViolationsUnfolded(page)).toEqual([]);
  expect(await findViolationsInBothSchemes(page)).toEqual([]);
}

test('pages have the money of labels, and the export has the same', async ({ page }) => {
  await page.goto(`${opened.site.url}/console/pages`);
  const table = page.getByRole('table', { name: 'Pages by what their clicks earned' });
  const row = (name: RegExp) => table.getByRole('row', { name });
  const of = (address: string) =>
    table.getByRole('row').filter({ has: page.locator(`[title="${address}"]`) });
  await expect(of('/roi-calculator')).toContainText('$3.00');
  await expect(of('/case-studies')).toContainText('$36.00');
  await expect(of('/gohighlevel-free-trial')).toContainText('$12.00');
  await expect(row(/^others \(few-20\)/)).toContainText('$2.10');
  await expect(row(/^All/)).toContainText('$53.10');
  await expectGoodPage(page);
  const csv = await (await page.request.get(`${opened.site.url}/console/pages.csv`)).text();
  expect(csv).toMatch(/^\/roi-calculator,3\.00,0\.00,3\.00,0\.00,USD,0,4,,0,$/m);
  expect(csv).toMatch(/^group others \(few-20\),2\.10,0\.00,2\.10,/m);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a partner shows its labels and products, and a confirmed move is written to its file', async ({
    page,
  }) => {
    await page.goto(`${opened.site.url}/console/partners?partner=kit`);
    await expect(page.getByRole('row', { name: /^both-20/ })).toContainText('$48.00');
    await expect(page.getByRole('row', { name: /A desk <b>0 ?B000/ }).first()).toBeVisible();
    await expect(page.getByRole('row', { name: /^free-20/ }).last()).toContainText('0 → 8');
    await page.getByRole('button', { name: 'Move free-20' }).click();
    await expect(page.getByRole('status')).toContainText('links of /glossary carry free-20');
    await expect(page.getByRole('button', { name: 'Move free-20' })).toHaveCount(0);
    expect(readFileSync(path.join(opened.site.contentDir, 'partners/kit.yaml'), 'utf8')).toMatch(
      /few-20[\s\S]*id: free-20[\s\S]*\/glossary/,
    );
  });
});

test('the labels of a partner hold in each width and scheme', async ({ page }) => {
  await page.goto(`${opened.site.url}/console/partners?partner=kit`);
  await expectGoodPage(page);
});
