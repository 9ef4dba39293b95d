import { z } from 'zod';
import { sectionFields, text } from './fields.schema.ts';

const quotation = z
  .strictObject({
    quote: text.describe('What was said.'),
    name: text.describe('Who said it.'),
    company: text.describe('Of which company.'),
    rating: z.int().min(1).max(5).optional().describe('Stars out of 5.'),
    sample: z.boolean().default(false).describe('A placeholder, not a real quotation.'),
    origin: text.optional().describe('Where it comes from: an address or a sentence. Not shown.'),
  })
  .refine(({ sample, origin }) => sample || origin !== undefined, {
    path: ['origin'],
    message: 'is missing: say where the quotation comes from, or mark it `sample: true`',
  });

/** What customers say. Samples are marked as samples, on the page too. */
export const testimonialsSchema = z.strictObject({
  type: z.literal('testimonials'),
  ...sectionFields,
  disclaimer: text.optional().describe('Shown near the quotations, for example that results differ.'),
  items: z.array(quotation).min(1).max(6).describe('The quotations.'),
});
