// The program of the thread in which images are decoded and converted.
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import sharp from 'sharp';
import { storeWhole } from '../stores/disk.ts';
import { encodeImage, findMemoryProblem, prepareImage, readImage } from './check-image.ts';
import type { ConvertedImage, ConvertJob, ImageJob, ImageThreadReply } from './image-thread.ts';

// One image at a time on one core, so that visitors have the others.
sharp.concurrency(1);
sharp.cache(false);

parentPort?.on('message', (job: ImageJob) => {
  void work(job).then((reply) => parentPort?.postMessage(reply));
});

async function work(job: ImageJob): Promise<ImageThreadReply> {
  try {
    if (job.kind === 'convert') return { result: await convert(job) };
    if (job.kind === 'prepare' && job.extension === 'woff2') {
      const { readSentFont } = await import('./drawn/brand-font.ts');
      return { result: await readSentFont(job.content) };
    }
    if (job.kind === 'prepare') return { result: await prepareImage(job.content, job.extension, job.area) };
    // The libraries of these are loaded when something is drawn.
    if (job.kind === 'font') {
      const { prepareFont } = await import('./drawn/brand-font.ts');
      return { result: await prepareFont(job.contentDir, job.converted) };
    }
    const { draw } = await import('./drawn/draw.ts');
    await storeWhole(job.target, await draw(job.drawing, job.source, job.fonts));
    return { result: null };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
    return { failure: error instanceof Error ? error.message : String(error), code };
  }
}

/** Writes the files of an image that are in neither folder. */
async function convert({ source: root, name, built, converted }: ConvertJob): Promise<ConvertedImage> {
  // Read once: the file may be replaced while it is converted.
  const content = await readFile(path.join(root, name));
  const source = await readImage(root, name, content);
  if ('reason' in source) return { reason: source.reason };
  const isMissing = (file: string) =>
    [built, converted].every((folder) => !statSync(path.join(folder, file), { throwIfNoEntry: false })?.size);
  const missing = source.variants.filter((variant) => isMissing(variant.name));
  const scarce = missing.length === 0 ? null : findMemoryProblem(source.image);
  if (scarce !== null) return { reason: scarce };
  const files = missing.length === 0 ? [] : await encodeImage(source, missing, content);
  const copies = source.copy !== null && isMissing(source.copy) ? [{ name: source.copy, data: content }] : [];
  for (const { name: file, data } of [...files, ...copies])
    await storeWhole(path.join(converted, file), data);
  return { image: source.image, written: [...files, ...copies].map((file) => file.name) };
}
