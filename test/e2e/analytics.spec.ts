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

  test('the tag loads after a yes alone, for analytics and nothing else, and a no ends it', async ({
    page,
    context,
  }) => {
    await using site = await startSite({
      env: { GA_MEASUREMENT_ID: 'G-TEST123', CONSENT_REGIONS: 'EU,GB,CH' },
    });
    const asked: string[] = [];
    await context.route('https://www.googletagmanager.com/**', (route) => {
      asked.push(route.request().url());
      return route.fulfill({ contentType: 'text/javascript', body: '' });
    });
    await page.goto(`${site.url}/help`);
    await expect(page.locator('html')).toHaveAttribute('data-consent-regions', 'EU,GB,CH');
    const bar = page.getByRole('region', { name: 'Privacy choices' });
    await expect(bar).toBeVisible();
    expect(asked, 'before an answer').toEqual([]);
    const [refuse, allow] = await Promise.all(
      ['Refuse', 'Allow'].map((name) => bar.getByRole('button', { name }).boundingBox()),
    );
    expect([refuse?.height, refuse?.width]).toEqual([allow?.height, allow?.width]);
    expect(refuse?.x).toBeLessThan(allow?.x ?? 0);

    await bar.getByRole('button', { name: 'Allow' }).click();
    await expect(bar).toHaveCount(0);
    await expect.poll(() => asked).toEqual(['https://www.googletagmanager.com/gtag/js?id=G-TEST123']);
    const [first, second, , fourth] = await page.evaluate(readCommands);
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
    expect(second).toEqual(['consent', 'update', { analytics_storage: 'granted' }]);
    expect(fourth).toEqual(['config', 'G-TEST123']);
    await page.goto(`${site.url}/gohighlevel-free-trial`);
    await expect.poll(async () => (await page.evaluate(readCommands)).at(-1)?.[1]).toBe('G-TEST123');
    await page.locator('main a[rel~="sponsored"]').first().click();
    const events = (await page.evaluate(readCommands)).filter(([command]) => command === 'event');
    expect(events.map(([, name]) => name)).toEqual(['free_trial_signup', 'affiliate_redirect']);
    const [signUp, redirect] = events.map(([, , parameters]) => Object(parameters));
    expect(redirect).toEqual({ ...signUp, action: 'free_trial_signup' });
    expect(redirect.click).toMatch(/./);
    await page.goto(`${site.url}/help`);
    await waitForIdle(page);

    await page.evaluate(() => localStorage.removeItem('visit-choice'));
    await page.reload();
    await expect(bar).toBeVisible();
    await bar.getByRole('button', { name: 'Refuse' }).focus();
    await page.keyboard.press('Escape');
    await expect(bar).toHaveCount(0);
    await page.reload();
    await waitForIdle(page);
    expect(await page.evaluate(() => 'dataLayer' in window)).toBe(false);

    await page.evaluate(() => localStorage.removeItem('visit-choice'));
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true });
    });
    await page.reload();
    await waitForIdle(page);
    expect(await page.evaluate(() => 'dataLayer' in window)).toBe(false);
    expect(asked, 'once for each page that was opened with a yes').toHaveLength(3);
  });
});
