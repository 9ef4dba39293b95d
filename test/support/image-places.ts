import path from 'node:path';
import type { ImagePlaces } from '../../src/content-files/image-folder.ts';

/** Where the images of a site in a temporary folder are. */
export const listPlaces = (root: string): ImagePlaces => ({
  source: path.join(root, 'content/images'),
  built: path.join(root, 'built'),
  builtList: path.join(root, 'images.json'),
  converted: path.join(root, 'converted'),
});
