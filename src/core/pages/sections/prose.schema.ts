import { z } from 'zod';
import { markdown, sectionFields } from './fields.schema.ts';

/** Running text. */
export const proseSchema = z.strictObject({
  type: z.literal('prose'),
  ...sectionFields,
  body: markdown.describe('Markdown: paragraphs, `##` and `###` headings, lists, tables, links.'),
  contents: z.boolean().default(false).describe('Lists the `##` headings beside the text.'),
});
