import {
  AGENCY_FRAGMENT,
  AGENCY_RECORD,
  answerSteps,
  finishAssessment,
  isSave,
  readRecord,
  SAVE,
  waitUntilHydrated,
} from '../support/assessment.ts';
import { expect, test } from '../support/browser-test.ts';
import { evaluateSettled } from '../support/visit.ts';

test.describe('a link to a result', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

  test('has the answers in its fragment, and no request contains them', async ({ page }) => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(`${request.url()} ${request.postData() ?? ''}`));
    await finishAssessment(page);
    await page.getByRole('button', { name: 'Copy a link to this result' }).click();
    await expect(page.getByText('Link copied.')).toBeVisible();
    const link = await evaluateSettled(page, () => navigator.clipboard.readText());
    expect(link).toMatch(new RegExp(`/assessment\\?step=results#${AGENCY_FRAGMENT}$`));
    requested.length = 0;
    await page.evaluate(() => sessionStorage.clear());
    await page.goto('/blog');
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeVisible();
    await expect(page.getByText('$300 - $500').first()).toBeVisible();
    expect(requested.filter((one) => /growing|300-500|Growing/.test(one))).toEqual([]);
  });
});

test('a linked result leaves the visitor’s own answers alone and is not counted', async ({ page }) => {
  await page.goto('/assessment?step=1');
  await waitUntilHydrated(page);
  await answerSteps(page, [['Other']]);
  let saves = 0;
  await page.route(SAVE, async (route) => {
    if (isSave(route.request())) saves += 1;
    await route.continue();
  });
  await page.goto(`/assessment?step=results#${AGENCY_FRAGMENT}`);
  await expect(page.getByText('This result came with a link.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Change/ })).toHaveCount(0);
  expect(await readRecord(page)).toMatchObject({ businessType: 'other' });
  await page.getByRole('button', { name: 'Take it yourself' }).click();
  await page.getByRole('button', { name: 'Continue where you left off' }).click();
  await expect(page.getByText('Step 2 of 4')).toBeVisible();
  expect(saves).toBe(0);
});

test('a broken fragment asks the questions instead', async ({ page }) => {
  await page.goto('/assessment?step=results#businessType=%3Cimg%20src%3Dx%3E&revenue=%');
  await expect(page.getByText('Step 1 of 4')).toBeVisible();
  await expect(page.locator('main img')).toHaveCount(0);
});

test('the call to action brings answers and conversion', async ({ page, context, provider, site }) => {
  provider.reset();
  await page.addInitScript(() => {
    document.addEventListener('utm_conversion', (event) => {
      document.documentElement.dataset['conversion'] = JSON.stringify((event as CustomEvent).detail);
    });
  });
  await finishAssessment(page);
  const opened = context.waitForEvent('page');
  await page
    .getByRole('link', { name: /Start Your 14-Day Free Trial/ })
    .first()
    .click();
  const tab = await opened;
  await tab.waitForURL(`${provider.url}/**`);
  const [request] = provider.requests();
  expect(request?.path).toBe('/pricing');
  expect(Object.fromEntries(request?.query ?? [])).toMatchObject({
    fp_ref: 'hlmax',
    utm_content: 'assessment_recommendation_agency_budget_low_assessment',
    assessment_type: 'agency',
    revenue_range: '5k-25k',
    challenges: 'leads,costs',
  });
  const conversion = await evaluateSettled(page, () => document.documentElement.dataset['conversion'] ?? '');
  expect(JSON.parse(conversion)).toMatchObject({
    action: 'assessment_conversion',
    label: 'agency_to_GoHighLevel',
    value: 1,
    data: {
      business_type: AGENCY_RECORD.businessType,
      budget: AGENCY_RECORD.budget,
      platform: 'GoHighLevel',
      source: 'assessment_results',
    },
  });
  expect(site.output()).not.toContain('error');
});

test('printed, a result has its reasons and table and none of the buttons', async ({ page }) => {
  await finishAssessment(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('table').first()).toBeVisible();
  await expect(page.getByText('White-label')).toBeVisible();
  for (const name of ['Retake Assessment', 'Print', 'Copy a link to this result']) {
    await expect(page.getByRole('button', { name, includeHidden: true })).toBeHidden();
  }
  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.length).toBeGreaterThan(10_000);
});

test('the island is at most 12 kB compressed beside React', async ({ page }) => {
  const sizes = new Map<string, number>();
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url());
    if (!/\/_astro\/(assessment|storage)[^/]*\.js$/.test(pathname)) return;
    sizes.set(pathname, (await response.request().sizes()).responseBodySize);
  });
  await page.goto('/assessment?step=1');
  // The island loads when the browser is idle, which a busy machine seldom is.
  await expect.poll(() => sizes.size).toBeGreaterThan(0);
  await page.waitForLoadState('networkidle');
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThanOrEqual(12_288);
});
