import path from 'node:path';
import { createImageManifestReader } from '../../src/content-files/content-folder.ts';
import { isMissingPackage } from '../../src/content-files/image-thread.ts';
import type { ImageCatalog } from '../../src/core/pages/images/content-image.ts';
import { ROOT } from '../start/pinned-node.mjs';

/**
 * Reads which images content may refer to: those in its folder, checked; those of the last build where `sharp` is not
 * installed. Throws `ImageFilesError`, or `ContentError` when there is no build either.
 */
export async function readImageCatalog(contentDir: string): Promise<ImageCatalog> {
  try {
    const { buildImageCatalog, readContentImages } = await import('../../src/content-files/check-image.ts');
    return buildImageCatalog(await readContentImages(contentDir));
  } catch (error) {
    if (!isMissingPackage(error)) throw error;
    return createImageManifestReader(path.join(ROOT, 'dist', 'images.json'))();
  }
}
