/** Codes by which proxies say that they do not know the country: `XX` of Cloudflare, `ZZ` of CLDR. */
const UNKNOWN = /^(XX|ZZ)\b/;

/**
 * Parses a visitor's region, as a trusted proxy names it: a country or a part of one in capitals, `DE` or `US-CA`;
 * empty for anything else.
 */
export function parseRegion(text: string): string {
  const region = /^[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?$/.test(text) ? text.toUpperCase() : '';
  return UNKNOWN.test(region) ? '' : region;
}
