import { z } from 'zod';
import { CONTENT_EVENT_NAMES } from '../events/event-definitions.ts';
import { ruleFields } from './claims/content-rules.schema.ts';
import { addressField, pageKey, siteHref, source, text, updatesField } from './sections/fields.schema.ts';
import { type PageSection, sectionSchema } from './sections/section.schema.ts';
import { hasPartnerLink } from './sections/section-traits.ts';

const cta = z.strictObject({
  partner: pageKey.optional().meta({
    names: 'partner',
    description:
      'Partner that links without one lead to; the promoted partner when left out. For pages about one product.',
  }),
  partnerLink: pageKey
    .default('pricing')
    .meta({ names: 'destination', description: 'The page of the partner that header buttons lead to.' }),
  source: source.describe('Source of links that name none.'),
  event: z.enum(CONTENT_EVENT_NAMES).default('call_to_action').describe('Event of links that name none.'),
  label: text
    .optional()
    .describe("The button in the landing header; the action of the site's offer when left out."),
  headerSource: source.optional().describe('Source of that button; `source` when left out.'),
});

/** `content/pages/*.yaml`: one page, whose path is the file name. */
export const pageSchema = z
  .strictObject({
    title: text.max(70).describe('Title in the browser tab and in search results.'),
    description: z.string().trim().min(50).max(170).describe('Summary in search results.'),
    kicker: text.optional().describe('Small line above the title on the sharing image.'),
    sharing: z
      .strictObject({
        figure: text.max(14).describe('Large, for example `$1,492`.'),
        label: text.max(40).describe('What it counts.'),
      })
      .optional()
      .describe('The figure of the page on its sharing image; the first image of the page when left out.'),
    header: z.enum(['default', 'landing', 'minimal']).default('default').describe('Header variant.'),
    headerLine: text
      .max(60)
      .optional()
      .describe('A line in the header at the right: who publishes the page.'),
    footer: z.enum(['default', 'minimal']).default('default').describe('Footer variant.'),
    quickLinks: z
      .array(
        z.strictObject({
          label: text.describe('As read.'),
          href: siteHref.meta({ names: 'page', description: 'Where it leads.' }),
        }),
      )
      .max(6)
      .optional()
      .describe('Links to parts of this page in the footer.'),
    address: addressField
      .optional()
      .describe('Path of the page, such as one published before; the file name when left out.'),
    index: z.boolean().default(true).describe('false keeps the page out of search engines and the sitemap.'),
    draft: z.boolean().default(false).describe('true hides the page; only its preview link opens it.'),
    publishedAt: z
      .union([z.iso.date(), z.iso.datetime({ offset: true })], {
        error:
          'must be a day such as 2026-11-27, or a time with its offset such as 2026-11-27T09:00:00+01:00',
      })
      .optional()
      .describe('Hides the page until then: a day (midnight UTC) or a time with its offset.'),
    updates: updatesField.describe('What changed since, shown as a table at the end of the page.'),
    updated: z.iso.date().optional().describe('Day of the last change of substance; left out: of `updates`.'),
    cta: cta.optional().describe('What links to the partner carry on this page.'),
    ...ruleFields,
    sections: z.array(sectionSchema).min(1).describe('The page from top to bottom.'),
  })
  .superRefine(({ header, sections, cta }, issues) => {
    const report = (index: number, field: string, message: string) =>
      issues.addIssue({ code: 'custom', path: ['sections', index, field], message });
    const ids = new Set<string>();
    sections.forEach((section, index) => {
      if (section.id !== undefined && ids.has(section.id)) report(index, 'id', `#${section.id} is taken`);
      if (section.id !== undefined) ids.add(section.id);
    });
    sections.forEach((section, index) => {
      if (section.type !== 'section-nav') return;
      const missing = section.items.find(({ to }) => !ids.has(to));
      if (missing) report(index, 'items', `no section has the id ${missing.to}`);
    });
    checkOnce(sections, 'hero', report);
    checkOnce(sections, 'contact-form', report);
    checkOnce(sections, 'newsletter', report);
    if (cta === undefined && (header === 'landing' || sections.some(hasPartnerLink))) {
      issues.addIssue({
        code: 'custom',
        path: ['cta'],
        message: 'is missing: the page has links to a partner',
      });
    }
  });

function checkOnce(
  sections: readonly PageSection[],
  type: PageSection['type'],
  report: (index: number, field: string, message: string) => void,
): void {
  const second = sections.findIndex(
    (section, index) => section.type === type && sections.findIndex((other) => other.type === type) < index,
  );
  if (second >= 0) report(second, 'type', `a page has one ${type}`);
}

export type Page = z.infer<typeof pageSchema>;
