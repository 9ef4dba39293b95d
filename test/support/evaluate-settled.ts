import type { Page } from '@playwright/test';

/** What Chromium and Firefox say when the document that was to evaluate something is replaced by another. */
const REPLACED =
  /context was destroyed|because of a navigation|cannot find context|discarded|no such (frame|window)/i;
const MAX_TRIES = 20;

/**
 * Evaluates in the document that a page shows. When a navigation replaces the document meanwhile, as after a click or a
 * redirect, it evaluates again in the next one; so `work` should only read.
 */
export async function evaluateSettled<Result, Input = undefined>(
  page: Page,
  work: (input: Input) => Result | Promise<Result>,
  ...[input]: Input extends undefined ? [] : [Input]
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await (page.evaluate as (work: unknown, input: unknown) => Promise<Result>)(work, input);
    } catch (error) {
      if (tries === MAX_TRIES || page.isClosed() || !REPLACED.test(String(error))) throw error;
    }
  }
}
