import type { ArticleSummary } from '../../core/articles/article.ts';
import { buildOfferCopy } from '../../core/articles/article-copy.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import { buildCta, buildPartnerLink, type Cta } from '../../core/outbound/cta.ts';
import { HEADER_POSITION } from '../../core/outbound/placement.ts';
import { areSamplesShown } from '../../core/pages/claims/claims.ts';
import type { Page } from '../../core/pages/page.schema.ts';
import type { HeaderButton, PageContext } from '../../core/pages/page-context.ts';
import { hasPartnerTarget } from '../../core/pages/partner-link-check.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import { readContactForm } from '../contact/contact.ts';
import { buildNewsletterForm, findSection } from '../contact/newsletter-form.ts';
import type { Site } from '../site.ts';

/** Gathers what a page's sections show besides their own document, and the status of the response. */
export async function readPageContext(
  site: Site,
  page: Page,
  path: string,
  request: Request,
  clientAddress: string,
): Promise<{ readonly context: PageContext; readonly status: number }> {
  const content = site.content.read();
  const cta = buildCta(page.cta ?? { source: buildPageName(path) }, content);
  const contact = await readContactForm(site, page, path, request, clientAddress);
  const teasers = await readTeasers(site, page);
  const context: PageContext = {
    ...buildArticleContext(site, cta, path),
    hasPartnerLinks: page.cta !== undefined,
    headerButton: buildHeaderButton(page, cta, content.site),
    teasers,
    form: contact?.form ?? null,
    newsletter: buildNewsletterForm(site, findSection(page), request),
  };
  return { context, status: contact?.status ?? (request.method === 'POST' ? 405 : 200) };
}

/** Gathers what product sections show outside of pages: the shortcodes of an article, and the front page. */
export function buildArticleContext(site: Site, cta: Cta, path: string): PageContext {
  const { savings, products, images, authors, site: details } = site.content.read();
  return {
    path,
    siteUrl: site.settings.siteUrl,
    site: details,
    samples: areSamplesShown(details.samples, site.settings.siteUrl),
    savings,
    products,
    now: site.clock.now(),
    authors,
    images,
    cta,
    hasPartnerLinks: true,
    headerButton: undefined,
    teasers: [],
    contents: [],
    form: null,
    newsletter: null,
  };
}

/** The button of the header, unless the first thing on the page is the same button. */
function buildHeaderButton(
  { header, cta: settings, sections: [first] }: Page,
  cta: Cta,
  site: SiteDetails,
): HeaderButton | undefined {
  const offer = buildOfferCopy(cta, site);
  const isShown = header === 'landing' && !(first?.type === 'hero' && hasPartnerTarget(first.actions));
  if (!isShown || settings === undefined || offer === null) return undefined;
  const { label = offer.action, partnerLink, headerSource } = settings;
  return {
    label,
    link: buildPartnerLink(cta, { page: partnerLink, source: headerSource, position: HEADER_POSITION }),
  };
}

/** The articles that the page's teasers name, or the newest. A source that is down leaves the section out. */
async function readTeasers({ content: { articles } }: Site, page: Page): Promise<readonly ArticleSummary[]> {
  const sections = page.sections.filter((section) => section.type === 'article-teasers');
  if (sections.length === 0) return [];
  const limit = Math.max(...sections.map(({ count }) => count));
  const slugs = sections.flatMap((section) => section.slugs ?? []);
  const isWanted = sections.some((section) => section.slugs === undefined);
  const [newest, ...named] = await Promise.all([
    isWanted
      ? articles.list({ page: 1, limit }).then(
          (list) => list.articles,
          () => [],
        )
      : [],
    ...slugs.map((slug) => articles.get(slug).catch(() => null)),
  ]);
  return [...newest, ...named.filter((article) => article !== null)];
}
