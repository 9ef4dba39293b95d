import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { FAILED_PAGES } from '../support/expected-noise.ts';
import { findOverflow, readToTheEnd, watchLayoutShifts } from '../support/layout.ts';
import { readRoutes, sampleRoutes, takeShare } from '../support/routes.ts';

const PARTS = 2;
/** Pages that no sitemap lists. */
const STATES = [
  '/blog?q=crm',
  '/blog?q=nothingmatchesthis',
  '/no-such-page',
  '/blog/no-such-article',
  '/500',
];

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
    test.setTimeout(120_000);
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

  for (const width of [390, 1280]) {
    test(`nothing moves while a page loads and is read at ${width} px (${part} of ${PARTS})`, async ({
      page,
      site,
    }) => {
      test.setTimeout(180_000);
      await page.setViewportSize({ width, height: 800 });
      await delayFontAndImages(page);
      const readShifts = await watchLayoutShifts(page);
      for (const route of takeShare(sampleRoutes(await readRoutes(site.url), site.contentDir), part, PARTS)) {
        await page.goto(route);
        await page.evaluate(() => document.fonts.ready);
        await readToTheEnd(page);
        const { total, moves } = await readShifts();
        expect.soft(total, `${route}: ${moves.join('; ')}`).toBe(0);
      }
    });
  }
}
