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
  await page.getByLabel('Two columns: name and price').focus();
  await page.keyboard.type('Desk One Black; 470\nUnknown; 5\n');
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

test('a save keeps the search, and nothing that was typed is lost', async ({ page }) => {
  await page.goto(`${site.url}/console/content/prices?q=desk+one&sort=-price`);
  const price = (name: string) =>
    page.getByRole('row', { name: new RegExp(`^Desk One ${name}`) }).locator('[data-cell]');
  await price('Black').click();
  await page.keyboard.type('much');
  await page.getByLabel('Find', { exact: true }).focus();
  const field = page.getByLabel('Price of Desk One, Black');
  await expect(field).toHaveValue('much');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.focus();
  await page.keyboard.press('Escape');
  await expect(price('Black')).toHaveText('$499');
  await expect(price('Black')).toBeFocused();
  await page.keyboard.type('12');
  await page.keyboard.press('Escape');
  await expect(price('Black')).toHaveText('$499');
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Undo all' }).click();
  await expect(price('Black')).toHaveText('$499');
  await page.keyboard.press('End');
  await page.keyboard.press('=');
  await page.getByRole('button', { name: 'Save 1 price' }).click();
  await expect(page.getByRole('status').first()).toContainText('1 price saved.');
  await expect(page).toHaveURL(/prices\?q=desk\+one&sort=-price/);
  await expect(page.getByRole('searchbox', { name: 'Find' })).toHaveValue('desk one');
});

test('prices that are not saved stand there again', async ({ page }) => {
  const price = page.getByRole('row', { name: /^Desk One Black/ }).locator('[data-cell]');
  await price.focus();
  await page.keyboard.type('480');
  await page.keyboard.press('Enter');
  writeContent(PRODUCT_FILE, PRODUCT.replace('520.5', '521'));
  await page.getByRole('button', { name: 'Save 1 price' }).click();
  await expect(page.getByRole('alert')).toContainText('was changed meanwhile');
  await expect(price).toHaveText('$499 $480');
  await page.getByRole('button', { name: 'Save 1 price' }).click();
  await expect(page.getByRole('status').first()).toContainText('1 price saved.');
  expect(readContent(PRODUCT_FILE)).toContain('price: 480');
});

test.describe('without scripts', { tag: '@chromium' }, () => {
  test.use({ javaScriptEnabled: false });

  test('prices are read, and the page says that editing needs them', async ({ page }) => {
    await expect(page.getByRole('row', { name: /^Desk One White/ })).toContainText(/\$52\d/);
    await expect(page.locator('noscript p').first()).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open', exact: true }).first()).toBeVisible();
    await expect(page.getByRole('button', { name: /Still the same|Paste|Undo all/ })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Desk One' }).first()).toHaveAttribute('href', /at=offers/);
  });
});

test('a price is checked with a thumb', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  // On a phone the name of a row has those of its columns.
  const row = page.getByRole('row').filter({ hasText: /Desk One.*Black/ });
  const still = row.getByRole('button', { name: 'Still the same' });
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
