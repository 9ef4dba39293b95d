// What an operator does with content, from a new article to an old version, in Chromium and Firefox.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { CONSOLE_FILE } from '../../src/stores/node-databases.ts';
import { confirmWithPassword, OWNER } from '../support/console-access.ts';
import {
  ARTICLE,
  ARTICLE_FILE,
  expect,
  openFile,
  PAGE,
  PAGE_FILE,
  readContent,
  save,
  site,
  test,
} from '../support/editor-test.ts';

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

test.describe('what is written', () => {
  test.use({
    tolerated: {
      patterns: [
        /status of 403/,
        /ERR_FAILED|ERR_INTERNET|Failed to load/,
        /frame-ancestors|Framing|X-Frame-Options/,
      ],
      reason:
        'requests without a connection or a session are the subject; a preview shows no page to sign in',
    },
  });
  const state = (page: Page) => page.locator('[data-editor-state]');
  const text = (page: Page) => page.locator('.cm-content');
  const type = async (page: Page, words: string) => {
    await text(page).getByText('The end.').click();
    await page.keyboard.press('End');
    await page.keyboard.type(words);
  };

  test('survives a killed browser, and goes on from another device @chromium', async ({
    page,
    browser,
    editedSite,
  }) => {
    const device = await browser.newContext();
    await editedSite.signIn(device);
    const phone = await device.newPage();
    await openFile(phone, ARTICLE_FILE);
    await type(phone, ' Written on a phone.');
    await expect(state(phone)).toHaveText(/^Saved \d\d:\d\d\.$/);
    // Without the last words of a page that is closed.
    await device.setOffline(true);
    await device.close();
    expect(readContent(ARTICLE_FILE)).toBe(ARTICLE);
    await openFile(page, ARTICLE_FILE);
    await expect(text(page)).toContainText('Written on a phone.');
    await expect(state(page)).toHaveText(/^This is your text of /);
    await page.getByRole('link', { name: 'Compare' }).click();
    await expect(page.getByRole('heading', { name: 'Your text, which is not saved' })).toBeVisible();
    await type(page, ' And here.');
    await page.keyboard.press('Control+s');
    await expect(state(page)).toContainText('Saved. It is a draft');
    await expect(text(page)).toBeFocused();
    await page.keyboard.type(' More.');
    await expect(state(page)).toHaveText(/^Saved \d\d:\d\d\.$/);
    const saved = ARTICLE.replace('The end.', 'The end. Written on a phone. And here.');
    expect(readContent(ARTICLE_FILE)).toBe(saved);
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(page.locator('.notice')).toContainText('Discarded');
    await expect(text(page)).toContainText('The end. Written on a phone. And here.');
    await expect(text(page)).not.toContainText('More.');
  });

  test('waits in the browser without a network and without a session @chromium', async ({
    page,
    context,
  }) => {
    await openFile(page, ARTICLE_FILE);
    await context.setOffline(true);
    await type(page, ' Without a network.');
    await expect(state(page)).toHaveText('Offline: kept in this browser, sent when you are back.');
    await page.keyboard.press('Control+s');
    await expect(text(page)).toContainText('Without a network.');
    await context.setOffline(false);
    await expect(state(page)).toHaveText(/^Saved /);
    await context.setOffline(true);
    await page.keyboard.type(' In a closed tab.');
    await expect(state(page)).toHaveText(/^Offline/);
    await context.setOffline(false);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(state(page)).toHaveText(/^Saved /);

    const cookies = await context.cookies();
    await context.clearCookies();
    await page.keyboard.type(' Without a session.');
    await expect(state(page)).toHaveText(
      'Your session ended: your text is kept in this browser. Sign in in another tab',
    );
    const tab = await context.newPage();
    await tab.goto(`${site.url}/console/sign-in`);
    await tab.getByLabel('Name').fill(OWNER.name);
    await tab.getByLabel('Password').fill(OWNER.password);
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
    await tab.waitForURL(/console(?!\/sign-in)/);
    await tab.close();
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expect(state(page)).toHaveText(/^Saved /);
    await page.keyboard.press('Control+s');
    await expect(state(page)).toContainText('It is a draft');
    expect(readContent(ARTICLE_FILE)).toContain(
      'The end. Without a network. In a closed tab. Without a session.',
    );
    await context.addCookies(cookies);
  });

  test('goes on from what a browser alone had', async ({ page }) => {
    const title = page.getByRole('textbox', { name: 'Title' }).first();
    await openFile(page, PAGE_FILE);
    const path = `**/console/content/${PAGE_FILE}`;
    await page.route(path, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.fallback(),
    );
    await title.fill('Written without a connection');
    await expect(state(page)).toHaveText(/^Offline/);
    await page.unroute(path);
    await openFile(page, PAGE_FILE);
    await expect(title).toHaveValue('Written without a connection');
    await expect(state(page)).toHaveText(/^This is your text of /);
    // A text that another device has gone on from is offered beside it.
    await page.evaluate((file) => {
      const fields = [['["title"]', 'Of this browser']];
      const draft = { time: Date.now(), opened: 'x', follows: 'x', page: 'x', number: 1, action: '', fields };
      localStorage.setItem(`content-draft /console/content/${file}`, JSON.stringify(draft));
    }, PAGE_FILE);
    await openFile(page, PAGE_FILE);
    await expect(page.getByText('Text of this browser that was not saved')).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).first().click();
    await save(page);
    await expect(page.locator('.notice')).toContainText('Saved.');
    expect(readContent(PAGE_FILE)).toBe(PAGE.replace('Written page', 'Written without a connection'));
  });

  test('of two people is named, and compared, without locking anybody out', async ({ page }) => {
    const database = new DatabaseSync(path.join(site.dataDir, CONSOLE_FILE), { timeout: 5_000 });
    await openFile(page, ARTICLE_FILE);
    await type(page, ' By Ada.');
    await expect(state(page)).toHaveText(/^Saved /);
    // The same text as if somebody else had written it.
    database.prepare("UPDATE working_copies SET operator = 'bob', name = 'Bob', page = 'b'").run();
    database.close();
    await page.reload();
    const others = page.locator('[data-editor-others]');
    await expect(others).toHaveText(/Bob changed “Second heading” at \d\d:\d\d: compare\./);
    await type(page, ' By me.');
    await expect(state(page)).toHaveText(/^Saved /);
    await others.getByRole('link', { name: 'compare' }).click();
    await expect(page.getByRole('heading', { name: 'The text of Bob, which is not saved' })).toBeVisible();
    await expect(page.getByText('By Ada.').first()).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).click();
    await others.getByRole('link', { name: 'compare' }).click();
    await page.getByRole('button', { name: 'Go on with the text of Bob' }).click();
    await expect(text(page)).toContainText('By Ada.');
  });

  test('is saved by an old session with the password', async ({ page }) => {
    await openFile(page, PAGE_FILE);
    await page.getByRole('textbox', { name: 'Title' }).first().fill('Written half a day later');
    // All sessions: which one is that of this page, other tests decide.
    const age = (ms: number) => {
      const database = new DatabaseSync(path.join(site.dataDir, CONSOLE_FILE), { timeout: 5_000 });
      database.prepare('UPDATE sessions SET created_at = created_at - ?').run(ms);
      database.close();
    };
    age(13 * HOUR_MS);
    await save(page);
    await expect(page.getByText('What you wrote is in this form')).toBeVisible();
    await confirmWithPassword(page);
    await expect(page.locator('.notice')).toContainText('Saved.');
    expect(readContent(PAGE_FILE)).toBe(PAGE.replace('Written page', 'Written half a day later'));
    age(-13 * HOUR_MS);
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
