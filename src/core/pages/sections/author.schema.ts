import { z } from 'zod';
import { figureItem, sectionFields, text } from './fields.schema.ts';

/** Who wrote the page and what their judgment rests on. */
export const authorSchema = z.strictObject({
  type: z.literal('author'),
  ...sectionFields,
  author: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the name of a file in content/authors/ without its ending')
    .describe('Key of a file in content/authors/.'),
  text: text.describe('What the judgment rests on.'),
  facts: z.array(figureItem).max(4).default([]).describe('Figures of experience.'),
});
