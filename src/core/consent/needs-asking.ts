import { decideStorageMode } from './storage-mode.ts';

/** Where the law asks for consent: the European Economic Area, United Kingdom, Switzerland. */
const EUROPE: ReadonlySet<string> = new Set(
  'EU EEA AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK CH UK'.split(
    ' ',
  ),
);
const UNION = new Set([...EUROPE].filter((code) => !['GB', 'UK', 'CH'].includes(code)));

/**
 * Whether a visitor is asked before analytics may remember them. `regions` are country codes (`DE`), parts of
 * one (`US-CA`) or `EU`; an empty list asks every visitor. `region` is the visitor's, when a proxy sends it; it and the
 * time zone have to say that no question is needed, as far as either says anything.
 */
export function needsAsking(
  regions: readonly string[],
  visitor: { readonly region: string; readonly timeZone: string },
): boolean {
  if (regions.length === 0) return true;
  const asked = regions.map((code) => code.toUpperCase());
  const region = parseRegion(visitor.region);
  if (region !== '' && isListed(asked, region)) return true;
  // Time zones tell continents apart, not countries. The stricter of region and time zone counts.
  if (!asked.every((code) => EUROPE.has(code))) return region === '';
  return decideStorageMode({ storage: 'europe' }, false, visitor.timeZone, '') === true;
}

function isListed(asked: readonly string[], region: string): boolean {
  const country = region.slice(0, 2);
  const names = [
    region,
    country,
    ...(country === 'GB' ? ['UK'] : []),
    ...(UNION.has(country) ? ['EU', 'EEA'] : []),
  ];
  return names.some((name) => asked.includes(name));
}

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

/**
 * How a browser decides whether anything may be stored before consent; an attribute of every page:
 * `europe` by its time zone, `region` by the region that the proxy names, `all` without looking, empty for no rule.
 */
export type StorageRule = '' | 'all' | 'europe' | 'region';

/** Builds the rule of a site: `regions` are codes as `STORAGE_CONSENT_REGIONS` has them, `all`, or none at all. */
export function buildStorageRule(regions: readonly string[], hasRegionHeader: boolean): StorageRule {
  const codes = regions.map((code) => code.toUpperCase());
  if (codes.length === 0 || codes.includes('NONE')) return '';
  if (codes.includes('ALL')) return 'all';
  // Time zones tell Europe from the rest of the world, and no other places.
  const isEurope = (code: string) => EUROPE.has(code);
  if (codes.every(isEurope) || (hasRegionHeader && codes.some(isEurope))) return 'europe';
  return hasRegionHeader ? 'region' : 'all';
}

/** Whether nothing may be stored before consent in a visitor's region, as the proxy names it; an unknown one is strict. */
export function isStorageFreeRegion(regions: readonly string[], region: string): boolean {
  const codes = regions.map((code) => code.toUpperCase());
  const parsed = parseRegion(region);
  if (codes.length === 0 || codes.includes('NONE')) return false;
  return parsed === '' || codes.includes('ALL') || isListed(codes, parsed);
}
