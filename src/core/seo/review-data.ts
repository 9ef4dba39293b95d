import type { Partner } from '../outbound/partner.ts';
import type { Page } from '../pages/page.schema.ts';
import type { Plan } from '../savings/plans.schema.ts';
import { buildPlainText } from './page-data.ts';
import { buildAuthor, SCHEMA, type SiteIdentity } from './site-data.ts';

export interface Reviewed {
  readonly partner: Partner;
  readonly plans: readonly Plan[];
}

/**
 * Builds the structured data of a review: one score for each that the page shows, with the reason beside
 * it, and no sum or average that it does not show. Null for a page without scores or without an author.
 */
export function buildReviewData(page: Page, reviewed: Reviewed, site: SiteIdentity): object | null {
  const scores = page.sections.flatMap((section) => (section.type === 'ratings' ? section.items : []));
  const author = page.sections.find((section) => section.type === 'author');
  if (scores.length === 0 || author === undefined) return null;
  return {
    '@context': SCHEMA,
    '@type': 'SoftwareApplication',
    name: reviewed.partner.name,
    url: reviewed.partner.site,
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'Web',
    ...(reviewed.plans.length > 0 && { offers: reviewed.plans.map(buildOffer) }),
    review: scores.map(({ title, stars, text }) => ({
      '@type': 'Review',
      reviewAspect: buildPlainText(title),
      reviewBody: buildPlainText(text),
      author: buildAuthor(author.author, site),
      ...(page.updated === undefined ? {} : { datePublished: page.updated }),
      reviewRating: { '@type': 'Rating', ratingValue: stars, bestRating: 5, worstRating: 0 },
    })),
  };
}

/** A plan by the month. */
function buildOffer({ name, monthlyCents }: Plan): object {
  const price = (monthlyCents / 100).toFixed(2);
  return {
    '@type': 'Offer',
    name,
    price,
    priceCurrency: 'USD',
    priceSpecification: {
      '@type': 'UnitPriceSpecification',
      price,
      priceCurrency: 'USD',
      unitCode: 'MON',
    },
  };
}
