import { z } from 'zod';
import { sectionFields, text } from './fields.schema.ts';

/** The affiliate disclosure in full. */
export const disclosureSchema = z.strictObject({
  type: z.literal('disclosure'),
  ...sectionFields,
  text: text.optional().describe("Instead of the site's full disclosure."),
});
