import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { beforeEach, expect, it } from 'vitest';
import { encodeImage, readContentImages } from '../src/sources/content/content-images.ts';
import { createFolder } from './support/create-folder.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 63"><path d="M0 0h9v9z"/></svg>';
const draw = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#2454b380' } });

let content = '';
const at = (name: string) => path.join(content, 'images', name);
beforeEach(() => {
  content = createFolder();
  mkdirSync(at('team'), { recursive: true });
});

const read = () => readContentImages(content);
const readOne = async () => (await read())[0] ?? expect.unreachable('no image was read');

it('lists images of all folders by their path, and nothing else', async () => {
  writeFileSync(at('a.svg'), SVG);
  writeFileSync(at('team/Ana & Bo.SVG'), SVG);
  writeFileSync(at('notes.txt'), 'x');
  writeFileSync(at('.hidden.svg'), 'x');
  expect((await read()).map(({ path: name, copy }) => [name, copy])).toEqual([
    ['a.svg', expect.stringMatching(/^a\.[0-9a-f]{10}\.svg$/)],
    ['team/Ana & Bo.SVG', expect.stringMatching(/^ana-bo\.[0-9a-f]{10}\.svg$/)],
  ]);
});

it('reads nothing when there is no folder of images', async () => {
  rmSync(path.join(content, 'images'), { recursive: true });
  expect(await read()).toEqual([]);
});

it('gives an image another name when its content changes', async () => {
  writeFileSync(at('a.svg'), SVG);
  const before = await readOne();
  writeFileSync(at('a.svg'), SVG.replace('M0 0', 'M1 1'));
  expect((await readOne()).copy).not.toBe(before.copy);
});

it('takes the size of a photo as its camera turned it', async () => {
  await draw(40, 30).jpeg().withMetadata({ orientation: 6 }).toFile(at('a.jpg'));
  const source = await readOne();
  expect([source.image.width, source.image.height]).toEqual([30, 40]);
  const [avif] = await encodeImage(source, source.variants.slice(0, 1));
  const { width, height, orientation } = await sharp(avif?.data).metadata();
  expect([width, height, orientation]).toEqual([30, 40, undefined]);
});

it('leaves no metadata in converted files, such as where a photo was taken', async () => {
  await draw(40, 30)
    .jpeg()
    .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
    .toFile(at('a.jpg'));
  const source = await readOne();
  for (const { data } of await encodeImage(source, source.variants)) {
    expect((await sharp(data).metadata()).exif).toBeUndefined();
  }
});

it('keeps transparency: the fallback of an image with an alpha channel is a PNG', async () => {
  await draw(40, 30).png().toFile(at('a.png'));
  const source = await readOne();
  expect(source.image.src).toMatch(/\.png$/);
  for (const { data } of await encodeImage(source, source.variants)) {
    expect((await sharp(data).stats()).isOpaque).toBe(false);
  }
});

it('follows a link to another image of the folder', async () => {
  writeFileSync(at('team/a.svg'), SVG);
  symlinkSync(at('team/a.svg'), at('b.svg'));
  expect((await read()).map(({ path: name }) => name)).toEqual(['b.svg', 'team/a.svg']);
});

it.each<[string, string, () => unknown]>([
  [
    'a link to a file outside of the folder',
    'a.png is a link to a file outside of content/images/',
    async () => {
      await draw(9, 9).png().toFile(path.join(content, 'secret.png'));
      symlinkSync(path.join(content, 'secret.png'), at('a.png'));
    },
  ],
  [
    'a broken link',
    'a.png is a link to a file that does not exist',
    () => symlinkSync(at('none.png'), at('a.png')),
  ],
  ['a corrupt file', 'a.png is damaged: ', () => writeFileSync(at('a.png'), 'not an image')],
  ['an empty file', 'a.png is damaged: ', () => writeFileSync(at('a.png'), '')],
  [
    'a file with the extension of another format',
    'a.png is a file of the format jpeg, not png',
    () => draw(9, 9).jpeg().toFile(at('a.png')),
  ],
  [
    'more than 50 megapixels',
    'a.png has 60 megapixels; the limit is 50',
    () => draw(10_000, 6_000).png().toFile(at('a.png')),
  ],
  [
    'more than 20 MB',
    'a.png has 21 MB; the limit is 20 MB',
    () => {
      writeFileSync(at('a.png'), '');
      truncateSync(at('a.png'), 21_000_000);
    },
  ],
  [
    'an animation',
    'a.webp is animated: use a single frame, or a video',
    async () => {
      const frames = [draw(9, 9).png(), draw(9, 9).negate().png()];
      const images = await Promise.all(frames.map((frame) => frame.toBuffer()));
      await sharp(images, { join: { animated: true } })
        .webp()
        .toFile(at('a.webp'));
    },
  ],
  [
    'an SVG with a script',
    'a.svg has a <script> element',
    () => writeFileSync(at('a.svg'), SVG.replace('<path', '<script>1</script><path')),
  ],
])('refuses %s', async (_, message, write) => {
  await write();
  await expect(read()).rejects.toThrow(`[images] 1 image cannot be used:\n  content/images/${message}`);
});

it('reports all images that cannot be used at once', async () => {
  writeFileSync(at('a.png'), 'x');
  writeFileSync(at('b.svg'), 'x');
  await expect(read()).rejects.toThrow(
    /2 images cannot be used:\n {2}content\/images\/a\.png is damaged.*\n {2}content\/images\/b\.svg is not an SVG document/,
  );
});
