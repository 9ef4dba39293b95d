import { z } from 'zod';
import { defineKind, defineSection, text } from './fields.schema.ts';

const alt = text.describe('What the drawing shows, for screen readers.');

/** A kind of drawing with its fields. */
const defineDrawing = <Kind extends string, Fields extends z.ZodRawShape>(
  kind: Kind,
  description: string,
  fields: Fields,
) => defineKind(kind, description, { alt, ...fields });

const defineList = <Fields extends z.ZodRawShape>(
  [min, max]: readonly [min: number, max: number],
  description: string,
  fields: Fields,
) => z.array(z.strictObject(fields)).min(min).max(max).describe(description);

const bills = defineDrawing('bills', 'Columns as tall as the bills, with a block for each line.', {
  columns: defineList([2, 3], 'The bills.', {
    label: text.describe('Whose bill it is, at most two short words.'),
    total: text.describe('Its sum, for example `{price:unlimited}`.'),
    lines: defineList([1, 8], 'Its lines, from the bottom.', {
      label: text.describe('What the line is for.'),
      amount: text.describe('What it costs. A line without a number has no block.'),
    }),
    recommended: z.boolean().default(false).describe('The bill that the page argues for.'),
  }),
});

const pairs = defineDrawing('pairs', 'Two bars for each case, as long as the amounts before and after.', {
  before: text.describe('What the first bar is, in one word.'),
  after: text.describe('What the second bar is, in one word.'),
  rows: defineList([2, 4], 'The cases.', {
    label: text.describe('The case, in one or two words.'),
    from: text.describe('The amount before.'),
    to: text.describe('The amount after.'),
  }),
});

const stops = defineDrawing('stops', 'A road with a numbered stop for each step.', {
  stops: defineList([3, 12], 'The steps in order.', {
    label: text.max(14).optional().describe('The step in one word.'),
  }),
});

const weeks = defineDrawing('weeks', 'A bar for each job, as long as its weeks.', {
  unit: text.describe('Label of the axis, for example `Week`.'),
  last: z.int().min(2).max(16).describe('The last week of the axis; the first is 0.'),
  rows: defineList([2, 8], 'The jobs in order.', {
    label: text.max(14).describe('The job in one word.'),
    from: z.number().min(0).describe('Where it begins.'),
    to: z.number().min(0).describe('Where it ends.'),
  }),
});

const events = (min: number) =>
  defineList([min, 5], 'What happens, in order.', {
    time: text.describe('When, for example `6:42 pm`.'),
    text: text.describe('The message, or what happens.'),
    from: z
      .enum(['event', 'customer', 'business'])
      .default('event')
      .describe('Who writes: left the customer, right the business; an event is in the middle.'),
  });

const messages = defineDrawing('messages', 'A short exchange of messages, as on a phone.', {
  items: events(2),
});

const crop = defineDrawing(
  'crop',
  'A detail of a screen with one task, cut off at the right, labeled as a drawing.',
  {
    menu: text.max(28).describe('The name of the menu or feature, as the provider writes it.'),
    columns: defineList([0, 3], 'Columns such as stages or days; the last is cut off.', {
      label: text.max(14).describe('Its heading.'),
      entries: z.array(text.max(18)).max(4).describe('What is in it.'),
    }).default([]),
    marked: text.optional().describe('The entry that the task is about, as in its column.'),
    items: events(1),
  },
);

const stages = defineDrawing('stages', 'Boxes one below the other, with what leads from each to the next.', {
  items: defineList([3, 6], 'The stages in order.', {
    label: text.max(18).describe('The stage in one or two words.'),
    by: text.max(18).optional().describe('What leads to it from the stage above. Not shown for the first.'),
  }),
});

/** A drawing whose words and figures are content, so that it shows what the page says. */
export const drawing = z.discriminatedUnion('kind', [
  bills,
  pairs,
  stops,

  weeks,
  stages,
  messages,
  crop,
]);

/** Turns the kind of a drawing that earlier versions had, several tools and what they become, into a road with stops. */
export function updateDrawings(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(updateDrawings);
  if (typeof value !== 'object' || value === null) return value;
  const { kind, alt, parts, into } = Object(value);
  if (kind === 'merge' && Array.isArray(parts))
    return { kind: 'stops', alt, stops: [...parts, into].map((label) => ({ label })) };
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, updateDrawings(part)]));
}

/** A drawing with its caption as a section of its own. */
export const drawingSchema = defineSection('drawing', {
  drawing: drawing.describe('The drawing.'),
  caption: text.optional().describe('Line under the drawing: what the figures rest on.'),
});

export type Drawing = z.infer<typeof drawing>;
/** One drawing by its kind. */
export type DrawingOf<K extends Drawing['kind']> = Extract<Drawing, { kind: K }>;
