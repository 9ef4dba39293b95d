import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import subsetFont from 'subset-font';
import { expect, openFile, readContent, site, test, writeContent } from '../support/editor-test.ts';
import { buildOwnFont } from '../support/own-font.ts';

const PRODUCT_FILE = 'products/gaggia.yaml';

const picture = async (name: string, color: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 300, height: 300, channels: 3, background: color } })
    .png()
    .toBuffer(),
});

test('a product is made in one screen: name, shop, price, address, picture and the day', async ({ page }) => {
  await page.goto(`${site.url}/console/content/new?kind=product`);
  await page.getByLabel('Name of the product').fill('Gaggia');
  await page.getByRole('button', { name: 'Create the draft' }).click();
  await expect(page).toHaveURL(new RegExp(PRODUCT_FILE));
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Gaggia');
  await page.getByRole('combobox', { name: 'Shop' }).selectOption({ index: 1 });
  await page.getByRole('textbox', { name: 'Price' }).fill('449.50');
  await page.getByRole('textbox', { name: 'Address' }).fill('https://shop.example/gaggia');
  await page.getByRole('button', { name: 'I looked today' }).click();
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload Picture' }).click();
  await (await chosen).setFiles(await picture('Gaggia.png', '#753'));
  await expect(page.getByRole('combobox', { name: 'Picture' })).toHaveValue(/gaggia.*\.png$/);
  await expect(page.getByRole('textbox', { name: 'What the picture shows' })).toBeFocused();
  await page.getByRole('textbox', { name: 'What the picture shows' }).fill('A machine');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.locator('[data-editor-state]')).toContainText('Saved. It is a draft');
  const text = readContent(PRODUCT_FILE);
  expect(text).toMatch(/price: 449.5\n.* {4}source: shop\n/s);
  expect(text).toMatch(
    /shop:\n {4}title: Product page\n {4}href: https:\/\/shop.example\/gaggia\n {4}checked: \d{4}-\d\d-\d\d\n {4}read: opened\n/,
  );
  expect(text).toContain('# Every field');
});

