import { z } from 'zod';
import { anchor, sectionFields, text } from './fields.schema.ts';

/** The form that reaches the operator. One a page. */
export const contactFormSchema = z.strictObject({
  type: z.literal('contact-form'),
  ...sectionFields,
  topics: z
    .array(
      z.strictObject({ key: anchor.describe('Key, as in ?topic=key.'), label: text.describe('As read.') }),
    )
    .min(1)
    .max(8)
    .describe('What the message may be about; the first is chosen unless the address names one.'),
  button: text.describe('What pressing the button does.'),
  thanks: text.describe('What a sent message is answered with.'),
});
