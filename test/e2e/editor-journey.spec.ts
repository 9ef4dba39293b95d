// What an operator does with content, from a new article to an old version, in Chromium and Firefox.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Locator, Page } from '@playwright/test';
import { CONSOLE_FILE } from '../../src/stores/node-databases.ts';
import { confirmWithPassword, OWNER } from '../support/console-access.ts';
import {
  ARTICLE,
  ARTICLE_FILE,
  body,
  expect,
  give,
  openFile,
  PAGE,
  PAGE_FILE,
  readContent,
  save,
  site,
  test,
  writeAtEnd,
} from '../support/editor-test.ts';

const readPage = async (page: Page, address: string) => (await page.request.get(site.url + address)).text();
const HOUR_MS = 3_600_000;
/** By keys, from the end of what is there. */
const retype = async (field: Locator, text: string) => {
  await field.click();
  await field.press('End');
  for (const _ of await field.inputValue()) await field.press('Backspace');
  await field.pressSequentially(text);
};

/** More acts and seconds are too many for a new article with a picture, a box, a price and a link. */
const MAX_ACTS = 12;
const MAX_MS = 90_000;

test('an article with a picture, a box, a price and a link is written from nothing and published', async ({
  page,
}) => {
  let acts = 0;
  const act = async (does: () => Promise<unknown>) => {
    acts += 1;
    await does();
  };
  // A pause of a person before each key.
  const type = (words: string) => page.keyboard.type(words, { delay: 40 });
  const choose = async (words: string, option: RegExp) => {
    await type(words);
    await page.getByRole('option', { name: option }).first().waitFor();
    await page.keyboard.press('Enter');
  };
  await page.goto(`${site.url}/console/content`);
  const start = Date.now();
  await act(() => page.getByRole('link', { name: 'New piece' }).click());
  await act(async () => {
    await page.getByLabel('Title').fill('A tool for letters');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status').first()).toContainText('Created');
  });
  await act(() =>
    page.getByLabel('Excerpt').fill('Whether it is worth its price for people who write letters.'),
  );
  await act(async () => {
    await page.getByLabel('Excerpt').press('Enter');
    await type('It costs ');
  });
  await act(() => choose('/gohighlevel: price', /^GoHighLevel: price/));
  await act(() => type('. Compare it with the '));
  await act(async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Link to/ }).waitFor();
    await choose('GoHighLevel, trial', /^GoHighLevel, trial/);
  });
  await act(async () => {
    await page.keyboard.press('Enter');
    await choose('/kit: product', /^Kit: product box/);
  });
  await act(() => give(page, 'drop', [['A letter.jpg', 'image/jpeg']]));
  await act(async () => {
    await expect(body(page).getByRole('textbox', { name: 'What the picture shows' })).toBeFocused();
    await type('A letter on a table');
  });
  await expect(body(page).locator('.desk-picture img')).toHaveAttribute('src', /a-letter/);
  await act(() => page.keyboard.press('Control+Shift+Enter'));
  await expect(page.getByText('Nothing is missing.')).toBeVisible();
  await act(() => page.getByRole('button', { name: 'Publish now' }).click());
  await expect(page.getByRole('status')).toContainText('Published.');
  expect(Date.now() - start).toBeLessThanOrEqual(MAX_MS);
  expect(acts).toBeLessThanOrEqual(MAX_ACTS);
  const show = async () =>
    (await readPage(page, '/blog/a-tool-for-letters')).replace(/^[\s\S]*article-body">/, '');
  await expect
    .poll(async () => (await show()).slice(0, 90))
    .toMatch(/^<p>It costs \$\d+ per month\. Compare it with the/);
  for (const part of ['href="/go/highlevel?page=trial', 'alt="A letter on a table"', 'data-product="kit"'])
    expect(await show()).toContain(part);
});

