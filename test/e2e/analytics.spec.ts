import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { startSite } from '../support/site.ts';

/** The commands that the page gave to the tag, as lists. */
const readCommands = () => (window.dataLayer ?? []).map((entry) => Array.from(entry as ArrayLike<unknown>));

/** Waits until the page had idle time, in which the tag would load. */
async function waitForIdle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(
    () =>
      new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve), { timeout: 6_000 })),
  );
}

test('without a measurement id, no page knows of a tag', async ({ page }) => {
  await page.goto('/help');
  await waitForIdle(page);
  expect(await page.evaluate(() => 'dataLayer' in window)).toBe(false);
});

test.describe('with a measurement id', () => {
  test.use({ timezoneId: 'Europe/Berlin' });

  test('the tag starts denied, is granted only by a yes, and a no ends it', async ({ page, context }) => {
    await using site = await startSite({
      env: { GA_MEASUREMENT_ID: 'G-TEST123', CONSENT_REGIONS: 'EU,GB,CH' },
    });
    const asked: string[] = [];
    await context.route('https://www.googletagmanager.com/**', (route) => {
      asked.push(route.request().url());
      return route.fulfill({ contentType: 'text/javascript', body: '' });
    });
    await page.goto(`${site.url}/help`);
    const bar = page.getByRole('region', { name: 'Analytics' });
    await expect(bar).toBeVisible();
    expect(asked).toEqual(['https://www.googletagmanager.com/gtag/js?id=G-TEST123']);
    const [first, , third] = await page.evaluate(readCommands);
    expect(first).toMatchObject([
      'consent',
      'default',
      {
        analytics_storage: 'denied',
        ad_storage: 'denied',
        ad_user_data: 'denied',
        ad_personalization: 'denied',
      },
    ]);
    expect(third).toEqual(['config', 'G-TEST123']);
    const [decline, allow] = await Promise.all(
      ['Decline', 'Allow'].map((name) => bar.getByRole('button', { name }).boundingBox()),
    );
    expect(decline?.height).toBe(allow?.height);
    expect(decline?.width).toBe(allow?.width);

    await bar.getByRole('button', { name: 'Allow' }).click();
    await expect(bar).toHaveCount(0);
    expect((await page.evaluate(readCommands)).at(-1)).toEqual([
      'consent',
      'update',
      { analytics_storage: 'granted' },
    ]);
    await page.goto(`${site.url}/gohighlevel-free-trial`);
    await expect.poll(async () => (await page.evaluate(readCommands)).at(-1)?.[1]).toBe('update');
    await page.locator('main a[rel~="sponsored"]').first().click();
    const events = (await page.evaluate(readCommands)).filter(([command]) => command === 'event');
    expect(events.map(([, name]) => name)).toEqual(['free_trial_signup', 'affiliate_redirect']);
    const [signUp, redirect] = events.map(([, , parameters]) => Object(parameters));
    expect(redirect).toEqual({ ...signUp, action: 'free_trial_signup' });
    expect(redirect.click).toMatch(/./);
    await page.goto(`${site.url}/help`);
    await waitForIdle(page);

    await page.evaluate(() => localStorage.removeItem('analytics-consent'));
    await page.reload();
    await expect(bar).toBeVisible();
    // Before an answer, a click is the call to action alone.
    await page.evaluate(() => {
      const detail = { action: 'call_to_action', label: 'x', value: 0, data: { click: 'id' } };
      document.dispatchEvent(new CustomEvent('utm_conversion', { bubbles: true, detail }));
    });
    expect((await page.evaluate(readCommands)).at(-1)?.[1]).toBe('call_to_action');
    await bar.getByRole('button', { name: 'Decline' }).focus();
    await page.keyboard.press('Escape');
    await expect(bar).toHaveCount(0);
    await page.reload();
    await waitForIdle(page);
    expect(await page.evaluate(() => 'dataLayer' in window)).toBe(false);

    await page.evaluate(() => localStorage.removeItem('analytics-consent'));
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true });
    });
    await page.reload();
    await waitForIdle(page);
    expect(await page.evaluate(() => 'dataLayer' in window)).toBe(false);
    expect(asked, 'once for each page that was opened before the last answer').toHaveLength(4);
  });
});
