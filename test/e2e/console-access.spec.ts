import type { Page } from '@playwright/test';
import { findViolationsInBothSchemes } from '../support/accessibility.ts';
import { ASKS_TO_CONFIRM, expect, test } from '../support/browser-test.ts';
import {
  confirmWithPassword,
  OWNER,
  openSetting,
  readConsoleUrl,
  setUpOperator,
} from '../support/console-access.ts';
import { startSite } from '../support/site.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' }, tolerated: ASKS_TO_CONFIRM });

const WIDTHS = [320, 390, 1440];

async function expectSound(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect.soft(overflow, `${name}, ${width}: sideways scrolling`).toBe(0);
  }
  // Scrolled, the bar at the top covers what is behind it.
  await page.evaluate(() => scrollTo(0, 0));
  expect.soft(await findViolationsInBothSchemes(page), name).toEqual([]);
}

test('set-up, sign-in and settings have no accessibility finding and fit every width', async ({ page }) => {
  await using site = await startSite();
  const setup = await readConsoleUrl(site);
  await page.goto(setup);
  await expectSound(page, 'set-up');
  const cookie = await setUpOperator(setup);
  await page.goto(`${site.url}/console/sign-in`);
  await expectSound(page, 'sign-in');
  const [name = '', value = ''] = cookie.split('=', 2);
  await page.context().addCookies([{ name, value, url: site.url }]);
  await page.goto(`${site.url}/console/settings?share=%2Fconsole%2Fpages%3Frange%3D7d#share`);
  await expect(page.getByLabel('Address of the view')).toHaveValue('/console/pages?range=7d');
  await page.getByRole('button', { name: 'Create a share link' }).click();
  await expect(page.getByText('Create a share link.')).toBeVisible();
  await expectSound(page, 'confirmation');
  await confirmWithPassword(page);
  await openSetting(page, 'People');
  await page.locator('#operators').getByLabel('Name').fill('Bob');
  await page.getByRole('button', { name: 'Add an operator' }).click();
  await expect(page.locator('.settings-issued')).toBeVisible();
  await expect(page.locator('#operators')).toContainText('Join; may: Edit content');
  await openSetting(page, 'People');
  await page.locator('#share summary').click();
  await expectSound(page, 'settings');
});

test('set-up, sign-in and sign-out need no pointer', async ({ page }) => {
  await using site = await startSite();
  await page.goto(await readConsoleUrl(site));
  await page.keyboard.press('Tab');
  await page.keyboard.type(OWNER.name);
  await page.keyboard.press('Tab');
  await page.keyboard.type(OWNER.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${site.url}/console/settings/start`);
  await page.goto(`${site.url}/console/settings`);
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${site.url}/console/sign-in`);
  await page.getByLabel('Name').focus();
  await page.keyboard.type(OWNER.name);
  await page.keyboard.press('Tab');
  await page.keyboard.type(OWNER.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${site.url}/console`);
});
