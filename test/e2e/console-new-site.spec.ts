import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { createSiteFolder } from '../../src/commands/new.ts';
import { findViolationsInBothSchemes, walkByKeyboard } from '../support/accessibility.ts';
import { expect, test } from '../support/browser-test.ts';
import { type ConsoleSite, openConsoleSite } from '../support/console-access.ts';
import { findOverflowOpened } from '../support/layout.ts';
import { type Site, startSite } from '../support/site.ts';

// The forms work without scripts, and so does everything that this test does.
test.use({
  javaScriptEnabled: false,
  tolerated: { patterns: [/status of 4(?:09|22)/], reason: 'the browser notes the status of the form' },
});

let site: Site;
let operator: ConsoleSite;
let content: string;
test.beforeAll(async () => {
  content = path.join(mkdtempSync(path.join(os.tmpdir(), 'signpost-new-')), 'content');
  const day = new Date().toISOString().slice(0, 10);
  createSiteFolder({ name: 'Desk notes', folder: content, isReplacing: false, day });
  site = await startSite({ env: { CONTENT_DIR: content } });
  operator = await openConsoleSite(site);
});
test.afterAll(async () => {
  await site.remove();
  rmSync(path.dirname(content), { recursive: true });
});
test.beforeEach(({ context }) => operator.signIn(context));

const create = async (page: Page, kind: string, fields: Readonly<Record<string, string>>) => {
  await page.goto(`${site.url}/console/content/new?kind=${kind}`);
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  if (kind === 'partner') await page.getByLabel('Network', { exact: true }).selectOption('generic');
  await page.getByRole('button', { name: /^Create the/ }).click();
  await expect(page.getByRole('status')).toContainText('Created');
};
const publish = async (page: Page) => {
  await page.getByRole('button', { name: /^Save and publish/ }).click();
  await expect(page.getByRole('status')).toContainText('Published.');
};
/** Changes the text of the file whose form is open. */
const writeText = async (page: Page, change: (text: string) => string) => {
  await page.getByRole('link', { name: 'Text', exact: true }).click();
  const text = page.getByLabel('The whole file as text');
  await text.fill(change(await text.inputValue()));
};
const read = async (page: Page, address: string) => (await page.request.get(site.url + address)).text();

test('a new site gets ten published pieces through the console alone', async ({ page }) => {
  await create(page, 'partner', {
    'Name of the partner': 'Desk shop',
    'The link that the program gave you': 'https://shop.example/desks?ref=our-code',
  });
  await expect
    .poll(async () => {
      const response = await page.request.get(`${site.url}/go/desk-shop`, { maxRedirects: 0 });
      return response.headers()['location'];
    })
    .toContain('https://shop.example/desks?ref=our-code');

  await create(page, 'product', { 'Name of the product': 'Oak desk' });
  await writeText(page, (text) =>
    text
      .replace(/Say [^\n]*/g, 'A statement about the desk.')
      .replace('https://example.com/product', 'https://shop.example/oak')
      .replace('Name of the shop', 'Desk shop')
      .replace(/checked:$/m, 'checked: 2026-11-20')
      .replace(/partner: .*/, 'partner: desk-shop')
      .replace(/^( {2}- A statement about the desk\.)\n\1$/gm, '$1\n  - Another statement about it.'),
  );
  await publish(page);

  for (const [number, title] of [
    'How to sit',
    'How to bend',
    'How to walk',
    'How to rest',
    'How to stretch',
  ].entries()) {
    await create(page, 'article', { Title: title });
    await page.getByLabel('Excerpt').fill(`What article ${number + 1} says.`);
    await page
      .getByLabel('Description in search results')
      .fill(`What a searcher reads about the article ${title}.`);
    await page.getByLabel('Text of the article').fill(`The point of ${title.toLowerCase()}.`);
    await publish(page);
  }
  const writeDescription = (text: string, title: string) =>
    text.replace(
      /^description: .*/m,
      `description: "${title}: which desk fits, what it costs and where to buy it."`,
    );
  for (const title of ['Desks for tall people', 'Desks for two']) {
    await create(page, 'page', { Title: title });
    await writeText(page, (text) =>
      writeDescription(text, title).replace('Running text in Markdown.', 'Which desk fits, with reasons.'),
    );
    await publish(page);
  }
  await page.goto(`${site.url}/console/content/new?kind=page`);
  await page.getByLabel('Title').fill('Oak desk review');
  await page.getByLabel('Pattern').selectOption('review');
  await page.getByRole('button', { name: /^Create the/ }).click();
  await writeText(page, (text) =>
    writeDescription(text, 'Oak desk review')
      .replace(/product: .*/, 'product: oak-desk')
      .replace(/Say [^\n]*/g, 'Is it heavy, and who should buy it?')
      .replace('Give the answer first, then the reason.', 'Yes.')
      .replace('Running text in Markdown.', 'It is made of oak.'),
  );
  await publish(page);

  const addresses = {
    '/blog/how-to-sit': 'The point of how to sit.',
    '/blog/how-to-bend': 'The point of',
    '/blog/how-to-walk': 'The point of',
    '/blog/how-to-rest': 'The point of',
    '/blog/how-to-stretch': 'The point of',
    '/desks-for-tall-people': 'with reasons.',
    '/desks-for-two': 'with reasons.',
    '/oak-desk-review': '$100',
  };
  for (const [address, words] of Object.entries(addresses))
    await expect.poll(() => read(page, address)).toContain(words);
  expect(await read(page, '/sitemap-pages.xml')).toContain('/oak-desk-review<');
  expect(await read(page, '/rss.xml')).toContain('How to stretch');

  // A price is changed once, and every page that shows it has the new one.
  await page.goto(`${site.url}/console/content/products/oak-desk.yaml`);
  await writeText(page, (text) => text.replace('price: 100', 'price: 130'));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status')).toContainText('Saved.');
  await expect.poll(() => read(page, '/oak-desk-review')).toContain('$130');
});

