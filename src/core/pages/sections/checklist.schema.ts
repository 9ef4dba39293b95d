import { z } from 'zod';
import { sectionFields, text } from './fields.schema.ts';

const point = z.strictObject({
  text: text.describe('The point.'),
  detail: text.optional().describe('A sentence more about it.'),
});

const group = z.strictObject({
  title: text.optional().describe('Heading of the group.'),
  items: z.array(point).min(1).max(12).describe('The points.'),
});

/** What is included, or what to tick off. */
export const checklistSchema = z.strictObject({
  type: z.literal('checklist'),
  ...sectionFields,
  groups: z.array(group).min(1).max(6).describe('One group, or several with headings.'),
});
