import { z } from 'zod';
import { sectionFields, text } from './fields.schema.ts';

const side = z.strictObject({
  title: text.describe('Heading of the side.'),
  items: z.array(text).min(2).max(10).describe('Its points.'),
  total: text.optional().describe('What it adds up to, set large.'),
});

/** The same work before and after a change. */
export const beforeAfterSchema = z.strictObject({
  type: z.literal('before-after'),
  ...sectionFields,
  before: side.describe('How it is now.'),
  after: side.describe('How it would be.'),
});

export type BeforeAfter = z.infer<typeof beforeAfterSchema>;
