import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { type ArtSpec, buildArt } from '../art/build-art.ts';
import { chooseEffort } from './effort.ts';
import { ART_FORMATS, ART_RECIPE, ART_WIDTHS, encodeArt } from './encode-art.ts';
import { mapBounded } from './map-bounded.ts';
import { buildMediaKey, type MediaCache, removeStale } from './media-cache.ts';

const VARIANTS = ART_WIDTHS.flatMap((width) => ART_FORMATS.map((format) => `-${width}.${format}`));

/**
 * Writes `{seed}-{width}.{format}` of every picture into a folder, from the cache where it can, and removes
 * what does not belong there. Answers how many were drawn.
 */
export async function buildArticleArt(
  specs: readonly ArtSpec[],
  { outDir, cache }: { readonly outDir: string; readonly cache: MediaCache },
): Promise<number> {
  await mkdir(outDir, { recursive: true });
  const pictures = specs.map((spec) => {
    const svg = buildArt(spec);
    const key = buildMediaKey(svg, ART_RECIPE);
    const isKept = VARIANTS.map((variant) => cache.has(key + variant)).every(Boolean);
    return { seed: spec.seed, svg, key, isKept };
  });
  const missing = [
    ...new Map(pictures.filter(({ isKept }) => !isKept).map((one) => [one.key, one])).values(),
  ];
  const effort = chooseEffort(missing.length);
  await mapBounded(missing, availableParallelism(), async ({ svg, key }) => {
    for (const { width, format, data } of await encodeArt(svg, effort)) {
      await cache.put(`${key}-${width}.${format}`, data);
    }
  });
  const files = pictures.flatMap(({ seed, key }) =>
    VARIANTS.map((variant) => ({ kept: key + variant, name: seed + variant })),
  );
  await mapBounded(files, 16, ({ kept, name }) => cache.copy(kept, path.join(outDir, name)));
  await removeStale(outDir, new Set(files.map(({ name }) => name)));
  return missing.length;
}
