import { expect, test } from '../support/browser-test.ts';

test('the bill adds up', async ({ page }) => {
  await page.goto('/');
  const amounts = page.locator('main dl dd');
  const lines = (await amounts.allTextContents()).slice(0, -4);
  const sum = lines.reduce((total, text) => total + Number(text.replace(/\D/g, '')), 0);
  await expect(amounts.nth(-4)).toHaveText(`$${sum.toLocaleString('en-US')}`);
  const [before, net] = [amounts.nth(-2).locator('span'), amounts.nth(-1).locator('span')];
  await expect(before).toHaveText([
    `$${(sum - 297).toLocaleString('en-US')}`,
    `$${((sum - 297) * 12).toLocaleString('en-US')} a year`,
  ]);
  await expect(net).toHaveText(['$1,116.95', '$13,403.40 a year']);
  const sizes = [before, net].map((figure) =>
    figure.first().evaluate((element) => getComputedStyle(element).fontSize),
  );
  expect(new Set(await Promise.all(sizes)).size).toBe(1);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test("the bill takes the reader's own figures to the calculator", async ({ page }) => {
    await page.goto('/');
    await page.getByLabel('Tools you pay for').fill('7');
    await page.getByLabel('Average cost per tool').fill('100');
    await page.getByRole('button', { name: 'Calculate my savings' }).click();
    await expect(page).toHaveURL('/gohighlevel-free-trial?tools=7&cost=100#calculator');
    await expect(page.locator('#calculator')).toContainText('$403');
  });
});

test('the picks below the hero have use, price, limit and a button each', async ({ page }) => {
  await page.goto('/');
  const rows = page.locator('[data-picks] > ul:first-child > li');
  await expect(rows).toHaveCount(4);
  for (const row of await rows.all()) {
    await expect(row).toContainText(/^Best for /);
    await expect(row).toContainText('Where it stops');
    await expect(row.locator('a[rel~="sponsored"]')).toHaveAttribute('href', /position=picks-/);
  }
  const [picks, newest] = await Promise.all(
    [rows.first(), page.locator('.card').first()].map(async (part) => (await part.boundingBox())?.y ?? 0),
  );
  expect(picks).toBeLessThan(newest ?? 0);
});

test('the newest articles come first, and are those of the hub', async ({ page }) => {
  await page.goto('/blog');
  const newest = (await page.locator('.card-title').allTextContents()).slice(0, 5);
  await page.goto('/');
  await expect(page.locator('.card-title')).toHaveText(newest);
});

test('the disclosure comes before the first link to a partner', async ({ page }) => {
  await page.goto('/');
  const isBefore = await page.evaluate(() => {
    const disclosure = document.querySelector('main [data-disclosure]');
    const link = document.querySelector('main a[rel~="sponsored"]');
    return disclosure && link
      ? (disclosure.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING) > 0
      : null;
  });
  expect(isBefore).toBe(true);
});
