import type { Article } from '../../core/articles/article.ts';
import { choosePartner } from '../../core/outbound/cta.ts';
import type { Page } from '../../core/pages/page.schema.ts';
import { findProductOf } from '../../core/products/product.ts';
import { buildArticleData, buildLandingData, type SiteIdentity } from '../../core/seo/structured-data.ts';
import type { Site } from '../site.ts';

/** What structured data says of this site, from its content and its address. */
export function readIdentity(site: Site): SiteIdentity {
  const { settings } = site;
  const content = site.content.read();
  return { ...content.site, authors: content.authors, origin: settings.siteUrl };
}

/** Builds the structured data of an article. */
export function readArticleData(site: Site, article: Article): object[] {
  return buildArticleData(article, readIdentity(site));
}

/** The structured data of a landing page. Its scores are those of the partner that its calls to action lead to. */
export function readLandingData(site: Site, page: Page, path: string): object[] {
  const { partners, products, site: details } = site.content.read();
  const partner = choosePartner(partners, page.cta?.partner, details.promotedPartner);
  const product = findProductOf(products, partner.key);
  const reviewed = { partner, product, products, now: site.clock.now() };
  return buildLandingData(page, path, { site: readIdentity(site), reviewed });
}
