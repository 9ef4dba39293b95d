import { z } from 'zod';
import { amount, sectionFields, text } from './fields.schema.ts';

const value = z.strictObject({
  label: text.describe('What the value belongs to.'),
  value: amount
    .pipe(z.number().min(0, 'must not be negative'))
    .describe('The value: a number or `{claim:key}`.'),
  variant: z
    .enum(['default', 'recommended', 'quiet'])
    .default('default')
    .describe('recommended: the one argued for.'),
  detail: text.optional().describe('Further words in the tooltip and the table.'),
});

/** What a chart draws, in a section or in a hero. */
export const chartFields = {
  unit: z.enum(['$', '%']).describe('Goes with every value: $ before, % after.'),
  per: text.optional().describe('What the values are per, for example `a month`.'),
  labelHeading: text.describe('Heading of the first column of the table.'),
  valueHeading: text.describe('Heading of the value column of the table.'),
  items: z
    .array(value)
    .min(2)
    .max(8)
    .refine((items) => items.some((item) => item.value > 0), 'needs a value above 0')
    .describe('The values in order.'),
};

/** Figures as an image and, for everyone, as a table. */
export const chartSchema = z.strictObject({
  type: z.literal('chart'),
  ...sectionFields,
  kind: z.enum(['pie', 'bars', 'efficiency']).describe('pie: shares. bars: columns. efficiency: lying bars.'),
  caption: text.describe('One sentence that says what the chart shows.'),
  ...chartFields,
});
