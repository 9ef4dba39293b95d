import type { Partner } from './partner.ts';

/** A country, alone or with a part of it. */
const REGION = /^([A-Za-z]{2})(-[A-Za-z0-9]{1,3})?$/;

/**
 * Returns the address that a link leads to: the partner's destination of a page key, else its pricing page; for
 * visitors of a country that has an address of its own, that one. `region`: what the trusted proxy says, such as `DE`
 * or `US-CA`; anything else counts as no region.
 */
export function chooseDestination(partner: Partner, pageKey: string, region: string): string {
  const key = partner.destinations.has(pageKey) ? pageKey : 'pricing';
  const country = REGION.exec(region)?.[1]?.toUpperCase() ?? '';
  return partner.regions?.get(country)?.get(key) ?? partner.destinations.get(key) ?? partner.site;
}
