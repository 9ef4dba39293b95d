import { expect, test } from '../support/browser-test.ts';
import { readRoutes, sampleRoutes, takeShare } from '../support/routes.ts';

const PARTS = 2;
/** Controls and images with a meaning, as the accessibility tree lists them. */
const NAMED = /^\s*- (?:button|checkbox|combobox|img|link|radio|searchbox|slider|spinbutton|textbox)\b(.*)$/;

for (let part = 1; part <= PARTS; part += 1) {
  test(`everything that can be operated has a name in the accessibility tree (${part} of ${PARTS})`, {
    tag: '@generic',
  }, async ({ page, site }) => {
    test.setTimeout(60_000);
    for (const route of takeShare(sampleRoutes(await readRoutes(site.url), site.contentDir), part, PARTS)) {
      await page.goto(route);
      const lines = (await page.locator('body').ariaSnapshot()).split('\n');
      const operated = lines.filter((line) => NAMED.test(line));
      expect.soft(operated.length, `${route}: what can be operated`).toBeGreaterThan(5);
      const nameless = operated.filter((line) => !/ "[^"]*\p{L}[^"]*"/u.test(line));
      expect.soft(nameless, `${route}: without a name`).toEqual([]);
      const main = lines.filter((line) => /^\s*- (?:banner|main|contentinfo):/.test(line));
      expect.soft(main.length, `${route}: header, main and footer`).toBe(3);
    }
  });
}
