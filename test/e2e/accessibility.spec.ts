import { findAxeViolations, findContrastViolations } from '../support/axe.ts';
import { expect, test } from '../support/browser-test.ts';
import { FAILED_PAGES } from '../support/expected-noise.ts';
import { walkByKeyboard } from '../support/keyboard.ts';
import { readRoutes, sampleRoutes, takeShare } from '../support/routes.ts';

const PARTS = 2;
/** States that no sitemap lists. */
const STATES = [
  '/blog?q=crm',
  '/blog?q=nothingmatchesthis',
  '/blog?page=2',
  '/no-such-page',
  '/blog/no-such-article',
  '/500',
];

test.describe('in both color schemes', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' }, tolerated: FAILED_PAGES });

  for (let part = 1; part <= PARTS; part += 1) {
    test(`axe finds nothing on pages with every type of section (${part} of ${PARTS})`, {
      tag: '@generic',
    }, async ({ page, site }) => {
      test.setTimeout(180_000);
      const routes = [...sampleRoutes(await readRoutes(site.url), site.contentDir), ...STATES];
      for (const route of takeShare(routes, part, PARTS)) {
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(route);
        expect.soft(await findAxeViolations(page), `${route}, light`).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect.soft(await findContrastViolations(page), `${route}, dark`).toEqual([]);
      }
    });
  }
});

test.describe('with forced colors', () => {
  test.use({ contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } });

  // Backgrounds and shadows are gone there, so an edge has to say what is a button and an outline what has the focus.
  test('buttons and fields keep an edge, and the focus is still seen', async ({ page, site }) => {
    test.setTimeout(120_000);
    const routes = await readRoutes(site.url);
    for (const route of ['/', '/blog', '/assessment', '/contact', '/roi-calculator']) {
      expect(routes).toContain(route);
      await page.goto(route, { waitUntil: 'networkidle' });
      const edgeless = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.button, input, textarea, select')]
          .filter(
            (one) =>
              one.checkVisibility() && !one.matches('[type="hidden"], [type="radio"], [type="checkbox"]'),
          )
          .filter((one) => one.tabIndex >= 0 && Number.parseFloat(getComputedStyle(one).borderTopWidth) === 0)
          .map((one) => one.outerHTML.slice(0, 120)),
      );
      expect.soft(edgeless, route).toEqual([]);
      expect.soft(await walkByKeyboard(page), route).toEqual([]);
    }
  });
});
