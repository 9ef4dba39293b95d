import { expect, test } from '../support/browser-test.ts';

test('the front page says what the hub is and leads three ways', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Find the CRM/);
  await expect(page.locator('main').getByText('CRM & Automation Hub').first()).toBeVisible();
  await expect(page.getByText('Proven strategies for growing agencies').first()).toBeVisible();
  const ways = page.getByRole('navigation', { name: 'Where to start' }).getByRole('link');
  expect(await ways.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
    '/hubspot-vs-gohighlevel-pricing-comparison',
    '/roi-calculator',
    '/assessment',
  ]);
});

test('the bill adds up', async ({ page }) => {
  await page.goto('/');
  const amounts = page.locator('main dl dd');
  const lines = (await amounts.allTextContents()).slice(0, -3);
  const sum = lines.reduce((total, text) => total + Number(text.replace(/\D/g, '')), 0);
  await expect(amounts.nth(-3)).toHaveText(`$${sum.toLocaleString('en-US')}`);
  await expect(amounts.nth(-1)).toHaveText(`$${(sum - 297).toLocaleString('en-US')}`);
  await expect(page.getByText(`$${((sum - 297) * 12).toLocaleString('en-US')} a year`)).toBeVisible();
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

test('the picks are below the hero: what each is best for, its price, where it stops, and a button', async ({
  page,
}) => {
  await page.goto('/');
  const rows = page.locator('[data-picks] li');
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

test('the picks lead to the pages that the editors chose', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: "Editor's Picks" })).toBeVisible();
  const picks = await page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: "Editor's Picks" }) })
    .locator('h3 a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(picks).toEqual([
    '/hubspot-vs-gohighlevel-pricing-comparison',
    '/gohighlevel-complete-tutorial',
    '/industry-report-2025',
  ]);
});
