import { z } from 'zod';
import { findNearest } from '../../text/words.ts';
import { imageField } from '../images/image-field.schema.ts';
import {
  beforeAfterSchema,
  comparisonTableSchema,
  pricingPlansSchema,
  ratingsSchema,
  recommendationSchema,
} from './comparisons.schema.ts';
import { drawing, drawingSchema } from './drawing.schema.ts';
import {
  action,
  anchor,
  bandFields,
  defineSection,
  figureItem,
  markdown,
  sectionFields,
  siteHref,
  text,
} from './fields.schema.ts';
import {
  contactFormSchema,
  newsletterSchema,
  savingsCalculatorSchema,
  visitRecordSchema,
} from './forms.schema.ts';
import { type HeroFigure, heroSchema } from './hero.schema.ts';
import { chartSchema, imageSchema, type VideoFields, videoSchema } from './media.schema.ts';
import {
  criteriaTableSchema,
  picksTableSchema,
  productBoxSchema,
  productComparisonSchema,
  roundupSchema,
  versusSchema,
  volumePricesSchema,
} from './products.schema.ts';

const step = z.strictObject({
  title: text.describe('What to do.'),
  text: text.describe('How, in one to three sentences.'),
  time: text.optional().describe('How long it takes.'),
});

/** Numbered steps that are done in order. */
const stepsSchema = defineSection('steps', {
  items: z.array(step).min(2).max(8).describe('The steps.'),
});

const stage = z.strictObject({
  when: text.describe('The days or weeks, for example `Days 1-2`.'),
  title: text.describe('What is done.'),
  text: text.describe('How, in one to three sentences.'),
  done: text.optional().describe('How you know that it is done.'),
});

/** What happens when, in order. */
const timelineSchema = defineSection('timeline', {
  items: z.array(stage).min(2).max(10).describe('The stops, first to last.'),
});

const point = z.strictObject({
  text: text.describe('The point.'),
  detail: text.optional().describe('A sentence more about it.'),
});

const group = z.strictObject({
  title: text.optional().describe('Heading of the group.'),
  items: z.array(point).min(1).max(12).describe('The points.'),
});

/** What is included, or what to tick off. */
const checklistSchema = defineSection('checklist', {
  groups: z.array(group).min(1).max(6).describe('One group, or several with headings.'),
});

const finding = z.strictObject({
  figure: text.describe('The figure: `{claim:key}`.'),
  label: text.describe('What it counts.'),
  by: text.optional().describe('Who says so.'),
  status: text
    .optional()
    .describe('What it rests on, for example `No source found` or `{claim:key.status}`.'),
  text: text.optional().describe('Whether it adds up.'),
});

/** Findings of a report: the figure, what it says, and what it rests on. */
const findingsSchema = defineSection('findings', {
  items: z.array(finding).min(2).max(8).describe('The findings.'),
});

const outcome = z.strictObject({
  title: text.describe('The outcome.'),
  text: text.describe('What it takes, in one to three sentences.'),
  figure: text.optional().describe('Its figure: `{claim:key}`.'),
  status: text.optional().describe('How sure it is, for example `{claim:key.status}`.'),
});

/** What to expect, likely and unlikely, in plain words. */
const outcomesSchema = defineSection('outcomes', {
  items: z.array(outcome).min(2).max(8).describe('The outcomes.'),
});

const side = z.strictObject({
  title: text.describe('Heading of the list.'),
  items: z.array(text).min(2).max(10).describe('Its points.'),
});

/** Strengths beside limitations. */
const prosConsSchema = defineSection('pros-cons', {
  pros: side.describe('What speaks for it.'),
  cons: side.describe('What speaks against it.'),
});

const card = z.strictObject({
  title: text.describe('What it is about.'),
  text: text.describe('One to three sentences.'),
  image: imageField.optional().describe('An image above the title, with variant art.'),
  figure: text.optional().describe('A figure set large above the title.'),
  list: z.array(text).max(8).optional().describe('Short points under the text.'),
  meta: text.optional().describe('A quiet word at the end: reading time, a price, a plan.'),
  action: action.optional().describe('A link; with variant index the title carries it.'),
});

