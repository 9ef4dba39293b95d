import type { Page, Request } from '@playwright/test';
import {
  AGENCY,
  AGENCY_RECORD,
  answerSteps,
  finishAssessment,
  isSave,
  readRecord,
  SAVE,
  waitForSave,
  waitUntilHydrated,
} from '../support/assessment.ts';
import { expect, test } from '../support/browser-test.ts';
import { readEvents } from '../support/events.ts';
import { evaluateSettled, holdFiles, waitForDelivery } from '../support/visit.ts';

async function countStored(dataDir: string): Promise<number> {
  const events = readEvents(dataDir);
  return events.filter(({ name }) => name === 'assessment_completed').length;
}

/** Posts the form with all answers, as the browser does without scripts. */
async function postForm(page: Page): Promise<void> {
  await page.goto('/assessment?step=1');
  await page.evaluate((keys) => {
    const inputs = document.querySelectorAll<HTMLInputElement>('.question-form input');
    for (const input of inputs) input.checked = (keys as readonly string[]).includes(input.value);
    document.querySelector<HTMLFormElement>('.question-form')?.submit();
  }, Object.values(AGENCY_RECORD).flat());
  await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeVisible();
}

test('a finished assessment is stored once, also after a reload', async ({ page, site }) => {
  const before = await countStored(site.dataDir);
  const saved = waitForSave(page);
  await finishAssessment(page);
  expect((await saved).status()).toBe(202);
  await page.reload({ waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeVisible();
  const events = readEvents(site.dataDir).filter(({ name }) => name === 'assessment_completed');
  expect(events.length).toBe(before + 1);
  expect(events.at(-1)).toMatchObject({
    page: '/assessment',
    label: 'agency_to_GoHighLevel',
    data: {
      business_type: AGENCY_RECORD.businessType,
      budget: AGENCY_RECORD.budget,
      platform: 'GoHighLevel',
    },
  });
});

test.describe('with the endpoint down', () => {
  test.use({
    tolerated: {
      patterns: [/Failed to load resource/],
      reason: 'the browser notes the requests that this test makes fail; the page shows nothing of them',
    },
  });

  test('the result comes at once, and the answers are stored when it is back', async ({ page, site }) => {
    const before = await countStored(site.dataDir);
    let failures = 0;
    await page.route(SAVE, async (route) => {
      if (!isSave(route.request())) return route.continue();
      failures += 1;
      if (failures === 1) await route.abort();
      else if (failures === 2) await route.fulfill({ status: 503, body: '{}' });
      else await route.continue();
    });
    const saved = waitForSave(page, 202);
    await finishAssessment(page);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await saved;
    expect(failures).toBe(3);
    expect(await countStored(site.dataDir)).toBe(before + 1);
  });

  test('answers that could not be delivered are delivered by the next page', async ({ page, site }) => {
    const before = await countStored(site.dataDir);
    // Not even the last try of the page that is left arrives.
    const isAssessment = (request: Request) => request.headers()['referer']?.includes('/assessment') === true;
    await page.route(SAVE, (route) => (isAssessment(route.request()) ? route.abort() : route.continue()));
    await finishAssessment(page);
    const saved = waitForSave(page);
    await page.goto('/help');
    expect((await saved).status()).toBe(202);
    expect(await countStored(site.dataDir)).toBe(before + 1);
  });
});

test.describe('with storage denied', () => {
  test('all of it works from memory, with the answers on the link', async ({ page, site }) => {
    await page.addInitScript(() => {
      const deny = {
        get(): never {
          throw new DOMException('denied', 'SecurityError');
        },
      };
      Object.defineProperty(window, 'sessionStorage', deny);
      Object.defineProperty(window, 'localStorage', deny);
    });
    const before = await countStored(site.dataDir);
    const saved = waitForSave(page);
    await page.goto('/assessment');
    await waitUntilHydrated(page);
    await page.getByRole('button', { name: 'Start My Assessment' }).first().click();
    await answerSteps(page, AGENCY);
    await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeVisible();
    expect((await saved).status()).toBe(202);
    expect(await countStored(site.dataDir)).toBe(before + 1);
    const href = await page
      .getByRole('link', { name: /Start Your 14-Day Free Trial/ })
      .first()
      .getAttribute('href');
    expect(new URLSearchParams(href?.split('?')[1]).get('answers')).toBe(JSON.stringify(AGENCY_RECORD));
  });
});

test('a form posted before scripts have loaded is shown, saved and stored once', async ({ page, site }) => {
  const before = await countStored(site.dataDir);
  await postForm(page);
  await waitUntilHydrated(page);
  await expect(page).toHaveURL(/\?step=results$/);
  expect(await readRecord(page)).toEqual(AGENCY_RECORD);
  await page.reload({ waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeVisible();
  expect(await countStored(site.dataDir)).toBe(before + 1);
});

for (const [way, finish] of [
  ['posted', postForm],
  ['finished', finishAssessment],
] as const) {
  test(`an assessment that is ${way} before the visit script has loaded is stored once, after a reload too`, async ({
    page,
    site,
  }) => {
    const before = await countStored(site.dataDir);
    const release = await holdFiles(page, '**/_astro/visit-*.js');
    await finish(page);
    await waitUntilHydrated(page);
    await expect(page).toHaveURL(/\?step=results$/);
    release();
    await waitForDelivery(page);
    await page.reload();
    await waitForDelivery(page);
    await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeVisible();
    expect(await countStored(site.dataDir)).toBe(before + 1);
  });
}

test('with Global Privacy Control the answers stay in the browser', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true });
  });
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await finishAssessment(page);
  await page.waitForLoadState('networkidle');
  const href = await page
    .getByRole('link', { name: /Start Your 14-Day Free Trial/ })
    .first()
    .getAttribute('href');
  expect(href).not.toContain('answers');
  expect(sent.filter((one) => /growing|300-500|"answers"/.test(one))).toEqual([]);
  expect(await evaluateSettled(page, () => Object.keys(sessionStorage))).toEqual([]);
});
