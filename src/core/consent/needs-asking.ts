/** Where the law asks for consent before analytics: the European Economic Area, United Kingdom, Switzerland. */
const EUROPE = new Set(
  'EU EEA AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK CH UK'.split(
    ' ',
  ),
);
const UNION = new Set([...EUROPE].filter((code) => !['GB', 'UK', 'CH'].includes(code)));

/** Time zones of those countries that do not begin with `Europe/`. */
const FAR_ZONES: ReadonlySet<string> = new Set([
  'Arctic/Longyearbyen',
  ...['Azores', 'Canary', 'Faroe', 'Madeira', 'Reykjavik'].map((name) => `Atlantic/${name}`),
  ...['Asia/Famagusta', 'Asia/Nicosia', 'Africa/Ceuta'],
  ...['Cayenne', 'Guadeloupe', 'Marigot', 'Martinique'].map((name) => `America/${name}`),
  ...['Indian/Mayotte', 'Indian/Reunion'],
]);

/**
 * Whether a visitor is asked before analytics may remember them. `regions` are country codes (`DE`), parts of
 * one (`US-CA`) or `EU`; an empty list asks every visitor. `region` is the visitor's, when a proxy sends it; otherwise
 * the time zone decides, and a visitor whose time zone does not decide it is asked.
 */
export function needsAsking(
  regions: readonly string[],
  visitor: { readonly region: string; readonly timeZone: string },
): boolean {
  if (regions.length === 0) return true;
  const asked = regions.map((code) => code.toUpperCase());
  const region = parseRegion(visitor.region);
  if (region !== '') return isListed(asked, region);
  // Time zones tell continents apart, not countries.
  if (!asked.every((code) => EUROPE.has(code))) return true;
  const { timeZone } = visitor;
  return !timeZone.includes('/') || /^(Europe|Etc)\//.test(timeZone) || FAR_ZONES.has(timeZone);
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
