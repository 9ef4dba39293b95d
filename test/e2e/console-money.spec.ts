import type { Page } from '@playwright/test';
import { formatMoney, formatShortMoney } from '../../src/console/reports/format.ts';
import { buildCommissionReport } from '../../src/core/commissions/credit/commission-report.ts';
import { readSeededEntries } from '../support/console-data.ts';
import { expect, site, test } from '../support/console-test.ts';

/** The ledger's own report of everything in dollars. */
async function readReport() {
  const entries = (await readSeededEntries(site)).filter(({ commission }) => commission.currency === 'USD');
  return buildCommissionReport(entries, new Map(), {
    by: 'page',
    clock: 'click',
    model: 'clickPage',
    from: 0,
    to: Number.MAX_SAFE_INTEGER,
    timeZone: 'UTC',
    answerField: '',
  });
}

const open = (page: Page, path: string) => page.goto(`${site.url}/console${path}`);
/** What is chosen stays for the next visits. */
const CHOICES = '?range=28d&clock=booking&model=last&currency=USD';

test('the overview says what the ledger reports, and its figures lead to their rows', async ({ page }) => {
  const { total, unmatched } = await readReport();
  const { approved = 0, pending = 0, reversed = 0 } = total.currencies['USD'] ?? {};
  await open(page, '');
  const sentence = page.getByRole('heading', { level: 1 });
  await expect(sentence).toContainText(`${formatShortMoney(approved, 'USD')} confirmed`);
  await expect(sentence).toContainText(`${formatShortMoney(pending, 'USD')} pending`);
  await expect(sentence).toContainText('60 clicks');
  const figures = page.getByRole('list', { name: 'Figures of the period' }).getByRole('listitem');
  await expect(figures.filter({ hasText: 'Reversed' })).toContainText(formatShortMoney(-reversed, 'USD'));
  const missing = unmatched.currencies['USD']?.approved ?? 0;
  await expect(figures.filter({ hasText: 'Found its click' })).toContainText(
    formatShortMoney(missing, 'USD'),
  );
  // What a tile opens has its sum, and the way back is one step.
  await figures.filter({ hasText: 'Reversed' }).getByRole('link').click();
  await expect(page.locator('.sum-line')).toContainText(`In USD: ${formatMoney(-reversed, 'USD')} reversed`);
  await page.goBack();
  await sentence.getByRole('link', { name: '60 clicks' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Places');
});

test('values filter, chips turn and remove filters, and back and forward follow', async ({ page }) => {
  await open(page, '/placements');
  const all = await page.locator('tbody tr').count();
  await page.locator('tbody .filter-link', { hasText: 'hero' }).first().click();
  await expect(page.locator('tbody tr')).toHaveCount(1);
  await page.getByRole('link', { name: /turn into “is not”/ }).click();
  await expect(page.locator('tbody tr')).toHaveCount(all - 1);
  await page.goBack();
  await expect(page.locator('tbody tr')).toHaveCount(1);
  await page.goForward();
  await expect(page.locator('tbody tr')).toHaveCount(all - 1);
  await page.getByRole('link', { name: /^Remove the filter/ }).click();
  await expect(page.locator('tbody tr')).toHaveCount(all);
  await page
    .locator('tbody .filter-link')
    .first()
    .click({ modifiers: ['Alt'] });
  await expect(page.locator('tbody tr')).toHaveCount(all - 1);
});

test('clock, model, comparison and currency are choices of the address', async ({ page }) => {
  await open(page, '/campaigns');
  const bar = page.locator('.bar');
  const clock = bar.locator('summary', { hasText: 'Money counts on' });
  await expect(clock).toHaveText(/the day it was booked/);
  await clock.click();
  await bar.getByRole('link', { name: 'the day of its click' }).click();
  await expect(page).toHaveURL(/clock=click/);
  await expect(page).not.toHaveURL(/keep/);
  await bar.getByText('Credit:').click();
  await bar.getByRole('link', { name: 'First campaign' }).click();
  await expect(page).toHaveURL(/model=first/);
  await expect(page.locator('main')).toContainText('Money by first campaign');
  await bar.getByText('vs.').click();
  await bar.getByRole('link', { name: 'No comparison' }).click();
  await expect(page).toHaveURL(/compare=none/);
  await bar.locator('summary', { hasText: 'USD' }).click();
  await bar.getByRole('link', { name: 'EUR' }).click();
  await expect(page.locator('tbody')).toContainText('€50.00');
});

test('the keyboard finds by name and shows its keys', async ({ page }) => {
  const press = async (key: string) => {
    await page.waitForLoadState('domcontentloaded'); // The script that listens has run.
    await page.keyboard.press(key);
  };
  const finder = page.getByRole('combobox', { name: 'Find anything' });
  await open(page, '');
  const address = page.url();
  // Letters do nothing.
  for (const key of ['g', 'p', 'w', 'x', 'c', '/']) await press(key);
  expect(page.url()).toBe(address);
  await expect(finder).toBeHidden();
  await press('Control+k');
  await finder.fill('campaigns');
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Campaigns');
  await press('Control+k');
  await finder.fill('page roi calculator');
  await press('Enter');
  await expect(page).toHaveURL(/\/console\/pages\?.*page=%2Froi-calculator/);
  await press('Control+k');
  await finder.fill('partner gohighlevel');
  await press('Enter');
  await expect(page).toHaveURL(/\/console\/partners\?.*partner=highlevel/);
  await press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the chart reads out its columns by keyboard, and opens the commissions of one', async ({ page }) => {
  await open(page, CHOICES);
  await page.locator('.chart-wide').first().focus();
  await page.keyboard.press('ArrowLeft');
  const readout = page.locator('.chart-readout').first();
  await expect(readout).toContainText(/approved, .*click/);
  // Today may have no money yet.
  await page.keyboard.press('ArrowLeft');
  const amount = /\$[\d,.]+/.exec(await readout.innerText())?.[0] ?? '';
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/commissions\?from=.*&to=.*currency=USD/);
  await expect(page.locator('.sum-line')).toContainText(`${amount} approved`);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('periods, dates and the table behind the chart work', async ({ page }) => {
    await open(page, CHOICES);
    await page.locator('.bar summary').first().click();
    await page.locator('.bar').getByLabel('From').fill('2025-01-01');
    await page.locator('.bar').getByLabel('To').fill('2025-01-31');
    await page.locator('.bar').getByRole('button', { name: 'Show', exact: true }).click();
    await expect(page).toHaveURL(/from=2025-01-01&to=2025-01-31/);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('$0 confirmed');
    await page.getByText('The same numbers as a table').first().click();
    const numbers = page.locator('.chart').first().locator('.chart-numbers');
    await expect(numbers.locator('tbody tr')).toHaveCount(31);
    await open(page, CHOICES);
    await page.getByText('The same numbers as a table').first().click();
    await numbers.locator('tbody a').first().click();
    await expect(page).toHaveURL(/\/commissions\?from=/);
  });
});
