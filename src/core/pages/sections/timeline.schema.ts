import { z } from 'zod';
import { sectionFields, text } from './fields.schema.ts';

const stage = z.strictObject({
  when: text.describe('The days or weeks, for example `Days 1-2`.'),
  title: text.describe('What is done.'),
  text: text.describe('How, in one to three sentences.'),
  done: text.optional().describe('How you know that it is done.'),
});

/** What happens when, in order. */
export const timelineSchema = z.strictObject({
  type: z.literal('timeline'),
  ...sectionFields,
  items: z.array(stage).min(2).max(10).describe('The stops, first to last.'),
});
