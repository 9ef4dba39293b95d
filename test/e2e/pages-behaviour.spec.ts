import { expect, test } from '../support/browser-test.ts';

const PHONE = { width: 390, height: 844 };

test('an anchor clears what stays in view at the top', async ({ page }) => {
  await page.goto('/hubspot-vs-gohighlevel-pricing-comparison');
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Pricing' }).click();
  const heading = page.getByRole('heading', { name: 'GoHighLevel pricing' });
  await expect(heading).toBeInViewport();
  const bar = await page.locator('.section-nav').boundingBox();
  await expect
    .poll(async () => ((await heading.boundingBox())?.y ?? 0) - ((bar?.y ?? 0) + (bar?.height ?? 0)))
    .toBeGreaterThan(0);
});

for (const [motion, behaviour] of [
  ['no-preference', 'smooth'],
  ['reduce', 'auto'],
] as const) {
  test(`with motion ${motion} anchors scroll ${behaviour}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: motion });
    await page.goto('/roi-calculator');
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe(
      behaviour,
    );
  });
}

test('at most one question is open, an open one can be closed, and closed ones can be found', async ({
  page,
}) => {
  await page.goto('/gohighlevel-free-trial');
  const questions = page.locator('#faq details');
  await expect(questions).toHaveCount(6);
  const open = page.locator('#faq details[open]');
  await questions.nth(0).locator('summary').click();
  await expect(open).toHaveCount(1);
  await questions.nth(3).locator('summary').press('Enter');
  await expect(open).toHaveCount(1);
  await expect(questions.nth(3)).toHaveAttribute('open', '');
  await questions.nth(3).locator('summary').press('Enter');
  await expect(open).toHaveCount(0);
  await expect(questions.nth(5)).toContainText('Skip it if you cannot spare an hour a day');
});

test.describe('the demo’s menu on a phone', () => {
  test.use({ viewport: PHONE });

  test('closes after a choice, on Escape and outside', async ({ page }) => {
    await page.goto('/free-trial-demo');
    const button = page.getByRole('button', { name: 'Demo' });
    const menu = page.locator('#section-menu');
    await button.click();
    await expect(menu).toBeVisible();
    await menu.getByRole('link', { name: 'Support' }).click();
    await expect(menu).toBeHidden();
    await expect(page).toHaveURL(/#support$/);
    await expect(page.locator('#support')).toBeInViewport();
    await button.click();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await button.click();
    await expect(menu).toBeVisible();
    await page.mouse.click(200, 700);
    await expect(menu).toBeHidden();
  });
});

test('the site does not scroll sideways on a phone of 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ['/industry-report-2025', '/feature-comparison', '/contact', '/free-trial-demo']) {
    await page.goto(path);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(overflow, path).toBeLessThanOrEqual(0);
  }
});

test('without scripts the menu opens and the questions answer', async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE, baseURL: site.url });
  const page = await context.newPage();
  await page.goto('/free-trial-demo');
  await page.getByRole('button', { name: 'Demo' }).click();
  await expect(page.locator('#section-menu').getByRole('link', { name: 'FAQ' })).toBeVisible();
  await context.close();
});

test('a link to a folded section opens it', async ({ page }) => {
  await page.goto('/gohighlevel-complete-tutorial');
  await page.getByRole('link', { name: 'What you get' }).first().click();
  await expect(page.locator('details:has(#what-you-get)')).toHaveAttribute('open');
  await expect(page.getByRole('heading', { name: 'One report a week' })).toBeInViewport();
});
