import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { renderAsync } from '@resvg/resvg-js';
import sharp from 'sharp';
import { mapBounded } from '../../../src/content-files/check-image.ts';
import { buildMediaKey, type MediaCache, removeStale } from './media-cache.ts';
import { buildOgCard, type OgItem, type OgSite, readPrint } from './og-card.ts';
import type { OgFont } from './og-font.ts';

/** Changes when the same SVG shall give another file. */
const RECIPE = 'og 2';
const COPIES = 16;
/** Flat colors and text need few; a photograph needs all that a palette can have. */
const COLORS = { drawing: 64, photograph: 256 };

/**
 * Writes `{name}.png` (1,200 × 630) for every item into a folder, from the cache where it has it, and removes other
 * files there. Returns how many were drawn.
 */
export async function buildOgImages(options: {
  readonly items: readonly OgItem[];
  readonly site: OgSite;
  readonly outDir: string;
  readonly cache: MediaCache;
  readonly font: OgFont;
}): Promise<number> {
  const { items, site, outDir, cache, font } = options;
  const fontNames = font.files.map((file) => path.basename(file));
  const cards = items.map((item) => {
    // The key of the image stands for its content, which is read only for cards that are drawn.
    const svg = buildOgCard(item, site, font, item.image?.source.key ?? null);
    const cached = `${buildMediaKey(svg + JSON.stringify([fontNames, item.image?.focus ?? null]), RECIPE)}.png`;
    return { item, cached, isCached: cache.has(cached) };
  });
  const missing = [
    ...new Map(cards.filter(({ isCached }) => !isCached).map((card) => [card.cached, card])).values(),
  ];
  await mapBounded(missing, availableParallelism(), async ({ item, cached }) => {
    await cache.put(cached, await renderCard(item, site, font));
  });
  const folders = new Set(items.map(({ name }) => path.dirname(path.join(outDir, name))));
  await Promise.all([...folders, outDir].map((folder) => mkdir(folder, { recursive: true })));
  await mapBounded(cards, COPIES, ({ item, cached }) =>
    cache.copy(cached, path.join(outDir, `${item.name}.png`)),
  );
  await removeStale(outDir, new Set(items.map(({ name }) => `${name}.png`)));
  return missing.length;
}

async function renderCard(item: OgItem, site: OgSite, font: OgFont): Promise<Buffer> {
  const svg = buildOgCard(item, site, font, item.image ? await readPrint(item.image) : null);
  const text = item.title + item.kicker + site.name;
  const isForeign = [...text].some((character) => font.advance(character) === undefined);
  const card = await renderAsync(svg, {
    // System fonts are read only for scripts that the display font lacks: reading them takes longer than drawing.
    font: { fontFiles: [...font.files], loadSystemFonts: isForeign, defaultFontFamily: font.family },
  });
  const isPhotograph = item.image !== undefined && item.image.source.copy === null;
  const colours = isPhotograph ? COLORS.photograph : COLORS.drawing;
  return sharp(card.pixels, { raw: { width: card.width, height: card.height, channels: 4 } })
    .removeAlpha()
    .png({ palette: true, colours, dither: isPhotograph ? 1 : 0, effort: 1, compressionLevel: 9 })
    .toBuffer();
}
