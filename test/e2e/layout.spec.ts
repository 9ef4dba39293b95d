import type { Page } from '@playwright/test';
import { expect, FAILED_PAGES, test } from '../support/browser-test.ts';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import { buildServedArticles, respondAsGhost } from '../support/fake-services.ts';
import {
  findBrokenWords,
  findClipped,
  findOverflow,
  readToTheEnd,
  watchLayoutShifts,
} from '../support/layout.ts';
import { readRoutes, sampleRoutes, takeShare } from '../support/routes.ts';
import { startSite } from '../support/site.ts';
import { startUpstream } from '../support/upstream-server.ts';

const PARTS = 2;
/** Pages that no sitemap lists. */
const STATES = '/blog?q=crm /blog?q=nothingmatchesthis /no-such-page /blog/no-such-article /500'.split(' ');

/** Lets the font and the images arrive late, as on a slow line: what they would move, they move here. */
async function delayFontAndImages(page: Page): Promise<void> {
  await page.route(/\.(woff2|avif|webp|png|jpe?g|svg)$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    await route.continue();
  });
}

test.use({ tolerated: FAILED_PAGES });

for (let part = 1; part <= PARTS; part += 1) {
  test(`no page scrolls sideways at 320 px (${part} of ${PARTS})`, { tag: '@generic' }, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const route of takeShare(
      [...sampleRoutes(await readRoutes(site.url), site.contentDir), ...STATES],
      part,
      PARTS,
    )) {
      await page.goto(route);
      expect.soft(await findOverflow(page), route).toEqual([]);
    }
  });

  for (const [index, width] of [390, 1280].entries()) {
    test(`nothing moves while a page is read at ${width} px (${part} of ${PARTS})`, async ({
      page,
      site,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      await delayFontAndImages(page);
      const readShifts = await watchLayoutShifts(page);
      const routes = sampleRoutes(await readRoutes(site.url), site.contentDir, 'types');
      for (const [position, route] of takeShare(routes, part, PARTS).entries()) {
        if (!IS_FULL_LENGTH && position % 2 !== index) continue;
        await page.goto(route);
        await page.evaluate(() => document.fonts.ready);
        await readToTheEnd(page);
        const { total, moves } = await readShifts();
        expect.soft(total, `${route}: ${moves.join('; ')}`).toBe(0);
      }
    });
  }
}

for (const [width, percent] of [
  [390, 150],
  [320, 200],
  [320, 100],
] as const)
  test(`no frame cuts a text of ${percent} % at ${width} px`, async ({ page, site }) => {
    const session = await page.context().newCDPSession(page);
    const standard = (16 * percent) / 100;
    await session.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } });
    await page.setViewportSize({ width, height: 844 });
    for (const route of [...sampleRoutes(await readRoutes(site.url), site.contentDir), ...STATES]) {
      await page.goto(route);
      expect.soft(await findClipped(page), route).toEqual([]);
      if (percent === 100) expect.soft(await findBrokenWords(page), `${route} breaks words`).toEqual([]);
      if (percent > 100) expect.soft(await findOverflow(page), `${route} scrolls sideways`).toEqual([]);
    }
  });

test('phones show a low bar, the title and what to do next before anything else', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const route of await readRoutes(site.url)) {
    await page.goto(route);
    const { bar, title, name, stacked } = await page.evaluate(() => ({
      bar: document.querySelector('.site-header')?.getBoundingClientRect().height ?? 0,
      title: document.querySelector('h1')?.getBoundingClientRect().top ?? Number.NaN,
      name: document.querySelector('.site-header:has([data-late]) a > span')?.getBoundingClientRect(),
      stacked: [...document.querySelectorAll('[data-stacked] td[data-column]:first-child')]
        .filter(({ textContent }) => textContent.length < 4)
        .map((cell) => cell.getBoundingClientRect().height),
    }));
    expect.soft(bar, `${route}: the bar`).toBeLessThanOrEqual(64);
    if (name) {
      expect.soft(name.width, `${route}: the name is read`).toBeGreaterThan(100);
      expect.soft(name.height, `${route}: the name has one line`).toBeLessThan(30);
    }
    for (const height of stacked) expect.soft(height, `${route}: a row and its number`).toBeLessThan(40);
    expect.soft(title, `${route}: the title`).toBeLessThanOrEqual(150);
  }
  await page.goto('/gohighlevel-free-trial');
  const button = await page
    .locator('main')
    .getByRole('link', { name: 'Start Free Trial' })
    .first()
    .boundingBox();
  expect((button?.y ?? Number.NaN) + (button?.height ?? 0)).toBeLessThanOrEqual(500);
  await page.goto('/roi-calculator');
  const tools = await page.getByRole('button', { name: 'Copy a link' }).boundingBox();
  const sum = await page.locator('[data-sum]').boundingBox();
  const end = (tools?.y ?? Number.NaN) + (tools?.height ?? 0);
  expect(Math.abs((sum?.y ?? Number.NaN) - end - 16), 'no hole above the sum').toBeLessThanOrEqual(16);
  await page.goto('/hubspot-vs-gohighlevel-pricing-comparison');
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(9000);
});

const TALL =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="900"><path d="M0 0h400v900H0z"/></svg>';

for (const width of [390, 1280]) {
  test(`images of Ghost without a size move nothing when they arrive at ${width} px`, async ({ page }) => {
    const [article] = buildServedArticles(1);
    if (!article) throw new Error('no article');
    const html = `<p>Before.</p><img src="https://images.example/body.png" alt="Body">${'<p>After.</p>'.repeat(20)}`;
    const upstream = await startUpstream(respondAsGhost(() => [{ ...article, html }]));
    const site = await startSite({
      env: {
        ARTICLE_SOURCE: 'ghost',
        ARTICLE_SERVICE_URL: upstream.url,
        ARTICLE_SERVICE_KEY: 'k',
        ARTICLE_IMAGE_HOSTS: 'images.example',
      },
    });
    try {
      let arrived = 0;
      const shown = page.waitForRequest('https://images.example/**');
      await page.route('https://images.example/**', async (route) => {
        // The page has been painted without the image.
        await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
        await route.fulfill({ contentType: 'image/svg+xml', body: TALL });
        arrived += 1;
      });
      await page.setViewportSize({ width, height: 800 });
      const readShifts = await watchLayoutShifts(page);
      await page.goto(`${site.url}/blog/${article.slug}`);
      await shown;
      await readToTheEnd(page);
      await expect.poll(() => arrived).toBe(2);
      const { total, moves } = await readShifts();
      expect(total, moves.join('; ')).toBe(0);
      const box = await page.getByAltText('Body').boundingBox();
      expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(1.5);
    } finally {
      await site.remove();
      await upstream.close();
    }
  });
}
