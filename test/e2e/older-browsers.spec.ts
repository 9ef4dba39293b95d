import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';

const PHONE = { width: 375, height: 667 };

/** Lets pages of a context arrive as a browser reads them that knows no popover: Safari 16, Chrome 113, Firefox 124. */
async function forgetPopovers(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => Reflect.deleteProperty(HTMLElement.prototype, 'hidePopover'));
  await context.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.continue();
    const response = await route.fetch();
    const html = (await response.text())
      .replaceAll(' popover=', ' data-popover=')
      .replaceAll('selector(:popover-open)', 'selector(:unknown-state)');
    return route.fulfill({ response, body: html });
  });
}

const measure = (page: Page) =>
  page.evaluate(() => ({
    header: document.querySelector('.site-header')?.getBoundingClientRect().height,
    bar: document.querySelector('.section-nav')?.getBoundingClientRect().height,
    width: document.documentElement.scrollWidth,
    // Each link of a menu is seen once, in the row or in no place.
    seen: [...document.querySelectorAll('.site-header nav a')].filter((link) => link.checkVisibility())
      .length,
  }));

const ROUTES = [
  '/',
  '/gohighlevel-free-trial',
  '/hubspot-vs-gohighlevel-pricing-comparison',
  '/blog',
  '/help',
];

for (const javaScriptEnabled of [true, false]) {
  test.describe(`without popovers, scripts ${javaScriptEnabled ? 'on' : 'off'}`, () => {
    // The hash of the styles in the policy is that of the page as it was sent.
    test.use({ bypassCSP: true, javaScriptEnabled, hasTouch: true });

    for (const viewport of [PHONE, { width: 768, height: 1024 }, { width: 1440, height: 900 }]) {
      test(`pages are laid out as elsewhere at ${viewport.width} px`, async ({ page, context }) => {
        await page.setViewportSize(viewport);
        const usual = new Map<string, unknown>();
        for (const route of ROUTES) {
          await page.goto(route);
          usual.set(route, await measure(page));
        }
        await forgetPopovers(context);
        for (const route of ROUTES) {
          await page.goto(route);
          await expect(page.locator('[data-popover]').first()).toBeAttached();
          expect.soft(await measure(page), route).toEqual(usual.get(route));
        }
      });
    }

    for (const route of ROUTES) {
      test(`on ${route} a tap opens the menu and closes it, and its links lead on`, async ({
        page,
        context,
      }) => {
        await forgetPopovers(context);
        await page.setViewportSize(PHONE);
        await page.goto(route);
        const menu = page.locator('#site-menu');
        const button = page.locator('.site-header summary');
        await expect(menu).toBeHidden();
        await button.tap();
        await expect(menu).toBeInViewport({ ratio: 1 });
        expect((await measure(page)).width, 'the menu scrolls the page sideways').toBe(PHONE.width);
        await button.tap();
        await expect(menu).toBeHidden();
        await button.press('Enter');
        await page.keyboard.press('Tab');
        await expect(menu.getByRole('link').first()).toBeFocused();
        await menu.getByRole('link', { name: 'Savings' }).tap();
        await expect(page).toHaveURL(/\/roi-calculator$/);
      });
    }

    test('the menu of a page leads to its parts', async ({ page, context }) => {
      await forgetPopovers(context);
      await page.setViewportSize(PHONE);
      await page.goto('/free-trial-demo');
      await page.locator('.section-nav summary').tap();
      const menu = page.locator('#section-menu');
      await menu.getByRole('link', { name: 'Support' }).tap();
      await expect(page.locator('#support')).toBeInViewport();
      if (javaScriptEnabled) await expect(menu).toBeHidden();
    });
  });
}
