import type { Page } from '../core/content/page.schema.ts';
import { buildLandingData } from '../core/discovery/landing-data.ts';
import type { SiteIdentity } from '../core/discovery/site-data.ts';
import type { Services } from './services.ts';

/** What structured data says of this site, from its content and its address. */
export function readIdentity({ content, config }: Pick<Services, 'content' | 'config'>): SiteIdentity {
  return { ...content.site, origin: config.siteUrl };
}

/** The structured data of a landing page. Scores on it are those of the promoted platform. */
export function readLandingData(
  services: Pick<Services, 'content' | 'config'>,
  page: Page,
  path: string,
): object[] {
  const { site, partners, plans } = services.content;
  const partner = partners.get(site.promotedPartner);
  const reviewed = partner === undefined ? null : { partner, plans: plans.plans };
  return buildLandingData(page, path, { site: readIdentity(services), reviewed });
}
