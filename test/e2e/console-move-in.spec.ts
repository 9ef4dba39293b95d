import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import {
  findAxeViolationsUnfolded,
  findContrastViolations,
  findTextsLostInForcedColors,
  walkByKeyboard,
} from '../support/accessibility.ts';
import { expect, test } from '../support/browser-test.ts';
import { buildWxr } from '../support/build-wxr.ts';
import { startWorkSite, type WorkSite } from '../support/console-work-site.ts';

let work: WorkSite;
test.beforeAll(async () => (work = await startWorkSite([], () => [])));
test.afterAll(() => work.site.remove());
test.beforeEach(({ context }) => work.signIn(context));

const EXPORT = buildWxr([
  {
    id: 1,
    title: 'Moved post',
    slug: 'moved-post',
    link: 'https://old.example/2024/03/moved-post/',
    content: '<p>A <a href="https://shop.example/buy?aff=me-1">paid link</a> and [unknown_code a="b"].</p>',
  },
]);

async function upload(page: Page, text: string): Promise<void> {
  await page.goto(`${work.site.url}/console/settings/move-in`);
  await page
    .getByLabel('Export of the site')
    .setInputFiles({ name: 'export.xml', mimeType: 'text/xml', buffer: Buffer.from(text) });
  await page.getByRole('button', { name: 'Preview the site' }).click();
}

test('an uploaded export is previewed and imported with the confirmed partners', async ({ page }) => {
  const article = path.join(work.site.contentDir, 'articles/moved-post.md');
  await upload(page, EXPORT.slice(0, 900));
  await expect(page.locator('main')).toContainText('it was cut off');

  await upload(page, EXPORT);
  await expect(page.getByRole('heading', { name: 'Preview of export.xml' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Shop: 1 link' })).toContainText('Affiliate id: me-1');
  await page.getByText('What is lost or not understood').click();
  await expect(page.locator('main')).toContainText('[unknown_code]');
  expect(existsSync(article)).toBe(false);

  await page.getByLabel('Key, as in /go/key').fill('my-shop');
  await page.getByLabel('Confirm this partner').check();
  await page.getByRole('button', { name: 'Import the site' }).click();
  await expect(page.locator('main')).toContainText('Imported: 1 article,');
  expect(readFileSync(article, 'utf8')).toContain('[paid link](/go/my-shop?page=pricing)');
  expect(existsSync(path.join(work.site.contentDir, 'partners/my-shop.yaml'))).toBe(true);
  await expect(page.getByRole('button', { name: 'Preview the site' })).toBeVisible();

  // It keeps its address, and the default one leads there.
  await expect
    .poll(async () => (await page.request.get(`${work.site.url}/blog/moved-post`)).url())
    .toBe(`${work.site.url}/2024/03/moved-post/`);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('an upload is previewed and discarded', async ({ page }) => {
    await upload(page, EXPORT);
    await expect(page.getByRole('heading', { name: 'Preview of export.xml' })).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(page.locator('main')).toContainText('The upload was discarded. Nothing was imported.');
    await expect(page.getByRole('button', { name: 'Preview the site' })).toBeVisible();
  });
});

test('the preview passes axe, is read with forced colors and used by keyboard', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await upload(page, EXPORT);
  // Without the fragment that the upload leads to: the first stop is that of the page.
  await page.goto(`${work.site.url}/console/settings/move-in`);
  await expect(page.getByRole('heading', { name: 'Preview of export.xml' })).toBeVisible();
  expect.soft(await findAxeViolationsUnfolded(page)).toEqual([]);
  expect.soft(await findTextsLostInForcedColors(page)).toEqual([]);
  expect.soft(await walkByKeyboard(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect.soft(await findContrastViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Discard' }).click();
});