/** Several short texts of the same kind. */
const cardsSchema = defineSection('cards', {
  variant: z
    .enum(['columns', 'rows', 'numbered', 'slips', 'index', 'art'])
    .default('columns')
    .describe(
      'columns: under hairlines. rows: title left, text right. numbered: in order. slips: two by two on paper, for claims with corrections. index: links. art: each with its image.',
    ),
  items: z.array(card).min(2).max(12).describe('The cards.'),
});

/** Two to four figures in a row between hairlines. */
const statsSchema = defineSection('stats', {
  items: z.array(figureItem).min(2).max(4).describe('The figures.'),
});

const quotation = z
  .strictObject({
    quote: text.describe('What was said.'),
    name: text.describe('Who said it.'),
    company: text.describe('Of which company.'),
    rating: z.int().min(1).max(5).optional().describe('Stars out of 5.'),
    sample: z.boolean().default(false).describe('A placeholder, not a real quotation.'),
    origin: text.optional().describe('Where it comes from: an address or a sentence. Not shown.'),
    proof: text.optional().describe('What shows that the customer exists. Not shown.'),
    verifiedOn: z.iso.date().optional().describe('Day on which that was verified. Not shown.'),
  })
  .refine(({ sample, origin }) => sample || origin !== undefined, {
    path: ['origin'],
    message: 'is missing: say where the quotation comes from, or mark it `sample: true`',
  });

/** What customers say. Samples are marked as samples, on the page too. */
const testimonialsSchema = defineSection('testimonials', {
  disclaimer: text.optional().describe('Shown near the quotations, for example that results differ.'),
  example: markdown
    .optional()
    .describe(
      'Shown in place of samples where they are hidden: an example from the prices of this site. Markdown.',
    ),
  items: z.array(quotation).min(1).max(6).describe('The quotations.'),
});

/** Running text. */
const proseSchema = defineSection('prose', {
  body: markdown.describe('Markdown: paragraphs, `##` and `###` headings, lists, tables, links.'),
  contents: z.boolean().default(false).describe('Lists the `##` headings beside the text.'),
  columns: z.boolean().default(false).describe('Sets the parts under `##` and the drawing side by side.'),
  drawing: drawing.optional().describe('A drawing under the heading, beside the text on wide screens.'),
});

