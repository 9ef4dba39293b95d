import { cleanText } from '../text/parse-text.ts';
import { EVENT_LIMITS } from './site-event.ts';

/**
 * Parses the path of a page of this site. Query and fragment are dropped, a path over 512 characters is cut. Returns
 * null for text that a browser could take for another address (`//host`, `\host`, `javascript:`).
 */
export function parseSitePath(text: string): string | null {
  const path = (text.split(/[?#]/, 1)[0] ?? '').slice(0, EVENT_LIMITS.page).toWellFormed();
  if (!/^\/(?!\/)[^\\\s]*$/.test(path)) return null;
  return cleanText(path, EVENT_LIMITS.page) === path ? path : null;
}

/**
 * The parameter that names a page where paths do not, as on a WordPress with plain addresses: `?p=12` or `?page_id=2`. Empty for
 * an address without one.
 */
export function readPageParameter(address: string): string {
  const [, named] = /^[^#]*?[?&]((?:p|page_id)=\d{1,20})(?=[&#]|$)/.exec(address) ?? [];
  return named === undefined ? '' : `?${named}`;
}

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
