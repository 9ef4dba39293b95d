import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds on a page in its present state, one line for each element; empty when there is nothing. */
export function findAxeViolations(page: Page): Promise<string[]> {
  return run(page, new AxeBuilder({ page }).withTags(TAGS));
}

/** The part of it that depends on colours: enough for the second colour scheme of a page. */
export function findContrastViolations(page: Page): Promise<string[]> {
  return run(page, new AxeBuilder({ page }).withRules(['color-contrast', 'link-in-text-block']));
}

async function run(page: Page, builder: AxeBuilder): Promise<string[]> {
  // A colour in the middle of a transition belongs to no scheme.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((one) => one instanceof CSSTransition)
        .map((one) => one.finished),
    ),
  );
  // The other mode opens a second page for each run, for frames of other origins; this site has no such frames.
  const { violations } = await builder.setLegacyMode().analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')} ${readReason(node)}`),
  );
}

function readReason(node: { any: { message: string }[]; all: { message: string }[] }): string {
  return [...node.any, ...node.all].map((check) => check.message).join('; ');
}
