import { expect, test } from '../support/browser-test.ts';
import { startSite } from '../support/site.ts';

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

test('at most one question is open, it can be closed, closed ones can be found', async ({ page }) => {
  await page.goto('/gohighlevel-free-trial');
  const questions = page.locator('#faq details');
  const open = page.locator('#faq details[open]');
  await questions.nth(0).locator('summary').click();
  await expect(open).toHaveCount(1);
  await questions.nth(3).locator('summary').press('Enter');
  await expect(open).toHaveCount(1);
  await expect(questions.nth(3)).toHaveAttribute('open', '');
  await questions.nth(3).locator('summary').press('Enter');
  await expect(open).toHaveCount(0);
  // What is closed is in the page, for its search and for search engines.
  await expect(questions.last()).toContainText('You, if you cannot spare an hour a day');
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
  await page.getByRole('link', { name: 'Success stories' }).first().click();
  await expect(page.locator('details:has(#success-stories)')).toHaveAttribute('open');
  await expect(page.getByText('Individual results differ')).toBeInViewport();
});

const ID = 'abcdefghijk';

test('a video loads nothing before it is played, then plays without cookies', async ({ page }) => {
  await using site = await startSite({
    contentEdits: {
      'pages/free-trial-demo.yaml': (text) =>
        text.replace('kind: video', `kind: video\n      youtube: ${ID}`),
    },
  });
  const outside: string[] = [];
  await page.route(/youtube|ytimg|google/, (route) => {
    outside.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: '<title>player</title>' });
  });
  await page.goto(`${site.url}/free-trial-demo`);
  const poster = page.getByRole('link', { name: /Play the video/ });
  await expect(poster).toHaveAttribute('href', `https://www.youtube.com/watch?v=${ID}`);
  expect(outside).toEqual([]);
  const before = await page.locator('[data-video]').boundingBox();
  await poster.click();
  const player = page.locator('figure iframe');
  await expect(player).toHaveAttribute(
    'src',
    new RegExp(`^https://www\\.youtube-nocookie\\.com/embed/${ID}`),
  );
  await expect(player).toHaveAttribute('title', 'Inside the account');
  await expect.poll(() => outside.length).toBeGreaterThan(0);
  expect(await page.locator('figure > :has(iframe)').boundingBox()).toEqual(before);
});

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
