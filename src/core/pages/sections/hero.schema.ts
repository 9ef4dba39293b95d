import { z } from 'zod';
import { imageField } from '../images/image-field.schema.ts';
import { drawing } from './drawing.schema.ts';
import { defineKind, figureItem, ILLUSTRATION_NAMES, plainFields, text } from './fields.schema.ts';
import { calculatorKey } from './forms.schema.ts';
import { captionedImageFields, videoFields } from './media.schema.ts';

const line = z.strictObject({
  label: text.describe('What the line is for.'),
  amount: text.describe('What it costs, as shown.'),
});

/** A bill that is added up. */
const billFields = {
  caption: text.describe('Head of the bill, left.'),
  unit: text.describe('Head of the bill, right.'),
  rows: z
    .array(line.extend({ detail: text.optional().describe('Small print, such as the day of the price.') }))
    .min(2)
    .max(8)
    .describe('The lines of the bill.'),
  comparison: text.optional().describe('The sum and what it is compared with; may use ~~strike~~.'),
  total: line.describe('The line set large at the end.'),
};

const receipt = defineKind('receipt', 'A bill that is added up.', billFields);

const receipts = defineKind('receipts', 'One large bill, or two or three side by side.', {
  bills: z
    .array(
      z.strictObject({
        caption: text.describe('Whose bill it is.'),
        columns: z.array(text).min(1).max(2).describe('Heads of the columns of amounts.'),
        rows: z
          .array(
            z.strictObject({
              label: text.describe('What the line is for.'),
              amounts: z.array(text).min(1).max(2).describe('One amount for each column.'),
            }),
          )
          .min(1)
          .max(8)
          .describe('The lines of the bill.'),
        results: z
          .array(line.extend({ saving: z.boolean().default(false).describe('A saving, which is green.') }))
          .min(1)
          .max(4)
          .describe('What it comes to. Of one bill, the first is the largest figure of the page.'),
      }),
    )
    .min(1)
    .max(3)
    .describe('The bills.'),
});

const side = z.strictObject({
  name: text.describe('Whose bill it is.'),
  rows: z.array(line).min(1).max(6).describe('Its lines.'),
  total: line.describe('Its sum.'),
  recommended: z.boolean().default(false).describe('The side that the page argues for.'),
});

const comparison = defineKind('comparison', 'Bills side by side.', {
  sides: z.array(side).min(2).max(4).describe('The bills.'),
  difference: line.describe('The difference that the page is about.'),
  note: text.optional().describe('Small print under the bills: the day of the prices, what is not in them.'),
});

const timeline = defineKind('timeline', 'Days on a line.', {
  steps: z
    .array(z.strictObject({ when: text.describe('The days.'), what: text.describe('What is done by then.') }))
    .min(3)
    .max(6)
    .describe('The stops, first to last.'),
  end: text.describe('What is at the end of the line.'),
  image: imageField.optional().describe('An image next to the title; below the line on phones.'),
  caption: text.optional().describe('Line under the image.'),
});

const calendar = defineKind('calendar', 'Two weeks of days with a task each, and the bill that follows.', {
  caption: text.describe('Head of the calendar, left.'),
  hint: text.optional().describe('Head of the calendar, right.'),
  blocks: z
    .array(
      z.strictObject({
        title: text.describe('What the days of the block are for.'),
        days: z.array(text).min(1).max(7).describe('The task of each day, in two to four words.'),
      }),
    )
    .min(2)
    .max(7)
    .describe('The blocks in order. Their days are counted from 1, and the last one is marked.'),
  bill: z.strictObject(billFields).describe('The bill of the day after the last.'),
  sign: line.describe('The way out, as a signpost next to the bill.'),
  advice: text.describe('A sentence or two under the sign.'),
  video: z
    .strictObject(videoFields)
    .optional()
    .describe('A video below; without an address its caption alone.'),
});

const score = z.strictObject({
  label: text.describe('What is rated.'),
  score: text.describe('The score, for example `{claim:review-value}` for 5/5.'),
});

const rating = defineKind('rating', 'A score card.', {
  subject: text.describe('What was rated.'),
  rows: z.array(score).min(2).max(6).describe('One line each.'),
  isTotalShown: z.boolean().default(true).describe('Shows the mean of the scores as the overall score.'),
  facts: z.array(figureItem).max(4).default([]).describe('Price, set-up time and the like.'),
  verdict: text.describe('The one-sentence verdict.'),
});

const video = defineKind('video', 'A video.', {
  ...videoFields,
});

const image = defineKind('image', 'An image, such as a photograph or a view of the product.', {
  ...captionedImageFields,
});

const illustration = defineKind('illustration', 'An illustration of the argument.', {
  name: z.enum(ILLUSTRATION_NAMES).describe('Which illustration.'),
});

const drawn = defineKind('drawing', 'A drawing of one task or one bill, at two thirds of the width.', {
  drawing: drawing.describe('The drawing.'),
  caption: text.optional().describe('Line under the drawing.'),
});

const row = z.strictObject({
  label: text.describe('What the row is about.'),
  cells: z.array(text).min(1).max(3).describe('One text for each column.'),
});

const table = defineKind('table', 'A table that is the argument of the page.', {
  caption: text.describe('What the table shows, for screen readers.'),
  rowHeading: text.describe('Heading of the first column.'),
  columns: z.array(text).min(1).max(3).describe('Headings of the other columns.'),
  rows: z.array(row).min(2).max(8).describe('The rows.'),
  note: text.optional().describe('Small print under the table, for example the day of the prices.'),
});

const calculator = defineKind('calculator', 'A savings calculator, on the first screen of its own page.', {
  calculator: calculatorKey,
});

/** The top of the page: one statement, what to do, and one composition of its own. */
export const heroSchema = z.strictObject({
  type: z.literal('hero'),
  ...plainFields,
  title: text.describe('The page heading (h1); `==words==` are marked.'),
  badge: text.optional().describe('A short label above the heading.'),
  points: z.array(text).max(6).optional().describe('A short list under the lead.'),
  question: z
    .strictObject({
      ask: text.describe('The question that keeps readers from the button.'),
      answer: text.describe(
        'What the offer says, with the mark of its claim. The advice and its source follow.',
      ),
    })
    .optional()
    .describe('Asked and answered above the buttons.'),
  disclosure: z
    .boolean()
    .default(false)
    .describe('Shows the disclosure of articles below the lead, in place of the line for pages.'),
  figure: z
    .discriminatedUnion('kind', [
      receipt,
      receipts,
      comparison,
      timeline,
      calendar,
      rating,
      table,
      calculator,
      video,
      image,
      illustration,
      drawn,
    ])
    .optional()
    .describe('The composition; none for a plain hero.'),
});

export type Hero = z.infer<typeof heroSchema>;
export type HeroFigure = NonNullable<Hero['figure']>;
/** One composition by its kind. */
export type HeroFigureOf<K extends HeroFigure['kind']> = Extract<HeroFigure, { kind: K }>;
