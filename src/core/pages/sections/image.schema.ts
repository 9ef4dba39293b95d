import { z } from 'zod';
import { imageField } from '../image-field.schema.ts';
import { sectionFields, text } from './fields.schema.ts';

/** An image with its caption, wherever a page shows it. */
export const captionedImageFields = {
  image: imageField.describe('The image file, its alternative text and its focal point.'),
  caption: text.optional().describe('Line under the image.'),
};

/** One image at the full width of the section. */
export const imageSchema = z.strictObject({
  type: z.literal('image'),
  ...sectionFields,
  ...captionedImageFields,
});

/** An image with its caption, without its section. */
export type CaptionedImage = z.infer<z.ZodObject<typeof captionedImageFields>>;
