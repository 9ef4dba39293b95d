import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildArticleArt } from '../scripts/media/build-article-art.ts';
import { buildOgImages } from '../scripts/media/build-og-images.ts';
import { openMediaCache } from '../scripts/media/media-cache.ts';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'signpost-media-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const spec = (seed: string) => ({ motif: 'bars', values: [450, 297, 96], seed }) as const;
const draw = async (...seeds: string[]) => {
  const cache = await openMediaCache(path.join(dir, 'cache'));
  const drawn = await buildArticleArt(seeds.map(spec), { outDir: path.join(dir, 'art'), cache });
  await cache.prune();
  return drawn;
};

describe('the build of pictures', { timeout: 60_000 }, () => {
  it('writes three widths in two formats, and draws nothing twice', async () => {
    expect(await draw('one', 'two')).toBe(2);
    const names = ['one', 'two'].flatMap((slug) =>
      ['1200.avif', '1200.webp', '480.avif', '480.webp', '800.avif', '800.webp'].map(
        (end) => `${slug}-${end}`,
      ),
    );
    expect((await readdir(path.join(dir, 'art'))).sort()).toEqual(names);
    expect(await draw('one', 'two')).toBe(0);
    const picture = await sharp(path.join(dir, 'art', 'one-800.webp')).metadata();
    expect([picture.format, picture.width, picture.height]).toEqual(['webp', 800, 420]);
    const small = await sharp(path.join(dir, 'art', 'one-480.avif')).metadata();
    expect([small.format, small.width, small.height]).toEqual(['heif', 480, 252]);
  });

  it('removes the pictures of an article that is gone, their precompressed copies and their cache', async () => {
    await writeFile(path.join(dir, 'art', 'two-480.avif.br'), 'x');
    expect(await draw('one')).toBe(0);
    expect((await readdir(path.join(dir, 'art'))).every((name) => name.startsWith('one-'))).toBe(true);
    expect(await readdir(path.join(dir, 'cache'))).toHaveLength(6);
  });

  it('draws again what was lost from the cache', async () => {
    const kept = await readdir(path.join(dir, 'cache'));
    await rm(path.join(dir, 'cache', kept[0] ?? ''));
    expect(await draw('one')).toBe(1);
  });

  it('draws sharing images of the right size and weight, and other scripts too', async () => {
    const build = async () => {
      const cache = await openMediaCache(path.join(dir, 'og-cache'));
      return buildOgImages({
        items: [
          { name: 'default', title: 'Proven strategies', kicker: '' },
          {
            name: 'blog/long',
            title: 'Ein sehr langer Titel über Zahlen & Größen: 料金 '.repeat(6),
            kicker: 'Žižkov',
          },
        ],
        siteName: 'CRM & Automation Hub',
        outDir: path.join(dir, 'og'),
        cache,
        fontDir: path.join(dir, 'font'),
      });
    };
    expect(await build()).toBe(2);
    expect(await build()).toBe(0);
    for (const name of ['default.png', 'blog/long.png']) {
      const file = await readFile(path.join(dir, 'og', name));
      const { format, width, height } = await sharp(file).metadata();
      expect([format, width, height]).toEqual(['png', 1200, 630]);
      expect(file.length).toBeLessThan(60_000);
    }
  });
});
