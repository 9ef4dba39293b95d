import { cleanText } from './clean-text.ts';
import { parseSitePath } from './site-path.ts';

/** The text of an unknown value, cleaned and without what could not be decoded; empty when it is no text. */
export function readText(value: unknown, limit: number): string {
  return typeof value === 'string' ? cleanText(value, limit).replaceAll('\uFFFD', '').trim() : '';
}

/** The path of an unknown value; empty when it is no path of this site. */
export function readPath(value: unknown): string {
  return (typeof value === 'string' && parseSitePath(value)) || '';
}
