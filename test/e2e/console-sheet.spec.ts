import { findAxeViolations } from '../support/accessibility.ts';
import { expect, readContent, site, test, writeContent } from '../support/editor-test.ts';

const PRODUCT_FILE = 'products/desk.yaml';
const PRODUCT = `name: Desk One # ours
kind: physical
maxAgeDays: 30
sources: { store: { title: Store, href: "https://store.example/desk", checked: 2026-01-10 } }
offers:
  black: { name: Black, partner: kit, price: 499, billed: once, source: store }
  white: { name: White, partner: kit, price: 520.5, billed: once, source: store }
`;

test.beforeEach(async ({ page, context }) => {
  // Nothing is opened outside of the site.
  await context.route('https://store.example/**', (route) => route.fulfill({ body: 'The shop' }));
  writeContent(PRODUCT_FILE, PRODUCT);
  await expect(async () => {
    await page.goto(`${site.url}/console/content/prices`);
    await expect(page.getByRole('row', { name: 'Desk One White' })).toBeVisible({ timeout: 500 });
  }).toPass();
});

test('prices are edited by keys, pasted, opened at the shop, and saved together', async ({
  page,
  context,
}) => {
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^Desk One ${name}`) });
  const price = (name: string) => row(name).locator('[data-cell]');
  await price('Black').focus();
  await page.keyboard.type('479.95');
  await page.keyboard.press('Enter');
  await expect(price('Black')).toHaveText('$499 $479.95');
  await price('White').focus();
  await page.keyboard.press('=');
  await expect(row('White')).toContainText('Today');
  await price('White').focus();
  await page.keyboard.press('Space');
  const how = page.getByLabel('How it was read');
  await expect(how).toHaveValue('stated');
  await expect(how.locator('option[value="opened"]')).toBeDisabled();
  const [shop] = await Promise.all([
    context.waitForEvent('page'),
    page.locator('.price-detail').getByRole('link', { name: 'Open the shop' }).click(),
  ]);
  await shop.close();
  await expect(how.locator('option[value="opened"]')).toBeEnabled();
  await how.selectOption('opened');
  await page.getByText('Paste from a spreadsheet').click();
  await page.getByLabel('Two columns: name and price').fill('Desk One Black\t470\nUnknown\t5\n');
  await expect(page.locator('.price-matches')).toContainText('Desk One, Black: $499 → $470');
  await expect(page.locator('.price-matches')).toContainText('“Unknown” is no row here');
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Take 1 of 2' }).click();
  await page.getByRole('button', { name: 'Save 2 prices' }).click();
  await expect(page.getByRole('status').first()).toContainText('2 prices saved.');
  expect(readContent(PRODUCT_FILE)).toContain('name: Desk One # ours');
  expect(readContent(PRODUCT_FILE)).toMatch(/price: 470, .*history/);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  expect(readContent(PRODUCT_FILE)).toBe(PRODUCT);
});

test('a price is checked with a thumb', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const row = page.getByRole('row', { name: /^Desk One Black/ });
  const still = row.getByRole('button', { name: 'Still $499' });
  expect((await still.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await still.click();
  await expect(page.getByRole('button', { name: 'Save 1 price' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('words are replaced where they are ticked', async ({ page }) => {
  await page.goto(`${site.url}/console/content/replace?find=second&with=other`);
  const lines = page.locator('.change-group', { hasText: 'secondother line' });
  const all = await page.locator('.change-line input').count();
  await page.locator('.change-line input').first().uncheck();
  await expect(page.getByRole('button', { name: `Replace ${all - 1} of ${all}` })).toBeVisible();
  await expect(lines).toContainText('and a  second');
});
