import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { buildMedia } from '../../scripts/build/build-media.ts';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { writeManyArticles } from './many-articles.ts';

/** `drawing`: the site's own SVG files. `photo`: JPEG files of 1,600 × 1,067 pixels. */
type ImageKind = 'drawing' | 'photo';

/**
 * Converts the images and draws the sharing images of `count` articles, each with an image of its own and nothing in
 * the cache. Returns seconds of processor time over all cores.
 */
export async function measureImages(count: number, kind: ImageKind): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-media-'));
  const contentDir = path.join(folder, 'content');
  try {
    const slugs = writeManyArticles(contentDir, count);
    await writeOwnImages(contentDir, slugs, kind);
    mkdirSync(path.join(folder, 'out'));
    const before = process.cpuUsage();
    await buildMedia({
      contentDir,
      outDir: path.join(folder, 'out'),
      cacheDir: path.join(folder, 'cache'),
      manifestFile: path.join(folder, 'images.json'),
    });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000_000;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeOwnImages(contentDir: string, slugs: readonly string[], kind: ImageKind): Promise<void> {
  const sample =
    kind === 'photo'
      ? await drawPhoto()
      : readFileSync(path.join(ROOT, 'content/images/articles/automation-audit.svg'));
  const extension = kind === 'photo' ? 'jpg' : 'svg';
  for (const slug of slugs) {
    const file = path.join(contentDir, 'articles', `${slug}.md`);
    // What follows the end of a JPEG or SVG document changes its hash and nothing else.
    const own = Buffer.concat([sample, Buffer.from(`<!-- ${slug} -->`)]);
    writeFileSync(path.join(contentDir, 'images', `${slug}.${extension}`), own);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/^ {2}src: .*$/m, `  src: ../images/${slug}.${extension}`));
  }
}

/** Soft noise, which compresses about as well as a photograph. */
function drawPhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  return sharp({ create: { width: 1_600, height: 1_067, channels: 3, background: '#fff', noise } })
    .blur(6)
    .linear(3, -250)
    .jpeg({ quality: 88 })
    .toBuffer();
}
