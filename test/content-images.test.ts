import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { beforeEach, expect, it } from 'vitest';
import { encodeImage, prepareImage, readContentImages } from '../src/content-files/check-image.ts';
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

const prepare = async (content: Uint8Array, wanted: string | null = null) => {
  const prepared = await prepareImage(content, wanted);
  return 'reason' in prepared ? expect.unreachable(prepared.reason) : prepared;
};

it('writes a photo that was sent without metadata, turned as its camera meant, and without what follows it', async () => {
  const photo = await draw(40, 30)
    .jpeg()
    .withExif({ IFD0: { Make: 'camera' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const polyglot = Buffer.concat([photo, Buffer.from('PK\u0003\u0004<script>alert(1)</script>')]);
  const { content, extension } = await prepare(polyglot);
  const { width, height, orientation, exif, icc, xmp } = await sharp(content).metadata();
  expect([extension, width, height, orientation, exif, icc, xmp]).toEqual(['jpg', 30, 40, ...Array(4)]);
  expect(Buffer.from(content).includes('script')).toBe(false);
});

it.each([
  ['png', () => draw(9, 9).png(), 'png'],
  ['webp', () => draw(9, 9).webp(), 'webp'],
  ['avif', () => draw(9, 9).avif({ effort: 0 }), 'avif'],
  ['gif', () => draw(9, 9).gif(), 'png'],
] as const)('finds by its content that a file is %s', async (_, write, expected) => {
  const { content, extension } = await prepare(await write().toBuffer());
  expect(extension).toBe(expected);
  expect((await sharp(content).metadata()).width).toBe(9);
});

it('gives a replacement the format of what it replaces, and reduces what is larger than it is ever shown', async () => {
  const { content, extension } = await prepare(await draw(4_000, 10).png().toBuffer(), 'jpg');
  const { format, width } = await sharp(content).metadata();
  expect([extension, format, width]).toEqual(['jpg', 'jpeg', 3_200]);
});

/** A PNG that says how large it is, and has nothing of it. */
function declarePng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const bomb = deflateSync(Buffer.alloc(10_000_000));
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', bomb), chunk('IEND', Buffer.alloc(0))]);
}

it.each<[string, RegExp, () => Buffer | Promise<Buffer>]>([
  [
    'pixels that would fill the memory',
    /^has 3600 megapixels; the limit is 50$/,
    () => declarePng(60_000, 60_000),
  ],
  ['pixels that are promised and missing', /^is damaged: /, () => declarePng(7_000, 7_000)],
  [
    'thousands of frames',
    /^is animated/,
    async () => {
      const frame = await draw(1, 1).gif().toBuffer();
      // Everything between the header and the last byte is a frame.
      const start = frame.indexOf(0x21);
      return Buffer.concat([
        frame.subarray(0, start),
        ...Array.from({ length: 5_000 }, () => frame.subarray(start, -1)),
        frame.subarray(-1),
      ]);
    },
  ],
  ['a page of HTML', /^is not a JPEG/, () => Buffer.from('<html><script>alert(1)</script>')],
  [
    'HTML behind the first bytes of a GIF',
    /^is damaged: /,
    () => Buffer.from('GIF89a<script>alert(1)</script>'),
  ],
  ['a TIFF', /^is not a JPEG/, () => draw(9, 9).tiff().toBuffer()],
  ['a PDF', /^is not a JPEG/, () => Buffer.from('%PDF-1.7')],
  ['nothing', /^is not a JPEG/, () => Buffer.alloc(0)],
  ['an SVG of 6 MB', /^is an SVG drawing of more than 5 MB$/, () => Buffer.from(SVG.padEnd(6_000_000))],
])('refuses to prepare %s', async (_, reason, write) => {
  expect(await prepareImage(await write(), null)).toEqual({ reason: expect.stringMatching(reason) });
});

it('does not put a drawing in the place of a photo, or a photo in that of a drawing', async () => {
  expect(await prepareImage(Buffer.from(SVG), 'png')).toEqual({ reason: expect.stringContaining('SVG') });
  expect(await prepareImage(await draw(9, 9).png().toBuffer(), 'svg')).toEqual({
    reason: 'is not an SVG drawing, as the other is',
  });
});
