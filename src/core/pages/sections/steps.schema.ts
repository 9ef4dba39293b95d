import { z } from 'zod';
import { sectionFields, text } from './fields.schema.ts';

const step = z.strictObject({
  title: text.describe('What to do.'),
  text: text.describe('How, in one to three sentences.'),
  time: text.optional().describe('How long it takes.'),
});

/** Numbered steps that are done in order. */
export const stepsSchema = z.strictObject({
  type: z.literal('steps'),
  ...sectionFields,
  items: z.array(step).min(2).max(8).describe('The steps.'),
});