test('the brand gets a logo by drop and a color by swatch, each seen at once', async ({ page }) => {
  const before = readContent('brand.yaml');
  await page.setViewportSize({ width: 1440, height: 900 });
  await openFile(page, 'brand.yaml');
  const shown = page.frameLocator('.editor-frame:not([data-loading])');
  await expect(shown.locator('main')).toBeVisible();
  const { name, mimeType, buffer } = await picture('Mark.png', '#a0f');
  const dropped = await page.evaluateHandle(
    ([title, type, data]) => {
      const files = new DataTransfer();
      files.items.add(new File([Uint8Array.from(atob(data), (one) => one.charCodeAt(0))], title, { type }));
      return files;
    },
    [name, mimeType, buffer.toString('base64')] as const,
  );
  await page.getByRole('combobox', { name: 'Logo' }).dispatchEvent('drop', { dataTransfer: dropped });
  await page.getByRole('textbox', { name: 'What the logo shows' }).fill('A square');
  await expect(shown.locator('header img').first()).toBeVisible();
  await page.getByLabel('Pick: Accent').fill('#7a1f6b');
  await expect(page.getByText(/Accent .*: \d.*:1, readable/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.locator('[data-editor-state]')).toContainText('Saved.');
  const text = readContent('brand.yaml');
  expect(text).toMatch(/logo:\n {2}src: \.\.\/images\/mark.*\.png\n {2}alt: A square\n/);
  expect(text).toMatch(/^colors:\n {2}accent: "#7a1f6b"\n/m);
  expect(text).toContain('# How the site looks.');
  writeContent('brand.yaml', before);
});

test('a typeface is uploaded, as WOFF2 or TrueType; what is refused says why and loses nothing', async ({
  page,
}) => {
  const before = readContent('brand.yaml');
  await openFile(page, 'brand.yaml');
  const field = page.getByRole('textbox', { name: 'Typeface of headings and totals: your file' });
  await page.getByRole('combobox', { name: 'Typeface of headings and totals' }).selectOption('own');
  const drop = async (name: string, bytes: Buffer) => {
    const dropped = await page.evaluateHandle(
      ([title, data]) => {
        const files = new DataTransfer();
        files.items.add(new File([Uint8Array.from(atob(data), (one) => one.charCodeAt(0))], title));
        return files;
      },
      [name, bytes.toString('base64')] as const,
    );
    await field.dispatchEvent('drop', { dataTransfer: dropped });
  };
  const own = await buildOwnFont();
  const plain = await subsetFont(await buildOwnFont({ weight: 600 }), '', {
    keepAllGlyphs: true,
    targetFormat: 'sfnt',
  });
  const shown = page.frameLocator('.editor-frame:not([data-loading])');
  const listFonts = () =>
    shown.locator('body').evaluate(() => [...document.fonts].map((one) => `${one.family} ${one.status}`));
  await drop('My Font.woff2', own);
  await expect(field).toHaveValue('../fonts/my-font.woff2');
  await drop('My Font.woff2', own);
  await drop('Damaged.woff2', own.subarray(0, 9_000));
  await expect(page.getByText('The file is damaged, or is a collection of fonts.')).toBeVisible();
  await expect(field).toHaveValue('../fonts/my-font.woff2');
  await drop('Large.ttf', Buffer.concat([plain, Buffer.alloc(5_000_000)]));
  await expect(page.getByText(/The file has 5\d{3} kB; the limit is 100 kB/)).toBeVisible();
  await drop('Half.ttf', plain.subarray(0, 3_000));
  await expect(page.getByText('The file is damaged, or is a collection of fonts.')).toBeVisible();
  await drop('Words.ttf', Buffer.from('These are words.'));
  await expect(page.getByText('The file is not in the WOFF2 format')).toBeVisible();
  await expect(field).toHaveValue('../fonts/my-font.woff2');
  const show = async (name: string) => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.locator('[data-editor-state]')).toContainText('Saved.');
    expect(readContent('brand.yaml')).toContain(`displayFont: ../fonts/${name}.woff2`);
    await expect(async () => {
      const home = await page.request.get(site.url);
      const [, address = ''] = /url\("(\/fonts\/brand\.[^"]+)"\)/.exec(await home.text()) ?? [];
      const served = await (await page.request.get(site.url + address)).body();
      // A list of what differs in 22 kB takes minutes.
      expect(served.equals(readFileSync(path.join(site.contentDir, `fonts/${name}.woff2`)))).toBe(true);
    }).toPass();
  };
  await show('my-font');
  expect(readFileSync(path.join(site.contentDir, 'fonts/my-font.woff2')).equals(own)).toBe(true);
  await drop('Other.ttf', plain);
  await expect(field).toHaveValue('../fonts/other.woff2');
  await show('other');
  await page.reload();
  await expect.poll(listFonts).toContain('Brand loaded');
  writeContent('brand.yaml', before);
});

test('two people who change a brand lose no word, and what is wrong stands at its field', async ({
  page,
}) => {
  const before = readContent('brand.yaml');
  await openFile(page, 'brand.yaml');
  await page.getByRole('textbox', { name: /^Accent/ }).fill('blue');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Colors › Accent: must be a color' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: /^Accent/ })).toHaveAttribute('aria-invalid');
  await page.getByRole('textbox', { name: /^Accent/ }).fill('#123456');
  writeContent('brand.yaml', `${before}look: bench\n`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.locator('[data-editor-state]')).toContainText('Joined with a change on the server.');
  await expect(page.getByRole('textbox', { name: /^Accent/ })).toHaveValue('#123456');
  const joined = readContent('brand.yaml');
  expect(joined).toMatch(/^colors:\n {2}accent: "#123456"$/m);
  expect(joined).toMatch(/^look: bench$/m);
  // The same field is for a person to compare.
  await page.getByRole('textbox', { name: /^Accent/ }).fill('#234567');
  writeContent('brand.yaml', joined.replace('123456', '345678'));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Changed on the server while you were writing').first()).toBeVisible();
  await expect(page.getByRole('textbox', { name: /^Accent/ })).toHaveValue('#234567');
  expect(readContent('brand.yaml')).toBe(joined.replace('123456', '345678'));
  writeContent('brand.yaml', before);
});
