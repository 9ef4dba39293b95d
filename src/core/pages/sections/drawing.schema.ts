import { z } from 'zod';
import { sectionFields, text } from './fields.schema.ts';

const alt = text.describe('What the drawing shows, for screen readers.');

const bills = z.strictObject({
  kind: z.literal('bills').describe('Columns as tall as the bills, with a block for each line.'),
  alt,
  columns: z
    .array(
      z.strictObject({
        label: text.describe('Whose bill it is, at most two short words.'),
        total: text.describe('Its sum, for example `{price:unlimited}`.'),
        lines: z
          .array(
            z.strictObject({
              label: text.describe('What the line is for.'),
              amount: text.describe('What it costs. A line without a number has no block.'),
            }),
          )
          .min(1)
          .max(8)
          .describe('Its lines, from the bottom.'),
        recommended: z.boolean().default(false).describe('The bill that the page argues for.'),
      }),
    )
    .min(2)
    .max(3)
    .describe('The bills.'),
});

const pairs = z.strictObject({
  kind: z.literal('pairs').describe('Two bars for each case, as long as the amounts before and after.'),
  alt,
  before: text.describe('What the first bar is, in one word.'),
  after: text.describe('What the second bar is, in one word.'),
  rows: z
    .array(
      z.strictObject({
        label: text.describe('The case, in one or two words.'),
        from: text.describe('The amount before.'),
        to: text.describe('The amount after.'),
      }),
    )
    .min(2)
    .max(4)
    .describe('The cases.'),
});

const stops = z.strictObject({
  kind: z.literal('stops').describe('A road with a numbered stop for each step.'),
  alt,
  stops: z
    .array(z.strictObject({ label: text.max(14).optional().describe('The step in one word.') }))
    .min(3)
    .max(12)
    .describe('The steps in order; name at most eight.'),
});

const merge = z.strictObject({
  kind: z.literal('merge').describe('Several things in the air, and the one that they become.'),
  alt,
  parts: z.array(text.max(10)).min(3).max(9).describe('The things, in one word each.'),
  into: text.max(24).describe('What they become.'),
});

const weeks = z.strictObject({
  kind: z.literal('weeks').describe('A bar for each job, as long as its weeks.'),
  alt,
  unit: text.describe('Label of the axis, for example `Week`.'),
  last: z.int().min(2).max(16).describe('The last week of the axis; the first is 0.'),
  rows: z
    .array(
      z.strictObject({
        label: text.max(14).describe('The job in one word.'),
        from: z.number().min(0).describe('Where it begins.'),
        to: z.number().min(0).describe('Where it ends.'),
      }),
    )
    .min(2)
    .max(8)
    .describe('The jobs in order.'),
});

const messages = z.strictObject({
  kind: z.literal('messages').describe('A short exchange of messages, as on a phone.'),
  alt,
  items: z
    .array(
      z.strictObject({
        time: text.describe('When, for example `6:42 pm`.'),
        text: text.describe('The message, or what happens.'),
        from: z
          .enum(['event', 'customer', 'business'])
          .default('event')
          .describe('Who writes: left the customer, right the business; an event is in the middle.'),
      }),
    )
    .min(2)
    .max(5)
    .describe('What happens, in order.'),
});

/** A drawing whose words and figures are content, so that it shows what the page says. */
export const drawing = z.discriminatedUnion('kind', [bills, pairs, stops, merge, weeks, messages]);

/** A drawing with its caption as a section of its own. */
export const drawingSchema = z.strictObject({
  type: z.literal('drawing'),
  ...sectionFields,
  drawing: drawing.describe('The drawing.'),
  caption: text.optional().describe('Line under the drawing: what the figures rest on.'),
});

export type Drawing = z.infer<typeof drawing>;
/** One drawing by its kind. */
export type DrawingOf<K extends Drawing['kind']> = Extract<Drawing, { kind: K }>;
