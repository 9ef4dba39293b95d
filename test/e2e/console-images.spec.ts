import { findViolationsInBothSchemes, walkByKeyboard } from '../support/accessibility.ts';
import { expect, test } from '../support/browser-test.ts';
import { type ConsoleSite, openConsoleSite } from '../support/console-access.ts';
import { findOverflowOpened } from '../support/layout.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let operator: ConsoleSite;
test.beforeAll(async () => {
  site = await startSite();
  operator = await openConsoleSite(site);
});
test.afterAll(() => site.remove());

for (const [name, path] of [
  ['the list of images', ''],
  ['the page of an image', '/signpost.svg'],
] as const) {
  test(`${name} is accessible in both modes and fits every width`, async ({ page, context }) => {
    await operator.signIn(context);
    await page.goto(`${site.url}/console/content/images${path}`);
    expect(await findViolationsInBothSchemes(page)).toEqual([]);
    expect(await walkByKeyboard(page, 'forward')).toEqual([]);
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect.soft(await findOverflowOpened(page), `${width} px`).toEqual([]);
    }
  });
}
