import { z } from 'zod';
import { action, amount, defineSection, text } from './fields.schema.ts';

/** A cell may be empty where a sum belongs to one column only. */
const cells = z.array(z.string().trim()).min(1).max(5);

const column = z.strictObject({
  label: text.describe('Whose column it is.'),
  numeric: z.boolean().default(false).describe('Sets the cells to the right, digits under digits.'),
  recommended: z.boolean().default(false).describe('The column that the page argues for.'),
});

const row = z.strictObject({
  group: text.optional().describe('Begins a group of rows with this heading.'),
  label: text.describe('What the row compares.'),
  detail: text.optional().describe('Small print under the label.'),
  cells: cells.describe('A text for each column; `yes`, `no` and `partly` become marks.'),
});

const sum = z.strictObject({ label: text.describe('What is added up.'), cells: cells.describe('The sums.') });

/** A table with a row for each feature or cost and a column for each offer. */
export const comparisonTableSchema = defineSection('comparison-table', {
  caption: text.describe('What the table compares; read out before it.'),
  rowHeading: text.describe('Heading of the first column.'),
  columns: z.array(column).min(1).max(5).describe('The columns after the first.'),
  rows: z.array(row).min(1).describe('The rows.'),
  sums: z.array(sum).max(5).default([]).describe('Rows under the line.'),
}).superRefine(({ columns, rows, sums }, issues) => {
  const check = (field: 'rows' | 'sums', row: { cells: string[] }, index: number) => {
    if (row.cells.length === columns.length) return;
    issues.addIssue({
      code: 'custom',
      path: [field, index, 'cells'],
      message: `has ${row.cells.length} cells for ${columns.length} columns`,
    });
  };
  rows.forEach((row, index) => {
    check('rows', row, index);
  });
  sums.forEach((row, index) => {
    check('sums', row, index);
  });
});

const side = z.strictObject({
  title: text.describe('Heading of the side.'),
  items: z.array(text).min(2).max(10).describe('Its points.'),
  total: text.optional().describe('What it adds up to, set large.'),
});

/** The same work before and after a change. */
export const beforeAfterSchema = defineSection('before-after', {
  before: side.describe('How it is now.'),
  after: side.describe('How it would be.'),
});

export type BeforeAfter = z.infer<typeof beforeAfterSchema>;

const plan = z.strictObject({
  name: text.describe('Name of the plan, for example `{plan:starter.name}`.'),
  price: text.describe('The price, for example `{price:starter}`.'),
  per: text.default('/month').describe('What the price is per.'),
  audience: text.describe('Whom the plan is for.'),
  items: z.array(text).min(2).max(10).describe('What it contains.'),
  notFor: text.optional().describe('When it is the wrong plan, or what to do without a button.'),
  recommended: z.boolean().default(false).describe('The plan that the page recommends.'),
  action: action.optional().describe('The button of the plan.'),
});

/** Plans with their prices; records `pricing_view` when it comes into view. */
export const pricingPlansSchema = defineSection('pricing-plans', {
  plans: z.array(plan).min(1).max(3).describe('The plans, cheapest first.'),
  terms: z.array(text).max(6).default([]).describe('Terms that apply to every plan.'),
});

export type PricingPlans = z.infer<typeof pricingPlansSchema>;

const rating = z.strictObject({
  title: text.describe('What is rated.'),
  score: text.describe('As shown, for example `{claim:review-value}` for 5/5.'),
  stars: amount
    .pipe(z.number().min(0).max(5))
    .optional()
    .describe('The stars to fill: the figure before the `/`. Left out: no stars.'),
  text: text.describe('Why it got that score.'),
});

/** Scores with the reasons for them. */
export const ratingsSchema = defineSection('ratings', {
  items: z.array(rating).min(2).max(6).describe('The scores.'),
});

const list = z.array(text).min(1).max(8);

/** The verdict: for whom yes, for whom no. */
export const recommendationSchema = defineSection('recommendation', {
  verdict: text.describe('The recommendation in one or two sentences.'),
  fits: list.describe('Choose it when …'),
  fitsTitle: text.default('Choose it when').describe('Heading of that list.'),
  notFor: list.describe('Choose something else when …'),
  notForTitle: text.default('Choose something else when').describe('Heading of that list.'),
});