/** One sentence at display size, from an article or page of this site. For customers' words: `testimonials`. */
const quoteSchema = defineSection('quote', {
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
const faqSchema = defineSection('faq', {
  items: z.array(question).min(1).max(20).describe('The questions.'),
});

/** Who wrote the page and what their judgment rests on. */
const authorSchema = defineSection('author', {
  author: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the short name of an author')
    .meta({ names: 'author', description: 'Who wrote the page.' }),
  text: text.describe('What the judgment rests on.'),
  facts: z.array(figureItem).max(4).default([]).describe('Figures of experience.'),
});

/** One thing to do now. */
const callToActionSchema = z.strictObject({
  type: z.literal('call-to-action'),
  ...bandFields,
  title: text.describe('What there is to gain, in one line.'),
  actions: z.array(action).min(1).max(3).describe('The button, and at most two ways out.'),
  points: z.array(text).max(5).default([]).describe('Conditions in a few words each.'),
  disclosure: z.boolean().default(false).describe('Repeats the short affiliate disclosure.'),
});

/** The affiliate disclosure in full. */
const disclosureSchema = defineSection('disclosure', {
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
const articleTeasersSchema = defineSection('article-teasers', {
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
  criteriaTableSchema,
  disclosureSchema,
  drawingSchema,
  faqSchema,
  findingsSchema,
  heroSchema,
  imageSchema,
  newsletterSchema,
  outcomesSchema,
  picksTableSchema,
  pricingPlansSchema,
  productBoxSchema,
  productComparisonSchema,
  prosConsSchema,
  proseSchema,
  quoteSchema,
  ratingsSchema,
  recommendationSchema,
  roundupSchema,
  savingsCalculatorSchema,
  sectionNavSchema,
  statsSchema,
  stepsSchema,
  testimonialsSchema,
  timelineSchema,
  versusSchema,
  videoSchema,
  volumePricesSchema,
  visitRecordSchema,
] as const;

/** One section of a page document. A field that its variant does not show is refused, not dropped. */
export const sectionSchema = z
  .discriminatedUnion('type', SECTION_SCHEMAS, {
    error: ({ input }) => describeUnknownType(typeof input === 'object' && input !== null ? input : {}),
  })
  .superRefine((section, issues) => {
    for (const [path, message] of listUnshownFields(section))
      issues.addIssue({ code: 'custom', path, message });
  });

type Section = z.infer<(typeof SECTION_SCHEMAS)[number]>;
type Unshown = readonly [path: (string | number)[], reason: string];

const HEADING_FIELDS = ['lead', 'illustration', 'layout', 'folded'] as const;
const FOLDED_FIELDS = ['illustration', 'background', 'spacing', 'layout'] as const;
/** What a band from edge to edge of the screen has no room for. */
const BAND_FIELDS = [
  'lead',
  'note',
  'illustration',
  'background',
  'spacing',
  'layout',
  'folded',
  'actions',
] as const;
/** Types that set their items by the layout, with a heading or without. */
const OWN_LAYOUT: ReadonlySet<string> = new Set(['steps', 'timeline']);

/** Lists the fields of a section that are filled in and that its variant does not show, with the reason. */
function listUnshownFields(section: Section): readonly Unshown[] {
  if (section.type === 'section-nav') return [];
  if (section.type === 'hero') return listUnshownInFigure(section.figure);
  const list = (names: readonly (keyof typeof sectionFields)[], reason: string): Unshown[] =>
    names
      .filter((name) => name !== 'layout' || !OWN_LAYOUT.has(section.type))
      .flatMap((name): Unshown[] => {
        const value = name in section ? Reflect.get(section, name) : undefined;
        return value === undefined || value === false ? [] : [[[name], reason]];
      });
  if (section.type === 'image' && section.span === 'full')
    return list(BAND_FIELDS, 'is not shown with `span: full`');
  return [
    ...(section.title === undefined ? list(HEADING_FIELDS, 'is shown with a `title` only') : []),
    ...('folded' in section && section.folded ? list(FOLDED_FIELDS, 'is not shown in a folded section') : []),
    ...(section.type === 'chart' && section.kind !== 'rows'
      ? (['base', 'line'] as const)
          .filter((name) => section[name] !== undefined)
          .map((name): Unshown => [[name], 'is shown with `kind: rows` only'])
      : []),
    ...(section.type === 'cards' ? listUnshownInCards(section) : []),
    ...(section.type === 'video' ? listUnshownInVideo(section, []) : []),
  ];
}

function listUnshownInCards({ variant, items }: z.infer<typeof cardsSchema>): readonly Unshown[] {
  const reason = `is not shown with \`variant: ${variant}\``;
  return items.flatMap(({ image, figure, list, action }, index) => {
    const at = (...fields: string[]) => ['items', index, ...fields];
    const unshown: Unshown[] = [];
    if (image !== undefined && variant !== 'art')
      unshown.push([at('image'), 'is shown with `variant: art` only']);
    if (figure !== undefined && (variant === 'art' || variant === 'index' || variant === 'slips'))
      unshown.push([at('figure'), reason]);
    if (variant !== 'index') return unshown;
    if (action?.variant !== undefined) unshown.push([at('action', 'variant'), reason]);
    // The title is the link, so that there is no room for a list.
    if (list !== undefined && action?.href !== undefined) unshown.push([at('list'), reason]);
    return unshown;
  });
}

function listUnshownInVideo(video: VideoFields, path: readonly string[]): readonly Unshown[] {
  if (video.youtube !== undefined) return [];
  // Chapters without a video were shown by earlier versions: their files stay valid.
  return video.length === undefined ? [] : [[[...path, 'length'], 'is shown with a `youtube` id only']];
}

function listUnshownInFigure(figure: HeroFigure | undefined): readonly Unshown[] {
  if (figure?.kind === 'video') return listUnshownInVideo(figure, ['figure']);
  if (figure?.kind === 'calendar' && figure.video)
    return listUnshownInVideo(figure.video, ['figure', 'video']);
  const isAlone = figure?.kind === 'timeline' && figure.caption !== undefined && figure.image === undefined;
  return isAlone ? [[['figure', 'caption'], 'is shown with an `image` only']] : [];
}

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
