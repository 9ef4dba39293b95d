import { copyFile, mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { encodeImage, mapBounded, type SourceImage } from '../../../src/content-files/check-image.ts';
import { type MediaCache, removeStale } from './media-cache.ts';

/** Copies that run at a time. */
const COPIES = 16;

/**
 * Writes the variants of all images into a folder, from the cache where it has them, and removes other files there.
 * Returns how many images were converted. Throws `ImageFilesError` when an image cannot be decoded.
 */
export async function buildImages(
  images: readonly SourceImage[],
  { outDir, cache }: { readonly outDir: string; readonly cache: MediaCache },
): Promise<number> {
  await mkdir(outDir, { recursive: true });
  const missing = images.filter(
    ({ variants }) => !variants.map(({ name }) => cache.has(name)).every(Boolean),
  );
  await mapBounded(missing, availableParallelism(), async (source) => {
    for (const { name, data } of await encodeImage(source, source.variants)) await cache.put(name, data);
  });
  const names = new Set(images.flatMap(({ variants }) => variants.map(({ name }) => name)));
  await mapBounded([...names], COPIES, (name) => cache.copy(name, path.join(outDir, name)));
  const copies = new Map(images.flatMap(({ copy, file }) => (copy === null ? [] : [[copy, file]])));
  await mapBounded([...copies], COPIES, ([name, file]) => copyFile(file, path.join(outDir, name)));
  await removeStale(outDir, new Set([...names, ...copies.keys()]));
  return missing.length;
}
