import { findContentImage, type ImageCatalog } from '../content-image.ts';
import type { Brand } from './brand.schema.ts';

/** The path of the brand's own favicon; null without one. */
export function findBrandFavicon({ favicon }: Brand, images: ImageCatalog): string | null {
  const found = favicon === undefined ? null : findContentImage(favicon, images);
  return found !== null && 'image' in found ? found.image.src : null;
}
