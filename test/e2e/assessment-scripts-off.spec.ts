import type { Page } from '@playwright/test';
import { AGENCY } from '../support/assessment.ts';
import { expect, test, UNFINISHED_FORM } from '../support/browser-test.ts';
import { readEvents } from '../support/events.ts';

test.use({ javaScriptEnabled: false });

async function answerForm(page: Page, questions: readonly (readonly string[])[]): Promise<void> {
  for (const label of questions.flat()) await page.getByLabel(label, { exact: true }).check();
  await page.getByRole('button', { name: 'Show My Recommendation' }).click();
}

test('the four questions are one form', async ({ page }) => {
  await page.goto('/assessment?step=1');
  await expect(page.getByRole('group')).toHaveCount(4);
  await expect(page.getByRole('button', { name: 'Continue' })).toBeHidden();
  await answerForm(page, AGENCY);
  await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeVisible();
  await expect(page.getByRole('table').first().getByRole('row')).toHaveCount(5);
  await expect(page.locator('[data-prices]').getByRole('row').nth(1)).toContainText('Within your $500.');
});

test('the first question does not fade in', async ({ page }) => {
  await page.goto('/assessment?step=1');
  const question = page.locator('.question-current');
  await expect(question).toHaveCSS('animation-name', 'none');
});

test('Start My Assessment leads to the form', async ({ page }) => {
  await page.goto('/assessment');
  await page.getByRole('button', { name: 'Start My Assessment' }).first().click();
  await expect(page).toHaveURL(/\?step=1$/);
  await expect(page.getByRole('group')).toHaveCount(4);
});

test.describe('a form that lacks answers', () => {
  test.use({ tolerated: UNFINISHED_FORM });

  test('errors are beside questions without an answer, and choices are preserved', async ({ page }) => {
    await page.goto('/assessment?step=1');
    await answerForm(page, [['Other'], ['Integration between tools']]);
    await expect(page.getByRole('alert')).toContainText('Some answers are missing');
    await expect(
      page.getByRole('group', { name: 'What is your monthly revenue?' }),
    ).toHaveAccessibleDescription(/Select your monthly revenue\./);
    await expect(page.getByRole('group', { name: 'What kind of business' })).not.toHaveAccessibleDescription(
      /Select/,
    );
    await expect(page.getByLabel('Other', { exact: true })).toBeChecked();
    await expect(page.getByLabel('Integration between tools')).toBeChecked();
    await answerForm(page, [['Growing ($5K - $25K)'], ['$1,000+']]);
    await expect(page.getByRole('heading', { name: 'We recommend HubSpot' })).toBeVisible();
  });
});

test('a posted result is stored, its link has the answers, retaking starts over', async ({ page, site }) => {
  await page.goto('/assessment');
  await answerForm(page, AGENCY);
  const call = page.getByRole('link', { name: /Start Your 14-Day Free Trial/ }).first();
  await expect(call).toHaveAttribute('href', /^\/go\/highlevel\?page=pricing&.*answers=/);
  const stored = readEvents(site.dataDir).filter(({ name }) => name === 'assessment_completed');
  expect(stored.at(-1)).toMatchObject({ label: 'agency_to_GoHighLevel', session: '' });
  await page.getByRole('button', { name: 'Retake Assessment' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('3 minutes');
});

test('a form of another site is refused', async ({ request }) => {
  const response = await request.post('/assessment', {
    form: { businessType: 'Other' },
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  });
  expect(response.status()).toBe(403);
});

test('a form without all answers gets the response 422', async ({ request }) => {
  const response = await request.post('/assessment', {
    form: { businessType: '<script>alert(1)</script>' },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  expect(response.status()).toBe(422);
  expect(await response.text()).not.toContain('<script>alert');
});
