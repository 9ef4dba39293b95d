import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { expect, test } from '../support/browser-test.ts';

const texts = z.array(z.string());
/** The landing pages by section 2 of the specification, with the decisions on what it leaves open. */
const PAGES = z
  .array(
    z.strictObject({
      path: z.string(),
      anchors: texts.default([]),
      texts,
      inOrder: texts.default([]),
      calls: z.array(z.strictObject({ address: z.string(), event: z.string() })).default([]),
    }),
  )
  .parse(parse(readFileSync(path.join(import.meta.dirname, '../fixtures/landing-pages.yaml'), 'utf8')));

/** Pages that the footer promises. */
const FOOTER_PAGES: readonly string[] = (
  '/tutorials /case-studies /roi-calculator /feature-comparison /contact /help /privacy ' +
  '/terms /affiliate-disclosure'
).split(' ');

for (const { path, anchors, texts, inOrder, calls } of PAGES) {
  test(`${path} says what is specified, with calls to action after a disclosure`, async ({ page }) => {
    await page.goto(path);
    // Folded sections are part of the page.
    await page.locator('details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '');
    });
    const main = page.locator('body');
    const text = (await main.innerText()).replace(/\s+/g, ' ');
    for (const wanted of [...texts, ...inOrder]) expect.soft(text, wanted).toContain(wanted);
    let at = 0;
    for (const wanted of inOrder) {
      const found = text.indexOf(wanted, at);
      expect.soft(found, `${wanted}, after what precedes it`).toBeGreaterThanOrEqual(0);
      if (found >= 0) at = found;
    }
    for (const id of anchors) {
      await expect.soft(page.locator(`main #${id}`), `#${id}`).toHaveCount(1);
    }
    for (const { address, event } of calls) {
      const link = page.locator(`a[href*="${address}"][data-action="${event}"]`).first();
      await expect.soft(link, `${address} with ${event}`).toHaveAttribute('target', '_blank');
      await expect.soft(link).toHaveAttribute('rel', /sponsored/);
    }
    const found = await page
      .locator('main [data-disclosure], main a[href^="/go/"]:not(.section-nav a)')
      .evaluateAll((all) =>
        all.map((one) => ({
          kind: one.matches('a') ? 'link' : 'disclosure',
          isFirstScreen: one.getBoundingClientRect().top < innerHeight,
        })),
      );
    expect(found[0]?.kind, 'before the first link to a partner').toBe('disclosure');
    const inFirstScreen = found.filter(({ kind, isFirstScreen }) => kind === 'disclosure' && isFirstScreen);
    expect(inFirstScreen, 'once in the first screen').toHaveLength(1);
  });
}

test('every page that the footer promises is there, and says more than its name', async ({ page }) => {
  for (const path of FOOTER_PAGES) {
    const response = await page.goto(path);
    expect.soft(response?.status(), path).toBe(200);
    const words = (await page.locator('main').innerText()).split(/\s+/).length;
    expect.soft(words, `${path}: words`).toBeGreaterThan(150);
  }
});

test('on a phone the trial page has its price, its advice on the card and its button at the top, and ends within 13,400 px', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/gohighlevel-free-trial');
  const price = page.locator('main').getByText('$97').first();
  expect((await price.boundingBox())?.y).toBeLessThanOrEqual(700);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(13_400);
  const card = page.locator('main').getByText('Have a card ready').first();
  expect((await card.boundingBox())?.y).toBeLessThanOrEqual(500);
  const start = page.locator('main').getByRole('link', { name: 'Start Free Trial' }).first();
  expect((await start.boundingBox())?.y).toBeLessThanOrEqual(500);
});

test('the titles of the trial, demo, tutorial and guide have at least 56 px on a wide screen', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const path of [
    '/gohighlevel-free-trial',
    '/free-trial-demo',
    '/gohighlevel-complete-tutorial',
    '/business-tool-consolidation-guide',
  ]) {
    await page.goto(path);
    const size = await page
      .locator('h1')
      .evaluate((title) => Number.parseFloat(getComputedStyle(title).fontSize));
    expect.soft(size, path).toBeGreaterThanOrEqual(56);
  }
});

test('a fact, an offer and the name of a column stand once on a page', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/gohighlevel-free-trial');
  const facts = page.getByRole('table', { name: 'What the sources say' }).locator('td:nth-child(2)');
  const texts = await facts.allInnerTexts();
  expect(texts.length).toBeGreaterThan(3);
  expect(new Set(texts).size).toBe(texts.length);
  for (const path of ['/industry-report-2025', '/hubspot-from-the-documents', '/kit-from-the-documents']) {
    await page.goto(path);
    const table = page.locator('.table-stacked:has(thead th:nth-child(2):last-child)').first();
    await expect(table.locator('thead th').last()).toBeVisible();
    const labels = await table
      .locator('td')
      .evaluateAll((all) => all.map((cell) => getComputedStyle(cell, '::before').content));
    expect(new Set(labels), path).toEqual(new Set(['none']));
    const name = await table.locator('thead th').last().innerText();
    await expect(table.locator('tbody'), path).not.toContainText(name);
  }
  await page.goto('/blog/all-in-one-vs-best-of-breed');
  await expect(page.locator('main').getByText('Try GoHighLevel with your own numbers')).toHaveCount(1);
});
