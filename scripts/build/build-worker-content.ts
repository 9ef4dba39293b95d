import path from 'node:path';
import { buildContentParts } from '../../src/sources/content/build-content-parts.ts';
import { createImageManifestReader } from '../../src/sources/content/image-manifest.ts';
import { readSourceState } from '../start/build-stamp.mjs';
import { ROOT } from '../start/pinned-node.mjs';

/** The images that the build of the worker has written. */
export const WORKER_IMAGES = path.join(ROOT, 'edge', 'dist', 'images.json');

/**
 * Reads and checks a content folder for the worker, which loads the parts. Rejects with `ContentError` and
 * `ArticleFilesError`.
 */
export function buildWorkerContent(
  contentDir: string,
  hasArticleFiles: boolean,
): ReturnType<typeof buildContentParts> {
  const readImages = createImageManifestReader(WORKER_IMAGES);
  const version = readSourceState(ROOT, ['src']);
  return buildContentParts(contentDir, readImages(), { version, now: Date.now(), hasArticleFiles });
}
