import { existsSync } from 'node:fs';
import path from 'node:path';
import { findViolationsInBothSchemes, walkByKeyboard } from '../support/accessibility.ts';
import { expect, test } from '../support/browser-test.ts';
import { OWNER, readConsoleUrl } from '../support/console-access.ts';
import { findOverflowOpened } from '../support/layout.ts';
import { type Site, startSite } from '../support/site.ts';

test.use({
  tolerated: { patterns: [/status of 403/], reason: 'the browser notes the page that asks for the password' },
});

let site: Site;
test.beforeAll(async () => (site = await startSite()));
test.afterAll(() => site.remove());

test('an owner looks around, starts empty, and gets a published piece with a partner in one process', async ({
  page,
}) => {
  await page.goto(await readConsoleUrl(site));
  await page.getByLabel('Name').fill(OWNER.name);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Open the console' }).click();
  await expect(page.getByRole('heading', { name: 'What would you like to start with?' })).toBeVisible();
  expect(await findViolationsInBothSchemes(page)).toEqual([]);
  expect(await walkByKeyboard(page, 'forward')).toEqual([]);
  for (const width of [320, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    expect.soft(await findOverflowOpened(page), `${width} px`).toEqual([]);
  }

  await page.getByRole('button', { name: 'Look around' }).click();
  await expect(page.locator('.sample-note')).toContainText('every figure here was generated');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('confirmed');
  await page.getByRole('button', { name: 'End the sample' }).click();
  await expect(page.getByRole('status')).toContainText('The sample has ended');
  expect(existsSync(path.join(site.dataDir, 'sample'))).toBe(false);

  await page.getByLabel('Name of the site', { exact: true }).fill('Slow Extraction');
  await page.getByLabel('What is it about?').fill('Espresso machines for small kitchens');
  await page.getByLabel('Catalog').check();
  await page.getByRole('button', { name: 'Start with these pages' }).click();
  await expect(page.getByRole('status')).toContainText('write its first piece');
  const read = async (address: string) => (await page.request.get(site.url + address)).text();
  await expect.poll(() => read('/')).toContain('Slow Extraction: Espresso machines');
  expect(await read('/')).not.toMatch(/GoHighLevel|href="\/go\/|Say here/);
  const readStatus = async (address: string) => (await page.request.get(site.url + address)).status();
  expect(await Promise.all(['/assessment', '/feature-comparison'].map(readStatus))).toEqual([404, 404]);
  expect(await read('/blog')).not.toMatch(/assessment|Say here/);
  expect(await read('/sitemap.xml')).not.toMatch(/assessment|feature-comparison/);

  await page.goto(`${site.url}/console`);
  await expect(page.locator('.setup-step').first()).toContainText('Site: Slow Extraction');
  expect(await findViolationsInBothSchemes(page)).toEqual([]);
  await page.getByRole('link', { name: 'Add a partner' }).click();
  await page.getByLabel('Network', { exact: true }).selectOption('generic');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Name of the partner').fill('Bean Street');
  await page.getByLabel('The link that the program gave you').fill('https://shop.example/machines?ref=ada');
  await page.getByRole('button', { name: /^Create the/ }).click();
  await expect(page.getByRole('status')).toContainText('Created');
  await expect.poll(() => read('/')).toContain('/go/bean-street');

  await page.goto(`${site.url}/console/content/new?kind=article`);
  await page.getByLabel('Title').fill('The first machine');
  await page.getByRole('button', { name: /^Create the/ }).click();
  await page.locator('.editor-frame:not([data-loading])').waitFor();
  const text = await page.getByLabel('Title', { exact: true }).inputValue();
  expect(text).toBe('The first machine');

  await page.goto(`${site.url}/console/settings`);
  await page.getByRole('button', { name: 'Change the mail' }).click();
  if ((await page.locator('#confirm').count()) > 0) {
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  }
  expect(await findViolationsInBothSchemes(page)).toEqual([]);
  await page.getByLabel('Server of another one').fill('127.0.0.1:9');
  await page.getByLabel('Sender').fill('site@example.com');
  await page.getByLabel('Recipient').fill('ada@example.com');
  await page.getByRole('button', { name: 'Store the mail' }).click();
  await expect(page.getByRole('status')).toContainText('Send yourself a test');
  await page.getByRole('button', { name: 'Send me a test' }).click();
  await expect(page.getByRole('alert')).toContainText('The test was not accepted');
});
