// npm test -- screenshots: compares every page and every view of the console with the images in shots/, which are not
// in git. `--update` takes the images: before a change that is not meant to be seen, and again after one that is.
import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import type { ConsoleSite } from '../support/console-access.ts';
import { startSeededConsole } from '../support/console-data.ts';
import { CONSOLE_VIEW_PATHS } from '../support/console-view-paths.ts';
import { readRoutes } from '../support/routes.ts';

const WIDTHS = [390, 768, 1440];
const MODES = ['light', 'dark'] as const;
/** Pages that no sitemap lists. */
const UNLISTED = ['/', '/blog?page=2', '/blog?q=xylophone', '/no-such-page', '/go/highlevel?page=trial'];
/** A light page that loads the font: a page shows it only when it is in the cache or arrives at once. */
const FONT_PAGE = '/no-such-page';

test.use({
  contextOptions: { reducedMotion: 'reduce' },
  tolerated: { patterns: [/./], reason: 'pages that fail are among those in the images' },
});

/** Islands and images load when they come near the viewport, which a screenshot of the whole page does not move. */
async function loadLazyParts(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo({ top, behavior: 'instant' });
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    scrollTo({ top: 0, behavior: 'instant' });
    await document.fonts.ready;
    await Promise.allSettled([...document.images].map((image) => image.decode()));
  });
  await page.waitForLoadState('networkidle');
}

/** Runs in the page: replaces times of day and ages, which differ from run to run. Returns the height of the page. */
function stopClocks(): number {
  for (const time of document.querySelectorAll('time')) time.textContent = 'then';
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode } = texts;
    currentNode.nodeValue = (currentNode.nodeValue ?? '').replace(/\b\d\d:\d\d(:\d\d)?\b/g, '12:00');
  }
  return document.documentElement.scrollHeight;
}

async function expectUnchanged(page: Page, url: string, folder: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.goto(url, { waitUntil: 'networkidle' });
  await loadLazyParts(page);
  const height = await page.evaluate(stopClocks);
  // The whole page in the window: a capture that is larger lays the page out again.
  await page.setViewportSize({ width, height });
  const { pathname, search } = new URL(url);
  const name = `${pathname}${search}`.slice(1).replace(/[^a-z0-9-]+/gi, '.') || 'home';
  await expect.soft(page).toHaveScreenshot([folder, `${name}.png`]);
}

for (const width of WIDTHS) {
  for (const colorScheme of MODES) {
    const folder = `${width}-${colorScheme}`;

    test(`every page looks as before at ${width} px, ${colorScheme}`, async ({ page, site }) => {
      test.setTimeout(1_200_000);
      await page.emulateMedia({ colorScheme });
      // The redirect page leaves by itself: a response without content ends a navigation.
      await page.route(
        ({ origin }) => origin !== site.url,
        (route) =>
          route.request().isNavigationRequest() ? route.fulfill({ status: 204 }) : route.fallback(),
      );
      await page.goto(FONT_PAGE);
      for (const route of new Set([...UNLISTED, ...(await readRoutes(site.url))])) {
        await expectUnchanged(page, site.url + route, folder, width);
      }
    });
  }
}

test.describe('the console', () => {
  let seeded: ConsoleSite;
  test.beforeAll(async () => (seeded = await startSeededConsole()));
  test.afterAll(() => seeded.site.remove());

  for (const width of WIDTHS) {
    for (const colorScheme of MODES) {
      test(`every view looks as before at ${width} px, ${colorScheme}`, async ({ page, context }) => {
        test.setTimeout(600_000);
        await seeded.signIn(context);
        await page.emulateMedia({ colorScheme });
        for (const path of CONSOLE_VIEW_PATHS) {
          await expectUnchanged(page, seeded.site.url + path, `console-${width}-${colorScheme}`, width);
        }
      });
    }
  }
});