test('a piece is scheduled, taken down and duplicated', async ({ page }) => {
  await create(page, 'article', { Title: 'Later' });
  const file = () => readFileSync(path.join(content, 'articles/later.md'), 'utf8');
  await page.getByLabel('Excerpt').fill('What it says.');
  await page.getByLabel('Description in search results').fill('What a searcher reads about it.');
  await page.getByLabel('Text of the article').fill('It comes later.');
  await page.getByLabel(/^Time of publication/).fill('2020-01-01T09:00');
  await page.getByRole('button', { name: 'Save and schedule' }).click();
  await expect(page.getByRole('alert')).toContainText('The time has passed');
  await page.getByLabel(/^Time of publication/).fill('2099-07-01T09:00');
  await page.getByRole('button', { name: 'Save and schedule' }).click();
  await expect(page.getByRole('status')).toContainText('Scheduled for 2099-07-01, 09:00');
  expect(file()).toMatch(/publishedAt: ["']?2099-07-01T09:00:00/);
  expect(file()).not.toContain('draft');
  await publish(page);
  await expect.poll(() => read(page, '/blog/later')).toContain('It comes later.');
  await page.getByRole('link', { name: 'Rename, take down or remove' }).click();
  await page.getByRole('radio', { name: /^Nowhere/ }).check();
  await page.getByRole('button', { name: 'Take down' }).click();
  await expect(page.getByRole('status')).toContainText('Taken down');
  await expect.poll(async () => (await page.request.get(`${site.url}/blog/later`)).status()).toBe(404);
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await expect(page.getByRole('status')).toContainText('Duplicated');
  await expect(page).toHaveURL(/articles\/later-copy\.md$/);
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Later (copy)');
});

test.describe('with scripts', () => {
  test.use({ javaScriptEnabled: true });
  test('the forms of new pieces and of their state are accessible and fit every width', async ({ page }) => {
    await create(page, 'article', { Title: 'A form' });
    for (const address of 'new?kind=page new?kind=partner new?kind=author articles/a-form.md'.split(' ')) {
      await page.goto(`${site.url}/console/content/${address}`);
      const isNew = address.startsWith('new');
      if (!isNew) await page.locator('.editor-frame:not([data-loading])').waitFor();
      expect(await findViolationsInBothSchemes(page), address).toEqual([]);
      // The preview beside the form of a file is a page of its own: console-editor.spec.ts walks through the form.
      if (isNew) expect(await walkByKeyboard(page, 'forward'), address).toEqual([]);
      for (const width of [320, 390, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        expect.soft(await findOverflowOpened(page), `${address} ${width} px`).toEqual([]);
      }
    }
  });
});
