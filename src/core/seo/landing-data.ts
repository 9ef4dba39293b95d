import type { Page } from '../pages/page.schema.ts';
import { buildBreadcrumbData } from './breadcrumb-data.ts';
import { buildPageData } from './page-data.ts';
import { buildReviewData, type Reviewed } from './review-data.ts';
import type { SiteIdentity } from './site-data.ts';

/** Builds the structured data of a landing page: the way to it, its questions and its scores, as far as it has them. */
export function buildLandingData(
  page: Page,
  path: string,
  about: { readonly site: SiteIdentity; readonly reviewed: Reviewed },
): object[] {
  const review = buildReviewData(page, about.reviewed, about.site);
  return [
    buildBreadcrumbData(about.site.origin, [{ name: page.title, path }]),
    ...buildPageData(page),
    ...(review ? [review] : []),
  ];
}
