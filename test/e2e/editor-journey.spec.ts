// What an operator does with content, from a new article to an old version, in Chromium and Firefox.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { CONSOLE_FILE } from '../../src/stores/node-databases.ts';
import { confirmWithPassword, OWNER } from '../support/console-access.ts';
import { expect, openFile, PAGE, PAGE_FILE, readContent, save, site, test } from '../support/editor-test.ts';

const readPage = async (page: Page, address: string) => (await page.request.get(site.url + address)).text();
const HOUR_MS = 3_600_000;

test('an operator adds an image, writes an article with it, and publishes it', { tag: '@full' }, async ({
  page,
}) => {
  const photo = sharp({ create: { width: 600, height: 400, channels: 3, background: '#789' } });
  await page.goto(`${site.url}/console/content`);
  await page.getByRole('link', { name: 'Images', exact: true }).click();
  await page
    .getByLabel('File')
    .setInputFiles({ name: 'A bike.jpg', mimeType: 'image/jpeg', buffer: await photo.jpeg().toBuffer() });
  await page.getByLabel('What it shows').fill('A bike on a bridge');
  await page.getByRole('button', { name: 'Add the image' }).click();
  await expect(page.getByRole('status')).toContainText('Added.');
  await page.getByRole('link', { name: 'All images' }).click();
  await page.getByRole('link', { name: 'Pieces' }).click();
  await page.getByRole('link', { name: 'New piece' }).click();
  await page.getByLabel('Title').fill('A bike for work');
  await page.getByRole('button', { name: /^Create the/ }).click();
  await expect(page.getByRole('status')).toContainText('Created');
  await page.getByLabel('Excerpt').fill('Whether a bike is a car for people who work in a city.');
  await page.locator('.cm-content').click();
  await page.keyboard.type('It carries a ladder.');
  await page.keyboard.press('Enter');
  await page.keyboard.type('/bike on a');
  await expect(page.getByRole('option', { name: /Picture: A bike on a bridge/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  const preview = page.frameLocator('.editor-frame:not([data-loading])');
  await expect(preview.getByRole('img', { name: 'A bike on a bridge' })).toBeVisible();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Nothing is missing.')).toBeVisible();
  await page.getByRole('button', { name: 'Publish now' }).click();
  await expect(page.getByRole('status')).toContainText('Published.');
  await expect
    .poll(() => readPage(page, '/blog/a-bike-for-work'))
    .toMatch(/It carries a ladder\.[\s\S]*<img[^>]* src="\/images\/a-bike\.[^"]*" alt="A bike on a bridge"/);
});

test('by keyboard an operator finds a page, changes a field and moves a section', async ({ page }) => {
  await page.goto(`${site.url}/console/content`);
  await page.getByLabel('Title, text or address').fill('written page');
  await page.keyboard.press('Enter');
  await page.locator('#files').getByRole('link', { name: 'Written page' }).click();
  await page.getByLabel('Title', { exact: true }).fill('Written: "twice" # today');
  await page.getByRole('button', { name: /^2 Text/ }).focus();
  await page.keyboard.press('Enter');
  const preview = page.frameLocator('.editor-frame:not([data-loading])');
  await expect(preview.locator('#second')).toBeInViewport();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  const down = page.getByRole('button', { name: /^Move down 2 Text/ });
  await down.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toContainText('Moved. Not saved yet.');
  // It is the last one now: the button that moves it back has the focus.
  await expect(page.getByRole('button', { name: /^Move up 3 Text/ })).toBeFocused();
  expect(readContent(PAGE_FILE)).toBe(PAGE);
  await save(page);
  await expect(page.getByRole('status')).toContainText('Saved.');
  const [head, prose = '', faq = ''] = PAGE.split(/(?= {2}# Under)|\n(?= {2}- type: faq)/);
  expect(readContent(PAGE_FILE)).toBe(
    `${head}${faq.trimEnd()}\n\n${prose}`.replace('title: Written page', `title: 'Written: "twice" # today'`),
  );
  await expect.poll(() => readPage(page, '/written-page')).toMatch(/Questions[\s\S]*Second section/);
});

test.describe('unsaved text', () => {
  test.use({
    tolerated: {
      patterns: [/status of 403/, /ERR_FAILED/, /frame-ancestors|Framing|X-Frame-Options/],
      reason:
        'requests without a connection or a session are the subject; a preview shows no page to sign in',
    },
  });

  test('survives reload, lost connection, ended session and password @full', async ({ page, context }) => {
    const title = page.getByRole('textbox', { name: 'Title' }).first();
    const restore = page.getByRole('button', { name: 'Restore' });
    const write = async (text: string) => {
      await openFile(page, PAGE_FILE);
      await title.fill(text);
      await expect(page.locator('[data-editor-state]')).toContainText('1 unsaved change');
      await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain(text);
    };
    /** Saves the text that is offered, once: the page that is opened then offers nothing. */
    const saveRestored = async (text: string) => {
      await restore.click();
      await expect(title).toHaveValue(text);
      await title.press('Control+s');
      await expect(page.locator('.notice')).toContainText('Saved.');
      await expectSaved(text);
    };
    const expectSaved = async (text: string) => {
      expect(readContent(PAGE_FILE)).toBe(PAGE.replace('Written page', text));
      await openFile(page, PAGE_FILE);
      await expect(title).toHaveValue(text);
      await expect(restore).toHaveCount(0);
    };

    await write('Written before a reload');
    await openFile(page, PAGE_FILE);
    await expect(title).toHaveValue('Written page');
    await saveRestored('Written before a reload');

    await write('Written without a connection');
    await page.route('**/console/content/**', (route) => route.abort());
    await save(page).catch(() => {});
    await page.unrouteAll();
    await openFile(page, PAGE_FILE);
    await saveRestored('Written without a connection');

    await write('Written without a session');
    await context.clearCookies();
    await save(page);
    await page.getByLabel('Name').fill(OWNER.name);
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await saveRestored('Written without a session');

    await write('Written half a day later');
    const database = new DatabaseSync(path.join(site.dataDir, CONSOLE_FILE));
    // The newest session: the others belong to other tests.
    database
      .prepare(
        'UPDATE sessions SET created_at = created_at - ? WHERE created_at = (SELECT max(created_at) FROM sessions)',
      )
      .run(13 * HOUR_MS);
    database.close();
    await save(page);
    await expect(page.getByText('What you wrote is in this form')).toBeVisible();
    await confirmWithPassword(page);
    await expect(page.locator('.notice')).toContainText('Saved.');
    await expectSaved('Written half a day later');
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  // Chromium alone: the WebDriver BiDi of this Firefox does not turn scripts off.
  test('fields are changed, sections added and saved @chromium', async ({ page }) => {
    await openFile(page, PAGE_FILE);
    await page.getByLabel('Type').selectOption('prose');
    await page.getByRole('button', { name: 'Add to sections' }).click();
    await save(page);
    await expect(page.getByRole('alert')).toContainText('Nothing was saved.');
    await page.getByLabel('Body').fill('A new paragraph.\n\nAnd another one.');
    await save(page);
    await expect(page.getByRole('status')).toContainText('Saved.');
    expect(readContent(PAGE_FILE)).toBe(
      `${PAGE}\n  - type: prose\n    body: |-\n      A new paragraph.\n\n      And another one.\n`,
    );
  });
});
