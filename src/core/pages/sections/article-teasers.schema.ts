import { z } from 'zod';
import { sectionFields } from './fields.schema.ts';

/** Articles of the blog. */
export const articleTeasersSchema = z.strictObject({
  type: z.literal('article-teasers'),
  ...sectionFields,
  slugs: z.array(z.string()).min(1).max(8).optional().describe('These articles; the newest when left out.'),
  count: z.int().min(1).max(8).default(3).describe('How many of the newest.'),
});
