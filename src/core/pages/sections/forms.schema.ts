import { z } from 'zod';
import { anchor, defineSection, text } from './fields.schema.ts';

/** The form that reaches the operator. One a page. */
export const contactFormSchema = defineSection('contact-form', {
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

/** A form that signs visitors up for the newsletter. One a page; shown when NEWSLETTER_PROVIDER is set. */
export const newsletterSchema = defineSection('newsletter', {
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

/** What the site knows of this visit, shown and deleted on request. Without scripts, its text alone. */
export const visitRecordSchema = defineSection('visit-record', {
  text: text.max(1_000).describe('What can be shown and deleted, and what to do without the buttons.'),
  show: text.describe('The button that shows it.'),
  remove: text.describe('The button that deletes it.'),
  browser: text.describe('Above what the browser stores.'),
  server: text.describe('Above what the server stores.'),
  none: text.describe('What is said when nothing is stored.'),
  unknown: text.describe('What is said when the visit has no number by which the server could find it.'),
  removed: text.describe('What is said when it has been deleted.'),
  failed: text.describe('What is said when the site cannot be reached.'),
});

/** Which calculator a section or a hero shows. */
export const calculatorKey = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, 'only a-z, 0-9 and -')
  .meta({ names: 'calculator', description: 'Which calculator is shown.' });

/** A savings calculator of `content/calculators.yaml`. */
export const savingsCalculatorSchema = defineSection('savings-calculator', {
  calculator: calculatorKey,
});
