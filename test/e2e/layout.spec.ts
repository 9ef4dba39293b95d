import type { Page } from '@playwright/test';
import { expect, FAILED_PAGES, test } from '../support/browser-test.ts';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import { buildServedArticles, respondAsGhost } from '../support/fake-services.ts';
import { findOverflow, readToTheEnd, watchLayoutShifts } from '../support/layout.ts';
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
