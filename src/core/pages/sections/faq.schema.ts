import { z } from 'zod';
import { markdown, sectionFields, text } from './fields.schema.ts';

const question = z.strictObject({
  question: text.describe('As a visitor would ask it.'),
  answer: markdown.describe('The answer first, then the reason. Markdown.'),
});

/** Questions that open one at a time; search engines get them as data. */
export const faqSchema = z.strictObject({
  type: z.literal('faq'),
  ...sectionFields,
  items: z.array(question).min(1).max(20).describe('The questions.'),
});
