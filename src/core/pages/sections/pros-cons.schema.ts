import { z } from 'zod';
import { sectionFields, text } from './fields.schema.ts';

const side = z.strictObject({
  title: text.describe('Heading of the list.'),
  items: z.array(text).min(2).max(10).describe('Its points.'),
});

/** Strengths beside limitations. */
export const prosConsSchema = z.strictObject({
  type: z.literal('pros-cons'),
  ...sectionFields,
  pros: side.describe('What speaks for it.'),
  cons: side.describe('What speaks against it.'),
});
