import { readFileSync, statSync } from 'node:fs';
import { ContentError } from '../../core/pages/content-error.ts';
import type { ImageCatalog } from '../../core/pages/content-image.ts';
import { parseImageManifest } from '../../core/pages/image-field.schema.ts';

/**
 * Creates a function that reads the list of images that a build wrote, again only after the file has changed.
 * It throws `ContentError` when there is no such file.
 */
export function createImageManifestReader(file: string): () => ImageCatalog {
  let catalog: ImageCatalog | undefined;
  let readAt = 0;
  return () => {
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs === undefined) {
      const reason = `the build has no list of images (${file}): run "npm run build"`;
      throw new ContentError([{ file: 'images', field: '', reason }]);
    }
    if (catalog === undefined || mtimeMs !== readAt) {
      catalog = parseImageManifest(JSON.parse(readFileSync(file, 'utf8')));
      readAt = mtimeMs;
    }
    return catalog;
  };
}
