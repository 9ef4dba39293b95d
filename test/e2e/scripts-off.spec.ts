import { expect, test } from '../support/browser-test.ts';
import { readRoutes, sampleRoutes, takeShare } from '../support/routes.ts';

const PARTS = 2;

test.use({ javaScriptEnabled: false });

for (let part = 1; part <= PARTS; part += 1) {
  test(`every page can be read and used without scripts (${part} of ${PARTS})`, { tag: '@generic' }, async ({
    page,
    site,
  }) => {
    for (const route of takeShare(sampleRoutes(await readRoutes(site.url), site.contentDir), part, PARTS)) {
      await page.goto(route);
      expect.soft(await page.locator('h1').count(), `${route}: headings of level 1`).toBe(1);
      await expect.soft(page.locator('h1'), route).toBeVisible();
      const found = await page.evaluate(() => ({
        waiting: [...document.querySelectorAll('[aria-busy="true"], .skeleton')].map((one) =>
          one.outerHTML.slice(0, 80),
        ),
        dead: [...document.querySelectorAll('button')]
          .filter((one) => one.checkVisibility() && !one.matches('[popovertarget], [commandfor]'))
          .filter((one) => one.form === null || one.type !== 'submit')
          .map((one) => one.outerHTML.slice(0, 120)),
        empty: [...document.querySelectorAll('astro-island')]
          .filter((one) => one.textContent?.trim() === '' && one.querySelector('svg, img') === null)
          .map((one) => one.getAttribute('component-url')),
      }));
      const words = (await page.locator('main').innerText()).split(/\s+/).length;
      expect.soft(words, `${route}: words`).toBeGreaterThan(30);
      expect.soft(found.waiting, `${route}: waits for a script`).toEqual([]);
      expect.soft(found.dead, `${route}: does nothing without a script`).toEqual([]);
      expect.soft(found.empty, `${route}: empty islands`).toEqual([]);
    }
  });
}
