/** @module-tag rest */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import subsetFont from 'subset-font';
import { beforeEach, expect, it } from 'vitest';
import { checkContent } from '../scripts/build/check-content.ts';
import { buildBrandFontStyles, prepareFont, readBrandFont } from '../src/content-files/drawn/brand-font.ts';
import { buildOgCard } from '../src/content-files/drawn/og-card.ts';
import { openOgFont } from '../src/content-files/drawn/og-font.ts';
import { copyContent } from './support/content-copy.ts';
import { createFolder } from './support/create-folder.ts';
import { buildOwnFont } from './support/own-font.ts';

let root = '';
const content = () => path.join(root, 'content');
const nameFont = (font: string) =>
  copyContent(content(), {
    'brand.yaml': (text) => text.replace('displayFont: bricolage', `displayFont: ${font}`),
  });

beforeEach(() => {
  root = createFolder();
});

async function useFont(data: Buffer): Promise<void> {
  nameFont('../fonts/own.woff2');
  await mkdir(path.join(content(), 'fonts'));
  await writeFile(path.join(content(), 'fonts/own.woff2'), data);
}

it.each(['bricolage', 'system'])('reads no file for %s', async (font) => {
  nameFont(font);
  expect(await readBrandFont(content())).toBeNull();
});

it('declares an own font in its weights, without a swap, and with fallbacks of its size', async () => {
  await useFont(await buildOwnFont());
  expect(await checkContent(content())).toBeNull();
  const font = await readBrandFont(content());
  const styles = font && buildBrandFontStyles(font, '../own.woff2');
  expect(styles).toMatch(/url\("\.\.\/own\.woff2"\)[^}]*font-weight: 400 700;[^}]*font-display: optional/);
  // Narrower than Arial.
  expect(Number(/size-adjust: ([\d.]+)%/.exec(styles ?? '')?.[1])).toBeLessThan(95);
  expect(styles).toContain('--font-display: "Brand", "Brand Fallback", "Brand Fallback Roboto", system-ui');
});

it('lets no browser draw a font of one weight bold a second time', async () => {
  await useFont(await buildOwnFont({ weight: 400 }));
  expect(await readBrandFont(content())).toMatchObject({ weights: '1 1000' });
});

it('draws sharing images with the own font', async () => {
  await useFont(await buildOwnFont());
  const font = await prepareFont(content(), root);
  const own = await openOgFont([path.join(root, font?.heading ?? '')]);
  expect(font?.address).toMatch(/^\/fonts\/brand\.[0-9a-f]{10}\.woff2$/);
  expect(own.advance('m')).toBeLessThan(1);
  const card = buildOgCard({ title: 'Title', kicker: '' }, { name: 'A' }, own, null);
  expect(card).toContain(`font-family="${own.family}, sans-serif"`);
});

it.each<[string, () => Promise<Buffer>, RegExp]>([
  [
    'a font with another ending',
    async () => subsetFont(await buildOwnFont(), '', { keepAllGlyphs: true, targetFormat: 'sfnt' }),
    /is not in the WOFF2 format: convert it/,
  ],
  ['half a file', async () => (await buildOwnFont()).subarray(0, 9_000), /is damaged/],
  ['a font without figures', () => buildOwnFont({ characters: 'ABCabc' }), /lacks the characters D E F/],
  [
    'a font of 120 kB',
    async () => Buffer.concat([await buildOwnFont(), Buffer.alloc(110_000)]),
    /has 1\d\d kB; the limit is 100 kB/,
  ],
])('refuses %s', async (_what, build, reason) => {
  await useFont(await build());
  const problem = await checkContent(content());
  expect(problem).toContain('content/brand.yaml, field displayFont: names content/fonts/own.woff2, which ');
  expect(problem).toMatch(reason);
});

it('refuses a file that is missing, a link out of the folder, and what is no font file', {
  tags: ['rest'],
}, async () => {
  nameFont('../fonts/own.woff2');
  expect(await checkContent(content())).toMatch(/content\/fonts\/own\.woff2, which does not exist/);
  await mkdir(path.join(content(), 'fonts'));
  await writeFile(path.join(root, 'elsewhere.woff2'), await buildOwnFont());
  await symlink(path.join(root, 'elsewhere.woff2'), path.join(content(), 'fonts/own.woff2'));
  expect(await checkContent(content())).toMatch(/which is a link out of content/);
  for (const font of ['../fonts/own.ttf', '../../own.woff2', '"https://x.example/a.woff2"', 'comic']) {
    nameFont(font);
    expect(await checkContent(content())).toMatch(
      /displayFont: must be bricolage, system, or a font of your own/,
    );
  }
});
