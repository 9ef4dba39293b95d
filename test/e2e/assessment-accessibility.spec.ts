import { findAxeViolations, findViolationsInBothSchemes } from '../support/accessibility.ts';
import { AGENCY, AGENCY_FRAGMENT, answerSteps, waitUntilHydrated } from '../support/assessment.ts';
import { expect, test, UNFINISHED_FORM } from '../support/browser-test.ts';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import { findOverflow } from '../support/layout.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('axe finds nothing in the intro, any step, or the result, in both color schemes', async ({ page }) => {
  await page.goto('/assessment');
  await waitUntilHydrated(page);
  expect.soft(await findViolationsInBothSchemes(page), 'intro').toEqual([]);
  await page.getByRole('button', { name: 'Start My Assessment' }).first().click();
  for (const [index, labels] of AGENCY.entries()) {
    // Of four steps, the third lets the visitor choose several answers.
    const isChecked = IS_FULL_LENGTH || index === 0 || index === 2;
    if (isChecked)
      expect.soft(await findViolationsInBothSchemes(page), `step ${index + 1}, open`).toEqual([]);
    for (const label of labels) await page.getByLabel(label, { exact: true }).check();
    if (isChecked)
      expect.soft(await findViolationsInBothSchemes(page), `step ${index + 1}, answered`).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  await expect(page.getByRole('table').first()).toBeVisible();
  expect.soft(await findViolationsInBothSchemes(page), 'result').toEqual([]);
  await page.goto('/blog');
  await page.goto(`/assessment?step=results#${AGENCY_FRAGMENT.replace('agency', 'creator')}`);
  await expect(page.getByText('This result came with a link.')).toBeVisible();
  expect.soft(await findViolationsInBothSchemes(page), 'linked result').toEqual([]);
});

test.describe('a posted form', () => {
  test.use({ tolerated: UNFINISHED_FORM });

  test('axe finds nothing in its errors', async ({ page }) => {
    await page.goto('/assessment?step=1');
    await waitUntilHydrated(page);
    // Past the handlers, as when they have not loaded.
    await page.evaluate(() => document.querySelector<HTMLFormElement>('.question-form')?.submit());
    await expect(page.getByRole('alert')).toBeVisible();
    await waitUntilHydrated(page);
    expect(await findAxeViolations(page)).toEqual([]);
  });
});

test('nothing scrolls sideways at 320 px, and rows are targets of at least 44 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/assessment?step=1');
  await waitUntilHydrated(page);
  for (const [index, labels] of AGENCY.entries()) {
    expect.soft(await findOverflow(page), `step ${index + 1}`).toEqual([]);
    const heights = await page
      .locator('.question-current .option')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect.soft(Math.min(...heights), `step ${index + 1}`).toBeGreaterThanOrEqual(44);
    await answerSteps(page, [labels], index + 1);
  }
  await expect(page.getByRole('table').first()).toBeVisible();
  expect(await findOverflow(page)).toEqual([]);
  const cutOff = await page
    .locator('.results *')
    .evaluateAll(
      (elements) =>
        elements.filter(
          (element) =>
            element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX === 'auto',
        ).length,
    );
  expect(cutOff, 'boxes of the result that scroll sideways').toBe(0);
});

test('each new question is read out: focus on its heading, the step in a status', async ({ page }) => {
  await page.goto('/assessment?step=1');
  await waitUntilHydrated(page);
  await expect(page.getByRole('group', { name: 'What kind of business do you run?' })).toBeVisible();
  await answerSteps(page, AGENCY.slice(0, 1));
  await expect(page.getByRole('status').filter({ hasText: 'Step 2 of 4' })).toBeVisible();
  await expect(page.locator(':focus')).toHaveText('What is your monthly revenue?');
});

test('nothing moves for visitors who want no motion', async ({ page }) => {
  await page.goto('/assessment?step=1');
  await waitUntilHydrated(page);
  await answerSteps(page, AGENCY.slice(0, 1));
  const durations = await page.evaluate(() =>
    document.getAnimations().map((one) => Number(one.effect?.getComputedTiming().duration ?? 0)),
  );
  expect(Math.max(0, ...durations)).toBeLessThan(1);
});
