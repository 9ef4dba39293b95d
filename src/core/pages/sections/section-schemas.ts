// Written by `npm run page-schema` from the files of this folder.
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
