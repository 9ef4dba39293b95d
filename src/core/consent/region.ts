/**
 * Parses a visitor's region, as a trusted proxy names it: a country or a part of one in capitals, `DE` or `US-CA`;
 * empty for anything else.
 */
export function parseRegion(text: string): string {
  return /^[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?$/.test(text) ? text.toUpperCase() : '';
}
