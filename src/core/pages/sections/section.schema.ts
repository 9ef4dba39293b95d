import { z } from 'zod';
import { findNearest } from '../../text/find-nearest.ts';
import { articleTeasersSchema } from './article-teasers.schema.ts';
import { authorSchema } from './author.schema.ts';
import { beforeAfterSchema } from './before-after.schema.ts';
import { callToActionSchema } from './call-to-action.schema.ts';
import { cardsSchema } from './cards.schema.ts';
import { chartSchema } from './chart.schema.ts';
import { checklistSchema } from './checklist.schema.ts';
import { comparisonTableSchema } from './comparison-table.schema.ts';
import { contactFormSchema } from './contact-form.schema.ts';
import { disclosureSchema } from './disclosure.schema.ts';
import { faqSchema } from './faq.schema.ts';
import { findingsSchema } from './findings.schema.ts';
import { heroSchema } from './hero.schema.ts';
import { imageSchema } from './image.schema.ts';
import { newsletterSchema } from './newsletter.schema.ts';
import { outcomesSchema } from './outcomes.schema.ts';
import { pricingPlansSchema } from './pricing-plans.schema.ts';
import { prosConsSchema } from './pros-cons.schema.ts';
import { proseSchema } from './prose.schema.ts';
import { quoteSchema } from './quote.schema.ts';
import { ratingsSchema } from './ratings.schema.ts';
import { recommendationSchema } from './recommendation.schema.ts';
import { savingsCalculatorSchema } from './savings-calculator.schema.ts';
import { sectionNavSchema } from './section-nav.schema.ts';
import { statsSchema } from './stats.schema.ts';
import { stepsSchema } from './steps.schema.ts';
import { testimonialsSchema } from './testimonials.schema.ts';
import { timelineSchema } from './timeline.schema.ts';
import { videoSchema } from './video.schema.ts';

/** Every section that a page may have. A new type is a line here and one in `src/sections/pages/page-section.astro`. */
const SECTION_SCHEMAS = [
  heroSchema,
  sectionNavSchema,
  statsSchema,
  videoSchema,
  imageSchema,
  cardsSchema,
  comparisonTableSchema,
  beforeAfterSchema,
  pricingPlansSchema,
  savingsCalculatorSchema,
  timelineSchema,
  outcomesSchema,
  testimonialsSchema,
  checklistSchema,
  stepsSchema,
  faqSchema,
  quoteSchema,
  ratingsSchema,
  prosConsSchema,
  recommendationSchema,
  authorSchema,
  findingsSchema,
  chartSchema,
  proseSchema,
  articleTeasersSchema,
  callToActionSchema,
  disclosureSchema,
  contactFormSchema,
  newsletterSchema,
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
