import { z } from 'zod';
import { sectionFields, text } from './fields.schema.ts';

const outcome = z.strictObject({
  title: text.describe('The outcome.'),
  text: text.describe('What it takes, in one to three sentences.'),
  figure: text.optional().describe('Its figure: `{claim:key}`.'),
  status: text.optional().describe('How sure it is, for example `{claim:key.status}`.'),
});

/** What to expect, likely and unlikely, in plain words. */
export const outcomesSchema = z.strictObject({
  type: z.literal('outcomes'),
  ...sectionFields,
  items: z.array(outcome).min(2).max(8).describe('The outcomes.'),
});
