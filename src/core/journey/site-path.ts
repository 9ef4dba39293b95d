import { cleanText } from './clean-text.ts';
import { EVENT_LIMITS } from './event-limits.ts';

/**
 * Parses the path of a page of this site: query and fragment go, a path over 512 characters is cut.
 * Null for whatever a browser could take for another address (`//host`, `\host`, `javascript:`).
 */
export function parseSitePath(text: string): string | null {
  const path = (text.split(/[?#]/, 1)[0] ?? '').slice(0, EVENT_LIMITS.page).toWellFormed();
  if (!/^\/(?!\/)[^\\\s]*$/.test(path)) return null;
  return cleanText(path, EVENT_LIMITS.page) === path ? path : null;
}
