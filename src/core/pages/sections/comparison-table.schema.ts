import { z } from 'zod';
import { sectionFields, text } from './fields.schema.ts';

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
export const comparisonTableSchema = z
  .strictObject({
    type: z.literal('comparison-table'),
    ...sectionFields,
    caption: text.describe('What the table compares; read out before it.'),
    rowHeading: text.describe('Heading of the first column.'),
    columns: z.array(column).min(1).max(5).describe('The columns after the first.'),
    rows: z.array(row).min(1).describe('The rows.'),
    sums: z.array(sum).max(3).default([]).describe('Rows under the line.'),
  })
  .superRefine(({ columns, rows, sums }, issues) => {
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