test('by keyboard an operator finds a page, changes a field and moves a section', async ({ page }) => {
  await page.goto(`${site.url}/console/content`);
  await page.getByRole('searchbox', { name: 'Find' }).fill('written page');
  await page.keyboard.press('Enter');
  await page.locator('#files').getByRole('link', { name: 'Written page' }).click();
  await retype(page.getByLabel('Title', { exact: true }).first(), 'Written: "twice" # today');
  await page.locator('summary', { hasText: /^2 Text/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Body' })).toBeVisible();
  const preview = page.frameLocator('.editor-frame:not([data-loading])');
  await expect(preview.locator('#second')).toBeInViewport();
  const down = page.getByRole('button', { name: /^Move down 2 Text/ });
  await down.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('summary', { hasText: /^3 Text/ })).toBeFocused();
  expect(readContent(PAGE_FILE)).toBe(PAGE);
  await save(page);
  await expect(page.locator('[data-editor-state]')).toContainText('Saved.');
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

  test('survives a killed browser, and goes on from another device @chromium', async ({
    page,
    context,
    browser,
  }) => {
    const device = await browser.newContext();
    await device.addCookies(await context.cookies());
    const phone = await device.newPage();
    await openFile(phone, ARTICLE_FILE);
    await writeAtEnd(phone, ' Written on a phone.');
    await expect(state(phone)).toHaveText(/^Saved \d\d:\d\d\.$/);
    // Without the last words of a page that is closed.
    await device.setOffline(true);
    await device.close();
    expect(readContent(ARTICLE_FILE)).toBe(ARTICLE);
    await openFile(page, ARTICLE_FILE);
    await expect(body(page)).toContainText('Written on a phone.');
    await expect(state(page)).toHaveText(/^Saved /);
    await page.getByRole('link', { name: 'Compare' }).click();
    await expect(page.getByRole('heading', { name: 'Your text, which is not saved' })).toBeVisible();
    await writeAtEnd(page, ' And here.');
    await page.keyboard.press('Control+s');
    await expect(state(page)).toContainText('Saved. It is a draft');
    await expect(body(page)).toBeFocused();
    await page.keyboard.type(' More.');
    await expect(state(page)).toHaveText(/^Saved \d\d:\d\d\.$/);
    const saved = ARTICLE.replace('The end.', 'The end. Written on a phone. And here.');
    expect(readContent(ARTICLE_FILE)).toBe(saved);
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(page.locator('.notice')).toContainText('Discarded');
    await expect(body(page)).toContainText('The end. Written on a phone. And here.');
    await expect(body(page)).not.toContainText('More.');
  });

  test('waits in the browser without a network and without a session @chromium', async ({
    page,
    context,
  }) => {
    await openFile(page, ARTICLE_FILE);
    await body(page).waitFor();
    await context.setOffline(true);
    await writeAtEnd(page, ' Without a network.');
    await expect(state(page)).toHaveText('Offline: kept in this browser, sent when you are back.');
    await page.keyboard.press('Control+s');
    await expect(body(page)).toContainText('Without a network.');
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
    await retype(title, 'Written without a connection');
    await expect(state(page)).toHaveText(/^Offline/);
    await page.unroute(path);
    await openFile(page, PAGE_FILE);
    await expect(title).toHaveValue('Written without a connection');
    await expect(state(page)).toHaveText(/^Saved /);
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
    await expect(state(page)).toContainText('Saved. Visitors');
    expect(readContent(PAGE_FILE)).toBe(PAGE.replace('Written page', 'Written without a connection'));
  });

  test('of two people is named, and compared, without locking anybody out', async ({ page }) => {
    const database = new DatabaseSync(path.join(site.dataDir, CONSOLE_FILE), { timeout: 5_000 });
    await openFile(page, ARTICLE_FILE);
    await writeAtEnd(page, ' By Ada.');
    await expect(state(page)).toHaveText(/^Saved /);
    // The same text as if somebody else had written it.
    database.exec(`INSERT OR IGNORE INTO operators (id, name, name_key, capabilities, password_hash, passkey_user_id, created_at)
      SELECT 'bob', 'Bob', 'bob', capabilities, password_hash, 'bob', created_at FROM operators LIMIT 1`);
    database.prepare("UPDATE working_copies SET operator = 'bob', name = 'Bob', page = 'b'").run();
    database.close();
    await page.reload();
    const others = page.locator('[data-editor-others]');
    await expect(others).toHaveText(/Bob changed “Second heading” at \d\d:\d\d: compare\./);
    await writeAtEnd(page, ' By me.');
    await expect(state(page)).toHaveText(/^Saved /);
    await others.getByRole('link', { name: 'compare' }).click();
    await expect(page.getByRole('heading', { name: 'The text of Bob, which is not saved' })).toBeVisible();
    await expect(page.getByText('By Ada.').first()).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).click();
    await others.getByRole('link', { name: 'compare' }).click();
    await page.getByRole('button', { name: 'Go on with the text of Bob' }).click();
    await expect(body(page)).toContainText('By Ada.');
  });

  test('of two tabs is joined, and undo takes back only what was written here', async ({ page, context }) => {
    await openFile(page, ARTICLE_FILE);
    const other = await context.newPage();
    await other.goto(page.url());
    await body(other).waitFor();
    await page.bringToFront();
    await writeAtEnd(page, ' Mine.');
    await expect(state(page)).toHaveText(/^Saved \d/);
    await other.bringToFront();
    await body(other).getByText('A paragraph').click();
    await other.keyboard.press('Home');
    await other.keyboard.type('Theirs. ');
    await other.keyboard.press('Control+s');
    await expect(state(other)).toHaveText(/^Saved\. /);
    await other.close();
    await page.bringToFront();
    await body(page).click();
    await page.keyboard.press('Control+s');
    await expect(state(page)).toHaveText(/Joined with a change in another tab\.$/);
    const joined = ARTICLE.replace('A paragraph', 'Theirs. A paragraph').replace(
      'The end.',
      'The end. Mine.',
    );
    expect(readContent(ARTICLE_FILE)).toBe(joined);
    await expect(body(page)).toContainText('Theirs. A paragraph');
    await writeAtEnd(page, ' More.');
    for (let step = 0; step < 6; step += 1) await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+s');
    await expect(state(page)).toHaveText(/^Saved\. It is a draft, so visitors do not see it\.$/);
    expect(readContent(ARTICLE_FILE)).toBe(ARTICLE.replace('A paragraph', 'Theirs. A paragraph'));
  });

  test('is saved by an old session with the password', async ({ page }) => {
    await openFile(page, PAGE_FILE);
    await retype(page.getByRole('textbox', { name: 'Title' }).first(), 'Written half a day later');
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
  test('a page can be read, and offers nothing to save @chromium', async ({ page }) => {
    await openFile(page, PAGE_FILE);
    await expect(page.getByRole('textbox', { name: 'Title', exact: true }).first()).toHaveValue(
      'Written page',
    );
    await page.locator('summary', { hasText: /^2 Text/ }).click();
    await expect(page.getByRole('textbox', { name: 'Body' })).toHaveValue('One paragraph.\n');
    await expect(page.getByRole('textbox', { name: 'Body' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeHidden();
  });
});
