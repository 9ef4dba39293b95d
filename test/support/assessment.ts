import type { Page, Request, Response } from '@playwright/test';
import { expect } from './browser-test.ts';
import { evaluateSettled } from './visit.ts';

/** Answers in the order of the steps; several for the question that takes several. */
export const AGENCY = [
  ['Digital Marketing Agency'],
  ['Growing ($5K - $25K)'],
  ['Lead generation and acquisition', 'High costs of current tools'],
  ['$300 - $500'],
] as const;

/** The record in session storage after `AGENCY`. */
export const AGENCY_RECORD = {
  businessType: 'agency',
  revenue: 'growing',
  challenges: ['leads', 'costs'],
  budget: '300-500',
};

/** The fragment of a link to the result of `AGENCY`. */
export const AGENCY_FRAGMENT = 'businessType=agency&revenue=growing&challenges=leads,costs&budget=300-500';

/** Resolves when the island has hydrated. */
export async function waitUntilHydrated(page: Page): Promise<void> {
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
}

/** Answers steps from the one shown on, with the pointer; ends after the last one given. */
export async function answerSteps(
  page: Page,
  steps: readonly (readonly string[])[],
  from = 1,
): Promise<void> {
  for (const [index, labels] of steps.entries()) {
    await expect(page.getByText(`Step ${from + index} of 4`)).toBeVisible();
    for (const label of labels) await page.getByLabel(label, { exact: true }).check();
    await page.getByRole('button', { name: 'Continue' }).click();
  }
}

/** Opens the assessment, of the site under test unless `origin` names another, and answers all of it. */
export async function finishAssessment(page: Page, origin = ''): Promise<void> {
  await page.goto(`${origin}/assessment?step=1`);
  await waitUntilHydrated(page);
  await answerSteps(page, AGENCY);
  await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeVisible();
}

/** The record of answers in this tab. */
export function readRecord(page: Page): Promise<unknown> {
  return evaluateSettled(page, () => JSON.parse(sessionStorage.getItem('assessment_results') ?? 'null'));
}

/** Where a page sends what happens on it, finished assessments included. */
export const SAVE = '**/api/journey';

/** Whether a request saves a finished assessment. */
export function isSave(request: Request): boolean {
  return request.url().endsWith('/api/journey') && request.postData()?.includes('"answers"') === true;
}

/** Resolves with the next response to a request that saves an assessment; to one with this status when it is given. */
export function waitForSave(page: Page, status?: number): Promise<Response> {
  return page.waitForResponse(
    (response) => isSave(response.request()) && (status === undefined || response.status() === status),
  );
}
