import { z } from 'zod';
import { sectionFields, text } from './fields.schema.ts';

/** A form that signs visitors up for the newsletter. One a page; shown when NEWSLETTER_PROVIDER is set. */
export const newsletterSchema = z.strictObject({
  type: z.literal('newsletter'),
  ...sectionFields,
  consent: text
    .max(1_000)
    .describe(
      'What visitors agree to by checking the box: who writes, about what, how often, how to end it.',
    ),
  button: text.describe('What pressing the button does.'),
  thanks: text.describe(
    'What a sign-up is answered with, for example that a confirmation email is on its way.',
  ),
});
