import { z } from 'zod';
import { imageField } from '../images/image-field.schema.ts';
import { action, defineSection, figureItem, markdown, text } from './fields.schema.ts';

const step = z.strictObject({
  title: text.describe('What to do.'),
  text: text.describe('How, in one to three sentences.'),
  time: text.optional().describe('How long it takes.'),
});

/** Numbered steps that are done in order. */
export const stepsSchema = defineSection('steps', {
  items: z.array(step).min(2).max(8).describe('The steps.'),
});

const stage = z.strictObject({
  when: text.describe('The days or weeks, for example `Days 1-2`.'),
  title: text.describe('What is done.'),
  text: text.describe('How, in one to three sentences.'),
  done: text.optional().describe('How you know that it is done.'),
});

/** What happens when, in order. */
export const timelineSchema = defineSection('timeline', {
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
export const checklistSchema = defineSection('checklist', {
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
export const findingsSchema = defineSection('findings', {
  items: z.array(finding).min(2).max(8).describe('The findings.'),
});

const outcome = z.strictObject({
  title: text.describe('The outcome.'),
  text: text.describe('What it takes, in one to three sentences.'),
  figure: text.optional().describe('Its figure: `{claim:key}`.'),
  status: text.optional().describe('How sure it is, for example `{claim:key.status}`.'),
});

/** What to expect, likely and unlikely, in plain words. */
export const outcomesSchema = defineSection('outcomes', {
  items: z.array(outcome).min(2).max(8).describe('The outcomes.'),
});

const side = z.strictObject({
  title: text.describe('Heading of the list.'),
  items: z.array(text).min(2).max(10).describe('Its points.'),
});

/** Strengths beside limitations. */
export const prosConsSchema = defineSection('pros-cons', {
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
export const cardsSchema = defineSection('cards', {
  variant: z
    .enum(['columns', 'rows', 'numbered', 'slips', 'index', 'art'])
    .default('columns')
    .describe(
      'columns: under hairlines. rows: title left, text right. numbered: in order. slips: two by two on paper, for claims with corrections. index: links. art: each with its image.',
    ),
  items: z.array(card).min(2).max(12).describe('The cards.'),
});

/** Two to four figures in a row between hairlines. */
export const statsSchema = defineSection('stats', {
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
  })
  .refine(({ sample, origin }) => sample || origin !== undefined, {
    path: ['origin'],
    message: 'is missing: say where the quotation comes from, or mark it `sample: true`',
  });

/** What customers say. Samples are marked as samples, on the page too. */
export const testimonialsSchema = defineSection('testimonials', {
  disclaimer: text.optional().describe('Shown near the quotations, for example that results differ.'),
  example: markdown
    .optional()
    .describe(
      'Shown in place of samples where they are hidden: an example from the prices of this site. Markdown.',
    ),
  items: z.array(quotation).min(1).max(6).describe('The quotations.'),
});
