import { z } from 'zod';
import { sectionFields, siteHref, text } from './fields.schema.ts';

/** One sentence at display size, from an article or page of this site. For customers' words: `testimonials`. */
export const quoteSchema = z.strictObject({
  type: z.literal('quote'),
  ...sectionFields,
  text: text.describe('The sentence; `==words==` are marked.'),
  source: z
    .strictObject({
      label: text.describe('Name of the article or page.'),
      href: siteHref.describe('Its path.'),
    })
    .describe('Where the sentence is.'),
});
