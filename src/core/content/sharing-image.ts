/** The Open Graph image of pages that have none of their own. */
export const DEFAULT_SHARING_IMAGE = '/og/default.png';

/** Path of the Open Graph image that the build draws for a page: `/template` → `/og/template.png`. */
export function buildSharingImagePath(path: string): string {
  return `/og${path === '/' ? '/home' : path}.png`;
}
