import { AGENCY, finishAssessment, waitForSave, waitUntilHydrated } from '../support/assessment.ts';
import { expect, test } from '../support/browser-test.ts';
import { readEvents } from '../support/events.ts';

/** The steps that were stored for the session of this page. */
async function readSteps(dataDir: string): Promise<number[]> {
  const events = readEvents(dataDir);
  return events
    .filter(({ name, session }) => name === 'assessment_step' && session !== '')
    .map(({ value }) => Number(value));
}

test('every step shown is stored once in a session, also after going back', async ({ page, site }) => {
  const before = (await readSteps(site.dataDir)).length;
  const saved = waitForSave(page, 202);
  // The first step is shown before there is a session.
  await page.route('**/visit-script*.js', async (route) => {
    await waitUntilHydrated(page);
    await route.continue();
  });
  await finishAssessment(page);
  await saved;
  await page.goBack();
  await expect(page.getByText('Step 4 of 4')).toBeVisible();
  await page.reload();
  await waitUntilHydrated(page);
  await expect(page.getByText('Step 4 of 4')).toBeVisible();
  await expect.poll(async () => (await readSteps(site.dataDir)).slice(before)).toEqual([1, 2, 3, 4]);
});

test('the assessment begins on a page that is never idle', async ({ page }) => {
  await page.addInitScript(() => {
    // A busy page: what waits for a pause is called when its time is over, and without one never.
    window.requestIdleCallback = (callback, { timeout } = {}) =>
      timeout === undefined
        ? 0
        : window.setTimeout(() => callback({ didTimeout: true, timeRemaining: () => 0 }), timeout);
  });
  await page.goto('/assessment?step=1');
  await waitUntilHydrated(page);
});

test('Continue before hydration leads to the next question, and no answer is lost', async ({ page }) => {
  const held: (() => void)[] = [];
  await page.route('**/_astro/*.js', async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue().catch(() => undefined);
  });
  await page.goto('/assessment?step=1', { waitUntil: 'commit' });
  const [first = [], ...rest] = AGENCY;
  for (const label of first) await page.getByLabel(label, { exact: true }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Step 2 of 4')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.unroute('**/_astro/*.js');
  for (const release of held) release();
  await waitUntilHydrated(page);
  for (const labels of rest) {
    for (const label of labels) await page.getByLabel(label, { exact: true }).check();
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeVisible();
});

test.describe('with Global Privacy Control', () => {
  test.use({ extraHTTPHeaders: { 'sec-gpc': '1' } });

  test('no step is sent', async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true });
    });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await finishAssessment(page);
    expect(sent.filter((body) => body.includes('assessment_step'))).toEqual([]);
  });
});
