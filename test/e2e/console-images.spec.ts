import sharp from 'sharp';
import { findViolationsInBothSchemes, walkByKeyboard } from '../support/accessibility.ts';
import { expect, test } from '../support/browser-test.ts';
import { type ConsoleSite, openConsoleSite } from '../support/console-access.ts';
import { findOverflowOpened } from '../support/layout.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let operator: ConsoleSite;
test.beforeAll(async () => {
  site = await startSite();
  operator = await openConsoleSite(site);
});
test.afterAll(() => site.remove());

test('without scripts, an operator adds an image by a form and shows it in an article, without a restart', async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  await operator.signIn(context);
  const page = await context.newPage();
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const photo = sharp({ create: { width: 1_600, height: 1_000, channels: 3, background: '#fff', noise } });
  await page.goto(`${site.url}/console/content`);
  await page.getByRole('link', { name: /^Images:/ }).click();
  await page.getByLabel('File').setInputFiles({
    name: '../A van.png',
    mimeType: 'image/png',
    buffer: await photo.blur(4).jpeg().toBuffer(),
  });
  await page.getByLabel('What it shows').fill('A van in front of a shop');
  await page.getByRole('button', { name: 'Add the image' }).click();
  await expect(page.getByRole('status')).toContainText('Added.');
  const markdown = '![A van in front of a shop](../images/a-van.jpg)';
  await expect(page.getByText(markdown)).toBeVisible();
  await expect(page.getByText('1,600 × 1,000')).toBeVisible();

  await page.goto(`${site.url}/console/content/articles/crm-basics.md?view=text`);
  const text = page.getByLabel('The whole file as text');
  await text.fill(`${await text.inputValue()}\n${markdown}\n`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status')).toContainText('Saved.');
  await expect
    .poll(async () => (await fetch(`${site.url}/blog/crm-basics`)).text())
    .toMatch(/<img[^>]* src="\/images\/a-van\.[0-9a-f]{10}\.jpg" alt="A van in front of a shop"/);
  const html = await (await fetch(`${site.url}/blog/crm-basics`)).text();
  const [, avif = ''] = /srcset="(\/images\/a-van\.[^" ]+\.avif) /.exec(html) ?? [];
  const served = await fetch(site.url + avif);
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/avif']);

  await page.goto(`${site.url}/console/content/images/a-van.jpg`);
  await expect(page.getByText('1 file uses it, so it cannot be removed.')).toBeVisible();
  await context.close();
});

for (const [name, path] of [
  ['the list of images', ''],
  ['the page of an image', '/signpost.svg'],
] as const) {
  test(`${name} is accessible in both modes and fits every width`, async ({ page, context }) => {
    await operator.signIn(context);
    await page.goto(`${site.url}/console/content/images${path}`);
    expect(await findViolationsInBothSchemes(page)).toEqual([]);
    expect(await walkByKeyboard(page, 'forward')).toEqual([]);
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect.soft(await findOverflowOpened(page), `${width} px`).toEqual([]);
    }
  });
}
