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
  await expect(questions.last()).toContainText("Skip it if you can't spare an hour a day");
});

test.describe('the demo’s menu on a phone', () => {
  test.use({ viewport: PHONE });

  test('closes after a choice, on Escape and outside', async ({ page }) => {
    await page.goto('/free-trial-demo');
    const button = page.getByRole('button', { name: 'On this page' });
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
  await page.getByRole('button', { name: 'On this page' }).click();
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
  await poster.scrollIntoViewIfNeeded();
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

/** Shares of the width and height of a chart at which its first value is drawn. */
const SPOTS = { pie: [0.75, 0.28], bars: [0.2, 0.3], efficiency: [0.2, 0.3] } as const;

for (const [kind, first, second] of [
  ['pie', '73%', '27%'],
  ['bars', '$2,400', '$297'],
  ['efficiency', '23%', '40%'],
] as const) {
  test(`the ${kind} chart shows its figures to pointer and keyboard`, async ({ page }) => {
    await page.goto(PATH);
    const plot = page.locator(`[data-chart="${kind}"]`);
    const tip = plot.getByRole('status').locator('p:visible');
    await plot.scrollIntoViewIfNeeded();
    const before = await plot.boundingBox();
    const { x, y, width, height } = before ?? { x: 0, y: 0, width: 0, height: 0 };
    const [across, down] = SPOTS[kind];
    await page.mouse.move(x + width * across, y + height * down);
    await expect(tip).toContainText(first);
    await expect(tip).toBeInViewport({ ratio: 1 });
    expect(await plot.boundingBox()).toEqual(before);
    await page.mouse.move(0, 0);
    await expect(tip).toHaveCount(0);

    const caption = await page.locator('figure', { has: plot }).locator('figcaption').innerText();
    await expect(plot).toHaveAccessibleName(caption);
    await page.locator('a, [tabindex="0"]').filter({ visible: true }).first().focus();
    await plot.focus();
    await expect(tip).toContainText(first);
    await expect(plot).toHaveCSS('outline-style', 'solid');
    await page.keyboard.press('ArrowRight');
    await expect(tip).toContainText(second);
    await page.keyboard.press('ArrowDown');
    await expect(tip, 'the last value stays').toContainText(second);
    await page.keyboard.press('ArrowLeft');
    await expect(tip).toContainText(first);
    await page.keyboard.press('Escape');
    await expect(tip).toHaveCount(0);
    await page.keyboard.press('ArrowUp');
    await expect(tip).toContainText(first);
    await page.keyboard.press('Tab');
    await expect(tip).toHaveCount(0);
  });
}

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test('a touch shows the figure of a chart until the next touch elsewhere', async ({ page }) => {
    await page.goto(PATH);
    const plot = page.locator('[data-chart="bars"]');
    await plot.scrollIntoViewIfNeeded();
    const box = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.touchscreen.tap(box.x + box.width * 0.25, box.y + box.height * 0.6);
    const tip = plot.getByRole('status').locator('p:visible');
    await expect(tip).toContainText('$2,400');
    // Browsers move a touch beside something to it.
    await page.touchscreen.tap(box.x + 5, box.y + box.height + 90);
    await expect(tip).toHaveCount(0);
  });
});

test('without scripts the charts are drawn, and no stop of the keyboard', async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url });
  const page = await context.newPage();
  await page.goto(PATH);
  await expect(page.locator('astro-island'), 'no framework').toHaveCount(0);
  const pie = page.locator('[data-chart="pie"]');
  expect(await pie.boundingBox()).toMatchObject({ width: 240, height: 240 });
  await expect(pie.locator('path')).toHaveCount(2);
  await expect(page.locator('[data-chart="bars"] g')).toHaveCount(2);
  await expect(page.locator('[data-chart][tabindex], [data-chart] [tabindex]')).toHaveCount(0);
  await expect(page.locator('.chart table')).toHaveCount(3);
  await expect(page.locator('#research-findings table')).toContainText('73%');
  await expect(page.locator('#research-findings table')).toContainText('27%');
  await context.close();
});
