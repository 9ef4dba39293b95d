/** The Open Graph image of pages that have none of their own. */
export const DEFAULT_SHARING_IMAGE = '/og/default.png';

/**
 * Path of an article's Open Graph image: the one that the build drew, for an article with a picture of this
 * site's own; the default for articles of other sources, which the build does not know.
 */
export function buildArticleSharingImage(path: string, picture: { readonly src: string } | null): string {
  return picture?.src.startsWith('/art/') ? buildSharingImagePath(path) : DEFAULT_SHARING_IMAGE;
}

/** Path of the Open Graph image that the build draws for a page: `/template` → `/og/template.png`. */
export function buildSharingImagePath(path: string): string {
  return `/og${path === '/' ? '/home' : path}.png`;
}
