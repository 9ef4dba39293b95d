// What holds in every view of the console. What is particular to one view is in console-money and console-work.
import type { Page } from '@playwright/test';
import {
  findAxeViolations,
  findAxeViolationsUnfolded,
  findContrastViolations,
  findTextsLostInForcedColors,
  walkByKeyboard,
} from '../support/accessibility.ts';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import { expect, seeded, site, test } from '../support/console-test.ts';
import { CONSOLE_VIEW_PATHS, PERIOD_VIEW_PATHS } from '../support/console-view-paths.ts';

/** What is left of A4 between the margins of a statement, in CSS pixels. */
const SHEET_WIDTH = 688;
const PARTS = 4;
const BOTH = ['light', 'dark'] as const;
/** The views of a part; every second of them unless at full length, for what is the work of styles that all views share. */
const takeViews = (part: number, isSampled: boolean) =>
  CONSOLE_VIEW_PATHS.filter((_, index) => index % PARTS === part).filter(
    (_, index) => IS_FULL_LENGTH || !isSampled || index % 2 === part % 2,
  );

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const open = async (page: Page, path: string) => {
  const response = await page.goto(site.url + path);
  expect.soft(response?.status(), path).toBe(200);
};

// Chromium and Node alone: these take most of the time, and check what the documents and styles say. In one visit each.
for (let part = 0; part < PARTS; part += 1) {
  test(`every view is reached by Tab, prints, is read with forced colors and passes axe (${part + 1} of ${PARTS}) @chromium`, {
    tag: '@node',
  }, async ({ page }) => {
    const sampled = new Set(takeViews(part, true));
    for (const [index, path] of takeViews(part, false).entries()) {
      await open(page, path);
      // The preview is a stop of the keyboard.
      if (path.endsWith('/brand')) await page.locator('.editor-frame:not([data-loading])').waitFor();
      if (sampled.has(path)) {
        // The navigation, and what the bar covers on the way back, are the same in every view.
        const ways = IS_FULL_LENGTH || path === '/console' ? 'both' : 'main';
        expect.soft(await walkByKeyboard(page, ways), path).toEqual([]);
        await page.evaluate(
          () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
        );
      }
      await expectPrinted(page, path);
      await page.setViewportSize({ width: 1440, height: 900 });
      const schemes = IS_FULL_LENGTH ? BOTH : BOTH.filter((_, at) => at === (index >> 1) % 2);
      if (sampled.has(path)) expect.soft(await findTextsLostInForcedColors(page, schemes), path).toEqual([]);
      // On a phone the elements are the same.
      for (const width of IS_FULL_LENGTH ? [1440, 390] : [1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect.soft(await findAxeViolationsUnfolded(page), `${path} ${width} light`).toEqual([]);
        if (!sampled.has(path)) continue;
        await page.emulateMedia({ colorScheme: 'dark' });
        expect.soft(await findContrastViolations(page), `${path} ${width} dark`).toEqual([]);
        await page.emulateMedia({ colorScheme: 'light' });
      }
    }
  });
}

/** Prints a view without navigation and within the sheet. */
async function expectPrinted(page: Page, path: string): Promise<void> {
  await page.setViewportSize({ width: SHEET_WIDTH, height: 900 });
  await page.emulateMedia({ media: 'print' });
  await expect.soft(page.locator('.statement-head'), path).toBeVisible();
  for (const part of ['.rail', '.rail-sheet', '.bar', '.share-link'])
    expect.soft(await page.locator(part).filter({ visible: true }).count(), `${path}: ${part}`).toBe(0);
  const widest = await page.evaluate(() =>
    Math.max(
      0,
      ...[...document.querySelectorAll('main table, main svg')].map(
        (element) => element.getBoundingClientRect().right,
      ),
    ),
  );
  expect.soft(widest, `${path}: the widest table or chart`).toBeLessThanOrEqual(SHEET_WIDTH);
  await page.emulateMedia({ media: 'screen' });
}

// Chromium and Node alone, as above. The bar is the same in every view.
test('the menus of the bar pass axe, on a screen and on a phone @chromium', { tag: '@node' }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, '/console/pages?page=%2Froi-calculator&campaign%21=direct');
  for (const menu of await page.locator('.bar .menu > summary').all()) {
    await menu.click();
    expect.soft(await findAxeViolations(page, '.bar'), await menu.innerText()).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 900 });
  await page.locator('.bar .menu > summary:visible').first().click();
  expect.soft(await findAxeViolations(page, '.bar'), 'the bar on a phone').toEqual([]);
  await page.locator('.rail-sheet > summary').click();
  expect.soft(await findAxeViolations(page, '.rail-sheet'), 'the navigation as a sheet').toEqual([]);
});

test('every view is the same without scripts and stores nothing', async ({ browser, page }) => {
  const plain = await browser.newContext({ javaScriptEnabled: false });
  await seeded.signIn(plain);
  const plainPage = await plain.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  for (const path of CONSOLE_VIEW_PATHS) {
    await open(page, path);
    await open(plainPage, path);
    const [withScripts, without] = await Promise.all([readTexts(page), readTexts(plainPage)]);
    expect.soft(without.length, path).toBeGreaterThan(0);
    expect.soft(without, path).toEqual(withScripts);
  }
  await plain.close();
  expect(requests.filter((path) => path.startsWith('/api/'))).toEqual([]);
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
});

/** Headings, rows and figures. Times that pass, such as that of the last request, and buttons are left out. */
async function readTexts(page: Page): Promise<string[]> {
  const texts = await page
    .locator('main')
    .locator('h1, h2, caption, th, td, figcaption, .rail-link')
    .evaluateAll((elements) =>
      elements
        .filter((one) => one.querySelector('time') === null)
        .map((one) => {
          const copy = one.cloneNode(true) as Element;
          for (const button of copy.querySelectorAll('button')) button.remove();
          return copy.textContent?.trim() ?? '';
        }),
    );
  return texts.map((text) => text.replace(/\b\d\d:\d\d\b/g, ''));
}

test('range and filters are in the address of every view that has them', async ({ page }) => {
  // The report of a partner names it in its heading.
  for (const path of PERIOD_VIEW_PATHS.filter((one) => one !== '/console/partners')) {
    await open(page, `${path}?range=3mo&partner=highlevel`);
    await expect.soft(page.locator('.bar .menu > summary'), path).toHaveText('Range: Last 3 months');
    const chips = page.getByRole('link', { name: /^Remove the filter/ });
    await expect.soft(chips, path).toHaveCount(1);
    await chips.click();
    await expect(page).toHaveURL(`${site.url}${path}?range=3mo`);
    await expect(chips).toHaveCount(0);
    await page.goBack();
    await expect(chips).toHaveCount(1);
    await page.goForward();
    await expect(chips).toHaveCount(0);
  }
});

test('a view keeps its range and filters when another one is opened', async ({ page }) => {
  await open(page, '/console/pages?range=3mo&partner=highlevel&sort=-clicks');
  await page.locator('.rail').getByRole('link', { name: 'Sources' }).click();
  await expect(page).toHaveURL(`${site.url}/console/sources?range=3mo&partner=highlevel`);
  await page.locator('.rail').getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveURL(`${site.url}/console/settings`);
});
