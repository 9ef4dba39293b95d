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
    model: 'last',
    from: 0,
    to: Number.MAX_SAFE_INTEGER,
    timeZone: 'UTC',
    answerField: '',
  });
}

const open = (page: Page, path: string) => page.goto(`${site.url}/console${path}`);

test('the overview says what the ledger reports, and its figures lead to their rows', async ({ page }) => {
  const { total } = await readReport();
  const { approved = 0, pending = 0, reversed = 0 } = total.currencies['USD'] ?? {};
  await open(page, '');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(
    'You received $0 in the last 12 months',
  );
  const lead = page.locator('.lead');
  const earned = formatShortMoney(approved + pending, 'USD');
  await expect(lead).toContainText(
    `${earned} and €50 so far, ${formatShortMoney(pending, 'USD')} of it pending`,
  );
  // What a figure opens has its sum, and the way back is one step.
  await lead.getByRole('link', { name: earned }).click();
  await expect(page.locator('.sum-line')).toContainText(
    `In USD: ${formatMoney(approved, 'USD')} approved, ${formatMoney(pending, 'USD')} pending`,
  );
  await page.goBack();
  const best = page.getByRole('table', { name: 'Pages that earned most' });
  await best.getByRole('link', { name: 'GoHighLevel free trial' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('earned $99 and €50');
  await expect(page.locator('.lead')).toContainText(
    `Not counted: ${formatMoney(reversed, 'USD')} that the partner reversed`,
  );
});

test('values filter, chips turn and remove filters, and back and forward follow', async ({ page }) => {
  await open(page, '/campaigns');
  const rows = page.getByRole('table', { name: 'Campaigns by what' }).locator('tbody tr');
  const names = rows.locator('.filter-link', { hasText: 'newsletter' });
  const others = rows.locator('.filter-link', { hasText: /^(?!newsletter)/ });
  await expect(others).not.toHaveCount(0);
  await names.click();
  await expect(others).toHaveCount(0);
  await expect(names).toHaveCount(1);
  await page.getByRole('link', { name: /turn into “is not”/ }).click();
  await expect(names).toHaveCount(0);
  await expect(others).not.toHaveCount(0);
  await page.goBack();
  await expect(names).toHaveCount(1);
  await page.goForward();
  await expect(names).toHaveCount(0);
  await page.getByRole('link', { name: /^Remove the filter/ }).click();
  await expect(names).toHaveCount(1);
  await expect(others).not.toHaveCount(0);
  await names.click({ modifiers: ['Alt'] });
  await expect(names).toHaveCount(0);
});

test('range, campaign and currency are choices of the address', async ({ page }) => {
  await open(page, '/campaigns');
  const main = page.locator('main');
  await expect(main).toContainText('Money counts for the last campaign before the click');
  await page.getByRole('link', { name: 'Count it for the first campaign' }).click();
  await expect(page).toHaveURL(/\?model=first$/);
  await expect(main).toContainText('Money counts for the first campaign before the click');
  const bar = page.locator('.bar');
  await bar.locator('summary').click();
  await bar.getByRole('link', { name: 'Last 3 months' }).click();
  await expect(page).toHaveURL(/\?range=3mo&model=first$/);
  await expect(bar.locator('summary')).toHaveText('Range: Last 3 months');
  await page.locator('.currency-note').getByRole('link', { name: '€50.00' }).click();
  await expect(page).toHaveURL(/\?range=3mo&model=first&currency=EUR$/);
  await expect(page.locator('tbody').last()).toContainText('€50.00');
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
  await expect(page).toHaveURL(`${site.url}/console/campaigns`);
  // Pages and partners are read once the finder opens: no view has them all.
  await expect(page.locator('a[href*="page=%2Froi-calculator"]')).toHaveCount(0);
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

test('the chart reads out its months by keyboard, and opens the commissions of one', async ({ page }) => {
  await open(page, '');
  await page.locator('.chart-wide').first().focus();
  const readout = page.locator('.chart-readout').first();
  const amounts = /\$[\d,.]*[1-9][\d.]*/;
  // Clicks of the last 20 days are in this month or the one before.
  await page.keyboard.press('ArrowLeft');
  await expect(readout).toContainText(/\$[\d,.]+, .*customer/);
  if (!amounts.test(await readout.innerText())) await page.keyboard.press('ArrowLeft');
  await expect(readout).toContainText(amounts);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/commissions\?from=.*&to=.*currency=USD/);
  await expect(page.locator('.sum-line')).toContainText('In USD: $');
});

test('a chart has one drawing at every width, and on paper', async ({ page }) => {
  await open(page, '');
  for (const [width, media] of [
    [390, 'screen'],
    [640, 'screen'],
    [641, 'screen'],
    [1_024, 'screen'],
    [1_440, 'screen'],
    [390, 'print'],
    [794, 'print'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ media });
    const drawings = page.locator('.chart svg').filter({ visible: true });
    await expect(drawings, `at ${width} px on ${media}`).toHaveCount(1);
  }
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('ranges, days and the table behind the chart work', async ({ page }) => {
    await open(page, '');
    await page.locator('.bar summary').first().click();
    await page.locator('.bar').getByLabel('From').fill('2025-01-01');
    await page.locator('.bar').getByLabel('To').fill('2025-02-28');
    await page.locator('.bar').getByRole('button', { name: 'Show', exact: true }).click();
    await expect(page).toHaveURL(/from=2025-01-01&to=2025-02-28/);
    await expect(page.locator('.lead')).toContainText('have earned $0 so far');
    const numbers = page.locator('.chart').first().locator('.chart-numbers');
    await page.getByText('The same numbers as a table').first().click();
    await expect(numbers.locator('tbody tr')).toHaveCount(2);
    await open(page, '');
    await page.getByText('The same numbers as a table').first().click();
    await numbers.locator('tbody a').first().click();
    await expect(page).toHaveURL(/\/commissions\?from=/);
    await expect(page.locator('.sum-line')).toContainText('In USD: $');
  });
});
