import { z } from 'zod';
import { sectionFields, text } from './fields.schema.ts';

const finding = z.strictObject({
  figure: text.describe('The figure: `{claim:key}`.'),
  label: text.describe('What it counts.'),
  text: text.optional().describe('What follows from it.'),
  status: text.optional().describe('What it rests on: `{claim:key.status}`.'),
});

/** Findings of a report: the figure, what it says, and what it rests on. */
export const findingsSchema = z.strictObject({
  type: z.literal('findings'),
  ...sectionFields,
  items: z.array(finding).min(2).max(8).describe('The findings.'),
});
