import { buildSharingImagePath, DEFAULT_SHARING_IMAGE, IMAGES_PREFIX } from '../paths.ts';

/**
 * Address of an article's Open Graph image: the path of the card that the build draws around its featured image; the
 * image itself when it is on another host, which the build does not know; the default for articles without one.
 */
export function buildArticleSharingImage(path: string, image: { readonly src: string } | null): string {
  if (image?.src.startsWith(IMAGES_PREFIX)) return buildSharingImagePath(path);
  return image?.src.startsWith('https:') ? image.src : DEFAULT_SHARING_IMAGE;
}
