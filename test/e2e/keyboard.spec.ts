import { expect, test } from '../support/browser-test.ts';
import { walkByKeyboard } from '../support/keyboard.ts';
import { readRoutes, sampleRoutes, takeShare } from '../support/routes.ts';

const PARTS = 2;

for (const width of [390, 1280]) {
  for (let part = 1; part <= PARTS; part += 1) {
    test(`Tab reaches everything in order and its focus is seen at ${width} px (${part} of ${PARTS})`, async ({
      page,
      site,
    }) => {
      test.setTimeout(180_000);
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      for (const route of takeShare(sampleRoutes(await readRoutes(site.url), site.contentDir), part, PARTS)) {
        await page.goto(route, { waitUntil: 'networkidle' });
        expect.soft(await walkByKeyboard(page), route).toEqual([]);
      }
    });
  }
}

test('the first stop of a page skips its header', { tag: '@generic' }, async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
});
