import { z } from 'zod';
import { amount, sectionFields, text } from './fields.schema.ts';

const rating = z.strictObject({
  title: text.describe('What is rated.'),
  score: text.describe('As shown, for example `{claim:review-value}` for 5/5.'),
  stars: amount.pipe(z.number().min(0).max(5)).describe('The stars to fill: the figure before the `/`.'),
  text: text.describe('Why it got that score.'),
});

/** Scores with the reasons for them. */
export const ratingsSchema = z.strictObject({
  type: z.literal('ratings'),
  ...sectionFields,
  items: z.array(rating).min(2).max(6).describe('The scores.'),
});
