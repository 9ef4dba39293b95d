import { listShownQuotations } from './claims/claims.ts';
import type { Page } from './page.schema.ts';
import type { PageSection } from './sections/section.schema.ts';

/** The part of a page that a site shows. */
export type VisiblePage = Pick<Page, 'sections' | 'quickLinks'>;

/** What decides whether a section is shown. */
export interface SectionVisibility {
  readonly samples: boolean;
  /** Whether sign-ups for the newsletter go anywhere. */
  readonly hasNewsletter: boolean;
}

/**
 * Leaves out newsletter sections without a provider, and blocks of samples that the site hides unless they have a title, which
 * keeps their place; with the links that lead to them.
 */
export function listShownSections(
  page: VisiblePage,
  { samples, hasNewsletter }: SectionVisibility,
): VisiblePage {
  const isHidden = (section: PageSection) =>
    (section.type === 'testimonials' &&
      section.title === undefined &&
      listShownQuotations(section.items, samples).length === 0) ||
    (section.type === 'newsletter' && !hasNewsletter);
  const hidden = new Set(page.sections.filter(isHidden).flatMap(({ id }) => id ?? []));
  const sections = page.sections
    .filter((section) => !isHidden(section))
    .map((section) =>
      section.type === 'section-nav'
        ? { ...section, items: section.items.filter(({ to }) => !hidden.has(to)) }
        : section,
    );
  return { sections, quickLinks: page.quickLinks?.filter(({ href }) => !hidden.has(href.slice(1))) };
}

/** Whether visitors may see a page: it is no draft, and its day of publication has come. `now`: ms since 1970. */
export function isPublished(
  { draft, publishedAt }: { readonly draft: Page['draft']; readonly publishedAt?: Page['publishedAt'] },
  now: number,
): boolean {
  return !draft && (publishedAt === undefined || Date.parse(publishedAt) <= now);
}

/** Whether a page has a preview, because it is or was hidden. */
export function hasPreview({ draft, publishedAt }: Page): boolean {
  return draft || publishedAt !== undefined;
}
