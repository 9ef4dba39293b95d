import { z } from 'zod';
import { articleTeasersSchema } from './article-teasers.schema.ts';
import { authorSchema } from './author.schema.ts';
import { beforeAfterSchema } from './before-after.schema.ts';
import { roiCalculatorSchema, trialCalculatorSchema } from './calculator.schema.ts';
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
import { outcomesSchema } from './outcomes.schema.ts';
import { pricingPlansSchema } from './pricing-plans.schema.ts';
import { prosConsSchema } from './pros-cons.schema.ts';
import { proseSchema } from './prose.schema.ts';
import { ratingsSchema } from './ratings.schema.ts';
import { recommendationSchema } from './recommendation.schema.ts';
import { sectionNavSchema } from './section-nav.schema.ts';
import { statsSchema } from './stats.schema.ts';
import { stepsSchema } from './steps.schema.ts';
import { testimonialsSchema } from './testimonials.schema.ts';
import { timelineSchema } from './timeline.schema.ts';
import { videoSchema } from './video.schema.ts';

/** Every section that a page may have. A new type is a line here and one in `src/sections/views.ts`. */
export const sectionSchema = z.discriminatedUnion('type', [
  heroSchema,
  sectionNavSchema,
  statsSchema,
  videoSchema,
  cardsSchema,
  comparisonTableSchema,
  beforeAfterSchema,
  pricingPlansSchema,
  trialCalculatorSchema,
  roiCalculatorSchema,
  timelineSchema,
  outcomesSchema,
  testimonialsSchema,
  checklistSchema,
  stepsSchema,
  faqSchema,
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
]);

export type PageSection = z.infer<typeof sectionSchema>;
export type SectionType = PageSection['type'];
/** One section by its type. */
export type SectionOf<T extends SectionType> = Extract<PageSection, { type: T }>;
