/** @module-tag rest */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { buildMedia } from '../scripts/build/build-media.ts';
import { createImageManifestReader } from '../src/content-files/content-folder.ts';
import { drawIcon } from '../src/content-files/drawn/brand-icons.ts';
import { copyContent } from './support/content-copy.ts';

let root = '';
const at = (...parts: string[]) => path.join(root, ...parts);
const build = () =>
  buildMedia({
    contentDir: at('content'),
    outDir: at('out'),
    cacheDir: at('cache'),
    manifestFile: at('images.json'),
  });
const list = (folder: string) => readdir(at('out', folder), { recursive: true });
const readCatalog = () => createImageManifestReader(at('images.json'))();

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'signpost-media-'));
  copyContent(at('content'), {
    'articles/crm-basics.md': (text) =>
      text.replace('../images/articles/crm-basics.svg', '../images/photo.jpg'),
  });
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const photo = sharp({ create: { width: 1300, height: 700, channels: 3, background: '#fff', noise } }).blur(
    5,
  );
  await photo.jpeg().toFile(at('content/images/photo.jpg'));
  await build();
});
afterAll(() => rm(root, { recursive: true, force: true }));

it('copies drawings under a name with the hash of their content', async () => {
  const image = readCatalog().images.get('articles/webinar-funnel-math.svg');
  expect(image).toEqual({
    src: expect.stringMatching(/^\/images\/webinar-funnel-math\.[0-9a-f]{10}\.svg$/),
    width: 1200,
    height: 630,
    sources: [],
  });
  expect(await readFile(at('out', image?.src ?? ''), 'utf8')).toBe(
    await readFile(at('content/images/articles/webinar-funnel-math.svg'), 'utf8'),
  );
});

it('converts a photo to AVIF and WebP in every width below its own, and to one JPEG', async () => {
  const image = readCatalog().images.get('photo.jpg');
  expect([image?.width, image?.height, image?.sources.map(({ type }) => type)]).toEqual([
    1300,
    700,
    ['image/avif', 'image/webp'],
  ]);
  for (const { type, srcset } of image?.sources ?? []) {
    const candidates = srcset.split(', ').map((candidate) => candidate.split(' '));
    expect(candidates.map(([, width]) => width)).toEqual(['480w', '800w', '1200w', '1300w']);
    for (const [src = '', width = ''] of candidates) {
      const { format, ...size } = await sharp(at('out', src)).metadata();
      expect([`image/${format}`.replace('heif', 'avif'), size.width]).toEqual([
        type,
        Number.parseInt(width, 10),
      ]);
    }
  }
  const fallback = await sharp(at('out', image?.src ?? '')).metadata();
  expect([fallback.format, fallback.width, fallback.height]).toEqual(['jpeg', 1200, 646]);
});

it('draws a sharing image of 1,200 × 630 pixels and at most 60 kB for every page and for every article with an image', async () => {
  const names = await list('og');
  expect(names).toEqual(
    expect.arrayContaining(['default.png', 'home.png', 'blog.png', 'blog/crm-basics.png']),
  );
  for (const name of names.filter((one) => one.endsWith('.png') && !one.startsWith('blog/crm-basics.'))) {
    const file = await readFile(at('out/og', name));
    const { format, width, height } = await sharp(file).metadata();
    expect([format, width, height]).toEqual(['png', 1200, 630]);
    expect(file.length, name).toBeLessThan(60_000);
  }
});

it('converts and draws nothing twice', async () => {
  await build();
  expect(await build()).toEqual({ images: 0, og: 0 });
});

it('converts an image again that was lost from the cache', async () => {
  await build();
  const [name = ''] = (await readdir(at('cache/files'))).filter((one) => one.endsWith('.avif'));
  await rm(at('cache/files', name));
  expect(await build()).toEqual({ images: 1, og: 0 });
});

it('gives a changed image new names, and draws its sharing image again', async () => {
  await build();
  const before = readCatalog().images.get('photo.jpg')?.src ?? '';
  await sharp(at('content/images/photo.jpg')).flip().jpeg().toFile(at('flipped.jpg'));
  await writeFile(at('content/images/photo.jpg'), await readFile(at('flipped.jpg')));
  expect(await build()).toEqual({ images: 1, og: 1 });
  const after = readCatalog().images.get('photo.jpg')?.src ?? '';
  expect(after).not.toBe(before);
  expect(await list('images')).toContain(path.basename(after));
  expect((await readdir(at('cache/files'))).filter((name) => name.startsWith('photo.'))).toHaveLength(9);
});

it('names the image that cannot be decoded', async () => {
  const photo = await readFile(at('content/images/photo.jpg'));
  await writeFile(at('content/images/half.jpg'), photo.subarray(0, photo.length / 2));
  await expect(build()).rejects.toThrow(/content\/images\/half\.jpg is damaged: /);
  await rm(at('content/images/half.jpg'));
});

/** Damages a file of the content until the end of the test. */
async function damage(name: string, change: (text: string) => string | Uint8Array): Promise<void> {
  const whole = await readFile(at('content', name), 'utf8');
  onTestFinished(() => writeFile(at('content', name), whole));
  await writeFile(at('content', name), change(whole));
}

const ARTICLE = 'articles/agency-retainer-pricing-crm.md';
it.each([
  ['an article that is invalid', ARTICLE, (text: string) => text.replace(/^title: .*/m, 'title: [broken')],
  ['an article that is not UTF-8', ARTICLE, () => Buffer.from([0xff, 0xfe, 0xfd])],
  ['a page that is invalid', 'pages/terms.yaml', () => 'title: [broken'],
  ['an author who is invalid', 'authors/editorial-desk.yaml', () => 'name: [broken'],
])('leaves out %s', async (_, name, change) => {
  await damage(name, change);
  expect(await build()).toMatchObject({ images: 0 });
});

it('leaves out a folder that is named like an article', async () => {
  const folder = at('content/articles/folder.md');
  await mkdir(folder);
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(await build()).toMatchObject({ images: 0 });
});

it.each(['site.yaml', 'products/kit.yaml'])('names %s, without which there is no site', async (name) => {
  await damage(name, () => 'name: [broken');
  await expect(build()).rejects.toThrow(name);
});

it('draws the icons of home screens with the favicon of the brand, or with its accent', async () => {
  const square =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#f00" d="M0 0h8v8H0z"/></svg>';
  await writeFile(at('content/images/favicon.svg'), square);
  await writeFile(at('content/brand.yaml'), 'favicon: ../images/favicon.svg');
  await build();
  expect(await readIcon('out')).toEqual(['fbf9f4', 'ff0000']);
  expect(await sharp(at('out/apple-touch-icon.png')).metadata()).toMatchObject({ width: 180, height: 180 });
  await mkdir(at('tiles/icons'), { recursive: true });
  const tile = 'icons/maskable-192.png';
  await writeFile(at('tiles', tile), await drawIcon(tile, { accent: '#8a1c4a' }));
  expect((await readIcon('tiles'))[0]).toBe('8a1c4a');
});

/** Colors of a corner and of the middle. */
async function readIcon(folder: string): Promise<string[]> {
  const icon = sharp(at(folder, 'icons/maskable-192.png')).removeAlpha();
  const { data, info } = await icon.raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([192, 192]);
  const middle = 3 * (96 * 192 + 96);
  return [data.subarray(0, 3), data.subarray(middle, middle + 3)].map((pixel) => pixel.toString('hex'));
}
