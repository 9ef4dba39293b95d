import type { EventName } from '../events/event-definitions.ts';
import { buildAddress, buildRedirectPath } from '../paths.ts';
import type { Partner } from './partner.ts';

type Partners = ReadonlyMap<string, Partner>;

/** As the partner of an article: it offers nothing. */
export const NO_PARTNER = 'none';

/** What the calls to action of one page carry unless they say otherwise. */
export interface Cta {
  readonly partners: Partners;
  /** Where links lead that name no partner of their own. */
  readonly partner: Partner;
  /** Neither the page nor the site names that partner: nothing is added that leads to it. */
  readonly isUnnamed?: boolean;
  /** Where the links are, for `utm_content` and events. */
  readonly source: string;
  /** Name of the event that a click records. */
  readonly event: EventName;
  /** The part of the page that the links are in, for events: `hero`, `pricing`. */
  readonly position?: string | undefined;
}

/** One link to a partner, as a page, an article or the site's own copy names it. */
export interface CtaLink {
  /** Page key of the partner's file. */
  readonly page: string;
  /** Partner key; the page's partner when missing. */
  readonly partner?: string | undefined;
  readonly source?: string | undefined;
  readonly event?: string | undefined;
  /** Custom content of `utm_content`; the source when missing. */
  readonly content?: string | undefined;
  /** The part of the page; the one of the page's part when missing. */
  readonly position?: string | undefined;
}

/** The attributes of a link to a partner, as `PartnerLink` renders them. */
export type PartnerLinkAttributes = ReturnType<typeof buildPartnerLink>;

/**
 * The one rule for the partner of a call to action: the first of the keys that names a partner. Callers pass the
 * link's own partner, the page's (`cta.partner`, or an article's `partner`) and the site's `promotedPartner`; empty, the first
 * of all.
 */
export function choosePartner(partners: Partners, ...keys: readonly (string | undefined)[]): Partner {
  for (const key of keys) {
    const partner = key === undefined ? undefined : partners.get(key);
    if (partner !== undefined) return partner;
  }
  const [first] = partners.values();
  if (first !== undefined && keys.includes('')) return first;
  throw new Error(`[outbound] none of the partners ${keys.join(', ')} exists`);
}

/** Builds the defaults of a page or article from what it says itself and the site's promoted partner. */
export function buildCta(
  own: { readonly partner?: string | undefined; readonly source: string; readonly event?: EventName },
  { partners, site }: { readonly partners: Partners; readonly site: { readonly promotedPartner: string } },
): Cta {
  const { source, event = 'call_to_action' } = own;
  const isUnnamed =
    own.partner === NO_PARTNER || (site.promotedPartner === '' && !partners.has(own.partner ?? ''));
  const partner = choosePartner(partners, own.partner, site.promotedPartner);
  return { partners, partner, source, event, ...(isUnnamed && { isUnnamed }) };
}

/** Builds a link to a partner, through the redirect. */
export function buildPartnerLink(cta: Cta, link: CtaLink) {
  const { page, content, source = cta.source, position = cta.position } = link;
  const { key, trialPath } = choosePartner(cta.partners, link.partner, cta.partner.key);
  // What a page calls its clicks, such as a trial, is about its own partner.
  const { event = key === cta.partner.key ? cta.event : 'call_to_action' } = link;
  const isTrial = page === 'trial' && trialPath !== null;
  const path = isTrial ? trialPath : buildRedirectPath(key);
  const href = buildAddress(path, { page: isTrial ? undefined : page, source, content });
  return { href, event, label: source, source, ...(position !== undefined && { position }) };
}
