import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { renderAsync } from '@resvg/resvg-js';
import sharp from 'sharp';
import { chooseEffort, type Effort } from './effort.ts';
import { mapBounded } from './map-bounded.ts';
import { buildMediaKey, type MediaCache, removeStale } from './media-cache.ts';
import { type OgFont, openOgFont } from './og-font.ts';
import { buildOgImage } from './og-image.ts';
import type { OgItem } from './og-item.ts';

/** Changes when the same SVG shall give another file. */
const OG_RECIPE = 'og 1: 64 colours';

/** Bytes up to which an image of a large build keeps all its colours: choosing 64 takes most of the time. */
const PLAIN_LIMIT = 60_000;

async function renderOgImage(svg: string, text: string, font: OgFont, effort: Effort): Promise<Buffer> {
  const isForeign = [...text].some((character) => font.advance(character) === undefined);
  const image = await renderAsync(svg, {
    // The system's faces are read only for scripts that the display face lacks: it takes longer than drawing.
    font: { fontFiles: [...font.files], loadSystemFonts: isForeign, defaultFontFamily: font.family },
  });
  const raw = { width: image.width, height: image.height, channels: 4 } as const;
  const open = () => sharp(image.pixels, { raw }).removeAlpha();
  if (effort === 'fast') {
    const plain = await open().png().toBuffer();
    if (plain.length <= PLAIN_LIMIT) return plain;
  }
  return open().png({ palette: true, colours: 64, dither: 0, effort: 1, compressionLevel: 9 }).toBuffer();
}

/**
 * Writes `{name}.png` (1,200 by 630) for every item into a folder, from the cache where it can, and removes
 * what does not belong there. Answers how many were drawn.
 */
export async function buildOgImages(options: {
  readonly items: readonly OgItem[];
  readonly siteName: string;
  readonly outDir: string;
  readonly cache: MediaCache;
  /** Where the font is kept between builds. */
  readonly fontDir: string;
}): Promise<number> {
  const { items, siteName, outDir, cache, fontDir } = options;
  const font = await openOgFont(fontDir);
  const images = items.map((item) => {
    const svg = buildOgImage(item, siteName, font);
    const kept = `${buildMediaKey(svg, OG_RECIPE)}.png`;
    return { item, svg, kept, isKept: cache.has(kept) };
  });
  const missing = [...new Map(images.filter(({ isKept }) => !isKept).map((one) => [one.kept, one])).values()];
  const effort = chooseEffort(missing.length);
  await mapBounded(missing, availableParallelism(), async ({ item, svg, kept }) => {
    await cache.put(kept, await renderOgImage(svg, item.title + item.kicker + siteName, font, effort));
  });
  const folders = new Set(items.map(({ name }) => path.dirname(path.join(outDir, name))));
  await Promise.all([...folders, outDir].map((folder) => mkdir(folder, { recursive: true })));
  await mapBounded(images, 16, ({ item, kept }) => cache.copy(kept, path.join(outDir, `${item.name}.png`)));
  await removeStale(outDir, new Set(items.map(({ name }) => `${name}.png`)));
  return missing.length;
}
