import { z } from 'zod';
import { imageField } from '../image-field.schema.ts';
import { action, sectionFields, text } from './fields.schema.ts';

const card = z.strictObject({
  title: text.describe('What it is about.'),
  text: text.describe('One to three sentences.'),
  image: imageField.optional().describe('An image above the title, with variant art.'),
  figure: text.optional().describe('A figure set large above the title.'),
  list: z.array(text).max(8).optional().describe('Short points under the text.'),
  meta: text.optional().describe('A quiet word at the end: reading time, a price, a plan.'),
  action: action.optional().describe('A link; with variant index the title carries it.'),
});

/** Several short texts of the same kind. */
export const cardsSchema = z.strictObject({
  type: z.literal('cards'),
  ...sectionFields,
  variant: z
    .enum(['columns', 'rows', 'numbered', 'index', 'art'])
    .default('columns')
    .describe(
      'columns: under hairlines. rows: title left, text right. numbered: in order. index: links. art: each with its image.',
    ),
  items: z.array(card).min(2).max(12).describe('The cards.'),
});
