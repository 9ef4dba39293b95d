import { z } from 'zod';
import { action, sectionFields, text } from './fields.schema.ts';

/** One thing to do now. */
export const callToActionSchema = z.strictObject({
  type: z.literal('call-to-action'),
  ...sectionFields,
  title: text.describe('What there is to gain, in one line.'),
  actions: z.array(action).min(1).max(3).describe('The button, and at most two ways out.'),
  points: z.array(text).max(5).default([]).describe('Conditions in a few words each.'),
  disclosure: z.boolean().default(false).describe('Repeats the short affiliate disclosure.'),
});
