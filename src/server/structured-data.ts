import type { Article } from '../core/articles/article.ts';
import type { Page } from '../core/content/page.schema.ts';
import { buildArticleData } from '../core/discovery/article-data.ts';
import { buildLandingData } from '../core/discovery/landing-data.ts';
import type { SiteIdentity } from '../core/discovery/site-data.ts';
import { rememberFor } from '../core/remember.ts';
import type { Services } from './services.ts';

/** What structured data says of this site, from its content and its address. */
export function readIdentity({ content, config }: Pick<Services, 'content' | 'config'>): SiteIdentity {
  return { ...content.site, origin: config.siteUrl };
}

/** The structured data of an article, worked out once as long as services and article stay the same. */
export function readArticleData(services: Pick<Services, 'content' | 'config'>, article: Article): object[] {
  return readArticleDataOf(services.content)(services.config)(article);
}

const readArticleDataOf = rememberFor((content: Services['content']) =>
  rememberFor((config: Services['config']) => {
    const identity = readIdentity({ content, config });
    return rememberFor((article: Article) => buildArticleData(article, identity));
  }),
);

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
