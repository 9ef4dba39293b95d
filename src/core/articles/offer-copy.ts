import { buildPartnerLink, type Cta, type PartnerLinkAttributes } from '../outbound/cta.ts';
import type { Site } from '../pages/site.schema.ts';

/** The call to action of an article or of the front page. */
export interface OfferCopy {
  readonly title: string;
  readonly text: string;
  /** The words of the link to the partner. */
  readonly action: string;
  readonly link: PartnerLinkAttributes;
  /** A link of this site for readers who want to do something else first. */
  readonly alternative: { readonly label: string; readonly href: string };
}

/** Builds the call to action for the partner of an article or of the site. */
export function buildOfferCopy(cta: Cta, { blog, promotedPartner }: Site): OfferCopy {
  const { key, name } = cta.partner;
  const { partnerLink, alternative, ...copy } =
    key === promotedPartner ? blog.offers.promoted : blog.offers.other;
  const fill = (text: string) => text.replaceAll('{partner}', () => name);
  return {
    title: fill(copy.title),
    text: fill(copy.text),
    action: fill(copy.action),
    link: buildPartnerLink(cta, { page: partnerLink }),
    alternative,
  };
}
