import { z } from 'zod';
import { figureItem, sectionFields } from './fields.schema.ts';

/** Two to four figures in a row between hairlines. */
export const statsSchema = z.strictObject({
  type: z.literal('stats'),
  ...sectionFields,
  items: z.array(figureItem).min(2).max(4).describe('The figures.'),
});
