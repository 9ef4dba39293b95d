import { z } from 'zod';
import { findNearest } from '../../text/words.ts';
import {
  beforeAfterSchema,
  comparisonTableSchema,
  pricingPlansSchema,
  ratingsSchema,
  recommendationSchema,
} from './comparisons.schema.ts';
import { action, anchor, figureItem, markdown, sectionFields, siteHref, text } from './fields.schema.ts';
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

/** Running text. */
const proseSchema = z.strictObject({
  type: z.literal('prose'),
  ...sectionFields,
  body: markdown.describe('Markdown: paragraphs, `##` and `###` headings, lists, tables, links.'),
  contents: z.boolean().default(false).describe('Lists the `##` headings beside the text.'),
});

/** One sentence at display size, from an article or page of this site. For customers' words: `testimonials`. */
const quoteSchema = z.strictObject({
  type: z.literal('quote'),
  ...sectionFields,
  text: text.describe('The sentence; `==words==` are marked.'),
  source: z
    .strictObject({
      label: text.describe('Name of the article or page.'),
      href: siteHref.describe('Its path.'),
    })
    .describe('Where the sentence is.'),
});

const question = z.strictObject({
  question: text.describe('As a visitor would ask it.'),
  answer: markdown.describe('The answer first, then the reason. Markdown.'),
});

/** Questions that open one at a time; search engines get them as data. */
const faqSchema = z.strictObject({
  type: z.literal('faq'),
  ...sectionFields,
  items: z.array(question).min(1).max(20).describe('The questions.'),
});

/** Who wrote the page and what their judgment rests on. */
const authorSchema = z.strictObject({
  type: z.literal('author'),
  ...sectionFields,
  author: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the name of a file in content/authors/ without its ending')
    .describe('Key of a file in content/authors/.'),
  text: text.describe('What the judgment rests on.'),
  facts: z.array(figureItem).max(4).default([]).describe('Figures of experience.'),
});

/** One thing to do now. */
const callToActionSchema = z.strictObject({
  type: z.literal('call-to-action'),
  ...sectionFields,
  title: text.describe('What there is to gain, in one line.'),
  actions: z.array(action).min(1).max(3).describe('The button, and at most two ways out.'),
  points: z.array(text).max(5).default([]).describe('Conditions in a few words each.'),
  disclosure: z.boolean().default(false).describe('Repeats the short affiliate disclosure.'),
});

/** The affiliate disclosure in full. */
const disclosureSchema = z.strictObject({
  type: z.literal('disclosure'),
  ...sectionFields,
  text: text.optional().describe("Instead of the site's full disclosure."),
});

/** A bar that stays in view with links to sections; a menu on phones. */
const sectionNavSchema = z.strictObject({
  type: z.literal('section-nav'),
  id: sectionFields.id,
  label: text.describe('Name of the navigation, for screen readers.'),
  brand: text.optional().describe('Words at the left of the bar.'),
  items: z
    .array(z.strictObject({ label: text.describe('As read.'), to: anchor.describe('The id of a section.') }))
    .min(2)
    .max(6)
    .describe('The links, in the order of the sections.'),
  action: action.optional().describe('A button at the right end.'),
});

/** Articles of the blog. */
const articleTeasersSchema = z.strictObject({
  type: z.literal('article-teasers'),
  ...sectionFields,
  slugs: z.array(z.string()).min(1).max(8).optional().describe('These articles; the newest when left out.'),
  count: z.int().min(1).max(8).default(3).describe('How many of the newest.'),
});

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
