import { z } from 'zod';
import { sectionFields, text } from './fields.schema.ts';

const list = z.array(text).min(1).max(8);

/** The verdict: for whom yes, for whom no. */
export const recommendationSchema = z.strictObject({
  type: z.literal('recommendation'),
  ...sectionFields,
  verdict: text.describe('The recommendation in one or two sentences.'),
  fits: list.describe('Choose it when …'),
  fitsTitle: text.default('Choose it when').describe('Heading of that list.'),
  notFor: list.describe('Choose something else when …'),
  notForTitle: text.default('Choose something else when').describe('Heading of that list.'),
});
