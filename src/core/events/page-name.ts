const PAGE_NAME_LIMIT = 200;

/**
 * The page name of a path: no leading slash, `/` inside written `.`, `-` written `_`, `home` for the root.
 * Takes a page name too and leaves it as it is. Holds no `-`, which separates the names of `journey_pages`.
 */
export function buildPageName(path: string): string {
  const name = path
    .slice(0, PAGE_NAME_LIMIT)
    .replace(/[?#].*/s, '')
    .replace(/^\/+|\/+$|[^\w./%~-]/g, '')
    .replaceAll('/', '.')
    .replaceAll('-', '_');
  return name || 'home';
}
