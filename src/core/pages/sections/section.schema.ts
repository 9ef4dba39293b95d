import { z } from 'zod';
import { findNearest } from '../../text/words.ts';
import {
  beforeAfterSchema,
  comparisonTableSchema,
  pricingPlansSchema,
  ratingsSchema,
  recommendationSchema,
} from './comparisons.schema.ts';
import { contactFormSchema, newsletterSchema, savingsCalculatorSchema } from './forms.schema.ts';
import { heroSchema } from './hero.schema.ts';
import {
  cardsSchema,
  checklistSchema,
  findingsSchema,
  outcomesSchema,
  prosConsSchema,
  statsSchema,
  stepsSchema,
  testimonialsSchema,
  timelineSchema,
} from './lists.schema.ts';
import { chartSchema, imageSchema, videoSchema } from './media.schema.ts';
import {
  articleTeasersSchema,
  authorSchema,
  callToActionSchema,
  disclosureSchema,
  faqSchema,
  proseSchema,
  quoteSchema,
  sectionNavSchema,
} from './text.schema.ts';

/** The schema of every section type; `src/sections/pages/` has the component of each. */
export const SECTION_SCHEMAS = [
  articleTeasersSchema,
  authorSchema,
  beforeAfterSchema,
  callToActionSchema,
  cardsSchema,
  chartSchema,
  checklistSchema,
  comparisonTableSchema,
  contactFormSchema,
  disclosureSchema,
  faqSchema,
  findingsSchema,
  heroSchema,
  imageSchema,
  newsletterSchema,
  outcomesSchema,
  pricingPlansSchema,
  prosConsSchema,
  proseSchema,
  quoteSchema,
  ratingsSchema,
  recommendationSchema,
  savingsCalculatorSchema,
  sectionNavSchema,
  statsSchema,
  stepsSchema,
  testimonialsSchema,
  timelineSchema,
  videoSchema,
] as const;

/** One section of a page document. */
export const sectionSchema = z.discriminatedUnion('type', SECTION_SCHEMAS, {
  error: ({ input }) => describeUnknownType(typeof input === 'object' && input !== null ? input : {}),
});

function describeUnknownType({ type }: { readonly type?: unknown }): string {
  const types = SECTION_SCHEMAS.flatMap(({ shape }) => [...shape.type.values]);
  if (typeof type !== 'string') return 'every section needs a `type`, see docs/recipes/section.md';
  const nearest = findNearest(type, types);
  return nearest === null
    ? `there is no section type \`${type}\`, see docs/recipes/section.md`
    : `there is no section type \`${type}\`; did you mean \`${nearest}\`?`;
}

export type PageSection = z.infer<typeof sectionSchema>;
export type SectionType = PageSection['type'];
/** One section by its type. */
export type SectionOf<T extends SectionType> = Extract<PageSection, { type: T }>;
