import { z } from 'zod';
import { imageField } from '../image-field.schema.ts';
import { sectionFields, text } from './fields.schema.ts';

/** An image with its caption, wherever a page shows it. */
export const captionedImageFields = {
  image: imageField.describe('The image file, its alternative text and its focal point.'),
  caption: text.optional().describe('Line under the image.'),
};

/** One image, as wide as the text column of the page or, with `span: full`, as the screen. */
export const imageSchema = z.strictObject({
  type: z.literal('image'),
  ...sectionFields,
  ...captionedImageFields,
  span: z
    .enum(['column', 'full'])
    .default('column')
    .describe('full: a band from edge to edge of the screen.'),
});

/** An image with its caption, without its section. */
export type CaptionedImage = z.infer<z.ZodObject<typeof captionedImageFields>>;
