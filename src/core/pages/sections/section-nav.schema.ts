import { z } from 'zod';
import { action, anchor, sectionFields, text } from './fields.schema.ts';

/** A bar that stays in view with links to sections; a menu on phones. */
export const sectionNavSchema = z.strictObject({
  type: z.literal('section-nav'),
  id: sectionFields.id,
  label: text.describe('Name of the navigation, for screen readers.'),
  brand: text.optional().describe('Words at the left of the bar.'),
  items: z
    .array(z.strictObject({ label: text.describe('As read.'), to: anchor.describe('The id of a section.') }))
    .min(2)
    .max(6)
    .describe('The links, in the order of the sections.'),
  action: action.optional().describe('A button at the right end.'),
});
