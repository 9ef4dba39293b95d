import { z } from 'zod';
import { figureItem, sectionFields, text } from './fields.schema.ts';

/** Who wrote the page and what their judgement rests on. */
export const authorSchema = z.strictObject({
  type: z.literal('author'),
  ...sectionFields,
  name: text.describe('Who signs the page.'),
  role: text.describe('In what capacity.'),
  text: text.describe('What the judgement rests on.'),
  facts: z.array(figureItem).max(4).default([]).describe('Figures of experience.'),
});
