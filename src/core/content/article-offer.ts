import type { Partner } from '../partners/partner.ts';
import type { Site } from './site.schema.ts';

/** The call to action of one article, in words. */
export interface ArticleOffer {
  /** Partner key. */
  readonly partner: string;
  readonly title: string;
  readonly text: string;
  readonly action: string;
  /** Page key of the partner that the link leads to. */
  readonly page: string;
  /** What the reader may want to do before. */
  readonly first: { readonly label: string; readonly href: string };
}

/** Builds an article's call to action; a partner that does not exist gives the promoted one. */
export function buildArticleOffer(
  key: string,
  site: Site,
  partners: ReadonlyMap<string, Partner>,
): ArticleOffer {
  const partner = partners.get(key) ?? partners.get(site.promotedPartner);
  const name = partner?.name ?? '';
  const isPromoted = partner?.key === site.promotedPartner;
  const words = isPromoted ? site.blog.offers.promoted : site.blog.offers.other;
  const fill = (text: string) => text.replaceAll('{partner}', () => name);
  return {
    ...words,
    partner: partner?.key ?? site.promotedPartner,
    title: fill(words.title),
    text: fill(words.text),
    action: fill(words.action),
  };
}
