import { expect, test } from '../support/browser-test.ts';

const PATH = '/industry-report-2025';

test('charts bring no framework before they are seen, and nothing moves when they come', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  await page.goto(PATH, { waitUntil: 'load' });
  expect(scripts.filter((url) => /react|chart|client/i.test(url))).toEqual([]);
  const pie = page.locator('.chart-plot[data-kind="pie"]');
  const still = await pie.boundingBox();
  expect(still).toMatchObject({ width: 240, height: 240 });
  await pie.scrollIntoViewIfNeeded();
  await expect(pie.locator('.recharts-surface')).toBeVisible();
  const live = await pie.boundingBox();
  expect(live).toMatchObject({ width: 240, height: 240 });
});

test('the pie shows 73 against 27 with radii 60 and 100 and gaps of 5 degrees', async ({ page }) => {
  await page.goto(PATH);
  const sectors = page.locator('.chart-plot[data-kind="pie"] path');
  await expect(sectors.first()).toHaveAttribute('d', /A\s*100/);
  await expect(sectors.first()).toHaveAttribute('d', /60/);
  await expect(page.locator('#research-findings table')).toContainText('73%');
  await expect(page.locator('#research-findings table')).toContainText('27%');
});

for (const [kind, figure] of [
  ['pie', '73%'],
  ['bars', '$2,400'],
  ['efficiency', '40%'],
] as const) {
  test(`the ${kind} chart shows its figure to pointer and keyboard`, async ({ page }) => {
    await page.goto(PATH);
    const plot = page.locator(`.chart-plot[data-kind="${kind}"]`);
    await plot.scrollIntoViewIfNeeded();
    await expect(plot.locator('.recharts-surface').first()).toBeVisible();
    const tip = plot.getByRole('status');
    const box = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const spot =
      kind === 'pie'
        ? { x: box.x + box.width / 2 + 60, y: box.y + box.height / 2 - 52 }
        : { x: box.x + box.width * 0.2, y: box.y + box.height * 0.3 };
    await page.mouse.move(spot.x, spot.y);
    await expect(tip).toContainText(figure);
    await page.mouse.move(0, 0);
    await expect(tip).toHaveCount(0);
    await plot.locator('[tabindex="0"]').first().focus();
    await expect(tip).toContainText(figure);
  });
}

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test('a touch shows the figure', async ({ page }) => {
    await page.goto(PATH);
    const plot = page.locator('.chart-plot[data-kind="bars"]');
    await plot.scrollIntoViewIfNeeded();
    await expect(plot.locator('.recharts-surface')).toBeVisible();
    const box = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.touchscreen.tap(box.x + box.width * 0.25, box.y + box.height * 0.6);
    await expect(plot.getByRole('status')).toContainText('$2,400');
  });
});

test('without scripts the charts are drawn and their figures are in tables', async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url });
  const page = await context.newPage();
  await page.goto(PATH);
  await expect(page.locator('.chart-plot[data-kind="pie"] path')).toHaveCount(2);
  await expect(page.locator('.chart-plot[data-kind="bars"] rect')).toHaveCount(2);
  await expect(page.locator('.chart table')).toHaveCount(3);
  await context.close();
});
