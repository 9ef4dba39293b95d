import {
  AGENCY,
  AGENCY_RECORD,
  answerSteps,
  finishAssessment,
  readRecord,
  waitUntilHydrated,
} from '../support/assessment.ts';
import { expect, test } from '../support/browser-test.ts';
import { watchLayoutShifts } from '../support/layout.ts';
import { holdFiles } from '../support/visit.ts';

test('with the pointer: from the intro through four steps to the result', async ({ page }) => {
  await page.goto('/assessment');
  await waitUntilHydrated(page);
  await expect(page.getByRole('button', { name: 'Start My Assessment' })).toHaveCount(2);
  await page.getByRole('button', { name: 'Start My Assessment' }).first().click();
  const next = page.getByRole('button', { name: 'Continue' });
  await expect(page.getByRole('heading', { name: 'What kind of business do you run?' })).toBeFocused();
  await expect(next).toBeDisabled();
  await expect(page.getByRole('progressbar')).toHaveJSProperty('value', 25);
  await page.getByText('E-commerce Store').click();
  await page.getByText('Digital Marketing Agency').click();
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(1);
  await next.click();
  await expect(page).toHaveURL(/\/assessment\?step=2$/);
  await expect(page.getByRole('heading', { name: 'What is your monthly revenue?' })).toBeFocused();
  await page.getByText('Growing ($5K - $25K)').click();
  await next.click();
  await expect(page.getByText('Select at least one option to continue')).toBeVisible();
  await page.getByText('Sales funnel optimization').click();
  await expect(next).toBeEnabled();
  await page.getByText('Sales funnel optimization').click();
  await expect(next).toBeDisabled();
  await answerSteps(page, AGENCY.slice(2), 3);
  await expect(page).toHaveURL(/\/assessment\?step=results$/);
  await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeFocused();
  expect(await readRecord(page)).toEqual(AGENCY_RECORD);
});

test('each view begins at its top, also on a page that was scrolled by less than its header', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 640 });
  await page.goto('/assessment?step=1');
  await waitUntilHydrated(page);
  for (const question of ['businessType', 'revenue', 'challenges', 'budget']) {
    await expect(page.locator('.question-current')).toHaveAttribute('data-question', question);
    await page.keyboard.press('1');
    await page.evaluate(() => scrollTo({ top: 40, behavior: 'instant' }));
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => scrollY), question).toBe(0);
  }
  await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeInViewport();
});

test('with the keyboard alone: digits choose, Enter continues, Tab reaches the rest', async ({ page }) => {
  await page.goto('/assessment');
  await waitUntilHydrated(page);
  await page.getByRole('button', { name: 'Start My Assessment' }).first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Step 1 of 4')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Step 1 of 4')).toBeVisible();
  await page.keyboard.press('3');
  await expect(page.getByLabel('Course Creator/Coach')).toBeChecked();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByLabel('E-commerce Store')).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Step 2 of 4')).toBeVisible();
  await page.keyboard.press('9');
  await page.keyboard.press('4');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Step 3 of 4')).toBeVisible();
  await page.keyboard.press('1');
  await page.keyboard.press('6');
  await page.keyboard.press('1');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Step 4 of 4')).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Step 3 of 4')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Step 4 of 4')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'We recommend ActiveCampaign' })).toBeFocused();
  expect(await readRecord(page)).toMatchObject({ challenges: ['costs'], budget: 'under-100' });
});

test('Back of the page goes a step back, and from the first to the intro', { tag: '@full' }, async ({
  page,
}) => {
  await page.goto('/assessment?step=1');
  await waitUntilHydrated(page);
  await answerSteps(page, AGENCY.slice(0, 1));
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText('Step 1 of 4')).toBeVisible();
  await expect(page.getByLabel('Digital Marketing Agency')).toBeChecked();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('3 minutes');
  await expect(page).toHaveURL(/\/assessment$/);
});

test('Back and Forward of the browser go through the steps', async ({ page }) => {
  await page.goto('/assessment');
  await waitUntilHydrated(page);
  await page.getByRole('button', { name: 'Start My Assessment' }).first().click();
  await answerSteps(page, AGENCY);
  await page.goBack();
  await expect(page.getByText('Step 4 of 4')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Step 3 of 4')).toBeVisible();
  await page.goForward();
  await page.goForward();
  await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeVisible();
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('3 minutes');
});

test('a reload in the middle goes on where it was, and the intro offers to', async ({ page }) => {
  await page.goto('/assessment');
  await waitUntilHydrated(page);
  const resume = page.getByRole('button', { name: 'Continue where you left off' });
  await expect(resume).toBeHidden();
  await page.getByRole('button', { name: 'Start My Assessment' }).first().click();
  await answerSteps(page, AGENCY.slice(0, 2));
  await page.getByLabel('Integration between tools').check();
  await page.reload();
  await expect(page.getByText('Step 3 of 4')).toBeVisible();
  await expect(page.getByLabel('Integration between tools')).toBeChecked();
  await page.goto('/assessment');
  await resume.click();
  await expect(page.getByText('Step 4 of 4')).toBeVisible();
});

test('an address ahead of the answers leads to the first open question', { tag: '@full' }, async ({
  page,
}) => {
  await page.goto('/assessment?step=results');
  await expect(page.getByText('Step 1 of 4')).toBeVisible();
  await expect(page).toHaveURL(/\?step=1$/);
});

test('retaking clears the answers and begins at the intro', { tag: '@full' }, async ({ page }) => {
  await finishAssessment(page);
  await page.getByRole('button', { name: 'Retake Assessment' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('3 minutes');
  await expect(page.getByRole('button', { name: 'Continue where you left off' })).toBeHidden();
  expect(await readRecord(page)).toBeNull();
  await page.getByRole('button', { name: 'Start My Assessment' }).last().click();
  await expect(page.getByText('Step 1 of 4')).toBeVisible();
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
});

test('an answer can be changed from the result', { tag: '@full' }, async ({ page }) => {
  await finishAssessment(page);
  await page.getByRole('link', { name: 'Change What kind of business do you run?' }).click();
  await page.getByLabel('Course Creator/Coach').check();
  for (const step of [2, 3, 4]) {
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText(`Step ${step} of 4`)).toBeVisible();
  }
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'We recommend Kit' })).toBeVisible();
});

test('choices made before scripts have loaded are preserved', async ({ page }) => {
  const release = await holdFiles(page, '**/_astro/assessment*.js');
  // A browser may wait with `load` for the script that is held.
  await page.goto('/assessment?step=1', { waitUntil: 'domcontentloaded' });
  await page.getByLabel('Other').check();
  release();
  await waitUntilHydrated(page);
  await expect(page.getByLabel('Other')).toBeChecked();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled();
  expect(await readRecord(page)).toMatchObject({ businessType: 'other' });
});

// Chromium alone: Firefox does not report what moves.
test('taking over the page moves nothing @chromium', async ({ page }) => {
  const readShifts = await watchLayoutShifts(page);
  for (const address of ['/assessment', '/assessment?step=1']) {
    await page.goto(address);
    await waitUntilHydrated(page);
    await page.waitForLoadState('networkidle');
    const { total, moves } = await readShifts();
    expect(total, `${address} ${moves.join('; ')}`).toBe(0);
  }
});
