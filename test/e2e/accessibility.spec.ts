import { findAxeViolations } from '../support/axe.ts';
import { expect, test } from '../support/browser-test.ts';
import { NOT_FOUND } from '../support/expected-noise.ts';
import { readRoutes, takeShare } from '../support/routes.ts';

const PARTS = 3;
/** States that no sitemap lists. */
const STATES = [
  '/blog?q=crm',
  '/blog?q=nothingmatchesthis',
  '/blog?page=2',
  '/no-such-page',
  '/blog/no-such-article',
];

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme} mode`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' }, tolerated: NOT_FOUND });

    for (let part = 1; part <= PARTS; part += 1) {
      test(`axe finds nothing on any page (${part} of ${PARTS})`, async ({ page, site }) => {
        test.setTimeout(180_000);
        const routes = [...(await readRoutes(site.url)), ...STATES];
        for (const route of takeShare(routes, part, PARTS)) {
          await page.goto(route);
          expect.soft(await findAxeViolations(page), `${route} in ${colorScheme} mode`).toEqual([]);
        }
      });
    }
  });
}

test.describe('with forced colours', () => {
  test.use({ contextOptions: { forcedColors: 'active' } });

  test('axe finds nothing on pages of each kind', async ({ page, site }) => {
    const routes = await readRoutes(site.url);
    const kinds = [
      '/',
      '/blog',
      routes.find((route) => route.startsWith('/blog/')) ?? '/',
      '/roi-calculator',
    ];
    for (const route of kinds) {
      await page.goto(route);
      expect.soft(await findAxeViolations(page), route).toEqual([]);
    }
  });
});
