import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { findViolationsInBothSchemes, walkByKeyboard } from '../support/accessibility.ts';
import { expect, test } from '../support/browser-test.ts';
import { type ConsoleSite, openConsoleSite } from '../support/console-access.ts';
import { findOverflowOpened } from '../support/layout.ts';
import { type Site, startSite } from '../support/site.ts';

const FILE = 'pages/edited-page.yaml';
const PAGE = `# The page of the test.
title: Edited page
description: A page that a browser test edits, with a description that is long enough for search results.
sections:
  - type: hero
    title: First words

  # Under the hero.
  - type: prose
    id: second
    title: Second section
    body: |
      One paragraph.

  - type: faq
    title: Questions
    items:
      - question: How?
        answer: So.
`;

// Forms that are not saved respond with 409 and 422.
test.use({
  tolerated: {
    patterns: [/status of 4(?:09|22)/],
    reason: 'the browser notes the status of the form, which the page explains',
  },
});

let site: Site;
let operator: ConsoleSite;
test.beforeAll(async () => {
  site = await startSite({ env: { CONTENT_RELOAD_SECONDS: '1' }, contentEdits: { [FILE]: () => PAGE } });
  operator = await openConsoleSite(site);
});
test.afterAll(() => site.remove());
test.beforeEach(async ({ context }) => {
  writeFileSync(path.join(site.contentDir, FILE), PAGE);
  await operator.signIn(context);
});

const open = (page: Page, search = '') => page.goto(`${site.url}/console/content/${FILE}${search}`);
/** CodeMirror is over the text area, and follows it. */
const writeText = (page: Page, text: string) =>
  page.locator('#editor-text').evaluate((field, written) => {
    if (field instanceof HTMLTextAreaElement) field.value = written;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }, text);
const readFile = () => readFileSync(path.join(site.contentDir, FILE), 'utf8');
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

test('an operator finds a page, changes a field and moves a section by keyboard, and visitors see both', async ({
  page,
}) => {
  await page.goto(`${site.url}/console/content`);
  await page.getByLabel('Title, text or address').fill('edited');
  await page.keyboard.press('Enter');
  await page.locator('#files').getByRole('link', { name: 'Edited page' }).click();
  await page.getByLabel('Title', { exact: true }).fill('Edited: "twice" # today');
  await page.getByRole('button', { name: /^2 prose/ }).focus();
  await page.keyboard.press('Enter');
  const down = page.getByRole('button', { name: /^Move down 2 prose/ });
  await down.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toContainText('Moved. Not saved yet.');
  // It is the last one now: the button that moves it back has the focus.
  await expect(page.getByRole('button', { name: /^Move up 3 prose/ })).toBeFocused();
  expect(readFile()).toBe(PAGE);
  await save(page);
  await expect(page.getByRole('status')).toContainText('Saved.');
  const [head, prose = '', faq = ''] = PAGE.split(/(?= {2}# Under)|\n(?= {2}- type: faq)/);
  expect(readFile()).toBe(
    `${head}${faq.trimEnd()}\n\n${prose}`.replace('title: Edited page', `title: 'Edited: "twice" # today'`),
  );
  await expect
    .poll(async () => (await page.request.get(`${site.url}/edited-page`)).text())
    .toMatch(/Questions[\s\S]*Second section/);
});

test('an invalid edit names its field and is not saved; the text stays in the form', async ({ page }) => {
  await open(page);
  await page.getByLabel('Description', { exact: true }).fill('Too short.');
  await save(page);
  await expect(page.getByRole('alert')).toContainText('Nothing was saved.');
  await page.getByRole('link', { name: /description/ }).click();
  await expect(page).toHaveURL(/#field--description-$/);
  await expect(page.getByLabel('Description', { exact: true })).toHaveValue('Too short.');
  expect(readFile()).toBe(PAGE);
});

test('a file that was changed in a shell meanwhile is not overwritten unnoticed; a version is put back', async ({
  page,
}) => {
  await open(page, '?view=text');
  const text = page.locator('#editor-text');
  await expect(text).toHaveValue(PAGE);
  await writeText(page, PAGE.replace('How?', 'By whom?'));
  const other = PAGE.replace('One paragraph', 'A paragraph from the shell');
  writeFileSync(path.join(site.contentDir, FILE), other);
  await save(page);
  await expect(page.getByRole('alert')).toContainText('was changed on the server');
  await expect(
    page.getByRole('cell').filter({ hasText: 'removed: A paragraph from the shell' }).first(),
  ).toBeVisible();
  await expect(page.locator('#editor-text')).toHaveValue(PAGE.replace('How?', 'By whom?'));
  expect(readFile()).toBe(other);
  await page.getByRole('button', { name: /Save my text in place/ }).click();
  await expect(page.getByRole('status')).toContainText('Saved.');
  expect(readFile()).toBe(PAGE.replace('How?', 'By whom?'));

  await open(page, '?view=history');
  const versions = page.getByRole('table', { name: 'Versions' });
  const found = versions.getByRole('row').filter({ hasText: 'on the server' }).first();
  await found.getByRole('link', { name: /^Changes/ }).click();
  await expect(page.getByRole('heading', { name: /^From version/ })).toBeVisible();
  await versions.getByRole('row').filter({ hasText: 'on the server' }).first().getByRole('button').click();
  await expect(page.getByRole('status')).toContainText('Saved.');
  expect(readFile()).toBe(other);
});

test('HTML in every field is text in the console', async ({ page }) => {
  const hostile = '"></textarea><script>document.title="run"</script>';
  await open(page, '?view=text');
  await writeText(page, PAGE.replaceAll(/: (First|Second|Questions|How).*/g, `: '${hostile}'`));
  await page.getByRole('button', { name: 'Check without saving' }).click();
  await expect(page.locator('#editor-text')).toHaveValue(/<script>/);
  await expect(page).not.toHaveTitle('run');
  await page.goto(`${site.url}/console/content?q=${encodeURIComponent(hostile)}`);
  await expect(page.getByLabel('Title, text or address')).toHaveValue(hostile);
  await expect(page).not.toHaveTitle('run');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('fields are changed, sections added and saved', async ({ page }) => {
    await open(page);
    await page.getByLabel('Type').selectOption('prose');
    await page.getByRole('button', { name: 'Add to sections' }).click();
    await save(page);
    await expect(page.getByRole('alert')).toContainText('Nothing was saved.');
    await page.getByLabel('Body').fill('A new paragraph.\n\nAnd another one.');
    await save(page);
    await expect(page.getByRole('status')).toContainText('Saved.');
    expect(readFile()).toBe(
      `${PAGE}\n  - type: prose\n    body: |-\n      A new paragraph.\n\n      And another one.\n`,
    );
  });
});

for (const [name, search] of [
  ['the form', ''],
  ['the text', '?view=text'],
  ['the history', '?view=history&version=1'],
] as const) {
  test(`${name} is accessible in both modes and fits every width`, async ({ page }) => {
    await open(page, search);
    await open(page, search);
    expect(await findViolationsInBothSchemes(page)).toEqual([]);
    expect(await walkByKeyboard(page, 'forward')).toEqual([]);
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect.soft(await findOverflowOpened(page), `${width} px`).toEqual([]);
    }
  });
}
