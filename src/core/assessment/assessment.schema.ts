import { z } from 'zod';
import { QUANTITIES } from '../products/product.ts';

const text = z.string().min(1);
const key = z.string().regex(/^[a-z0-9-]+$/, 'must be lower-case letters, digits and hyphens');
const code = z
  .string()
  .regex(/^[a-z0-9_-]{1,64}$/, 'must be lower-case letters, digits, hyphens and underscores, at most 64');
const planKey = z
  .string()
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)?$/, 'must be a plan such as starter or kit.creator');

const optionSchema = z.strictObject({
  /** Names the option in stored answers, forms, links and events. */
  key,
  /** Shown to visitors. */
  label: text,
  /** What partners receive; without it, the question's code of an unknown answer. */
  code: code.optional(),
  /** What the answer says for the table of prices in a result: its numbers, and the most to spend in a month. */
  numbers: z.partialRecord(z.enum([...QUANTITIES, 'budget']), z.int().min(1)).optional(),
});

const questionSchema = z.strictObject({
  /** Name of the answer in records, forms and links. */
  field: z.enum(['businessType', 'revenue', 'challenges', 'budget']),
  /** `single`: a later choice replaces the earlier; `multiple`: each is switched on and off. */
  kind: z.enum(['single', 'multiple']),
  title: text,
  help: text,
  /** Beside Continue while it is disabled. */
  hint: text,
  /** Beside the question when the form was posted without an answer. */
  error: text,
  /** What partners receive of a business type or budget that is unknown; without it, nothing. */
  unknown: code.optional(),
  options: z.array(optionSchema).min(2).max(9),
  /** Former labels, which answers stored earlier may hold, and their codes. */
  retired: z.array(optionSchema.omit({ key: true, numbers: true })).default([]),
});

/** A text, or a text that is about one monthly offer of the product in `calculators.yaml`, by its key. */
const planText = z
  .union([text, z.strictObject({ text, plan: planKey.optional(), cost: text.optional() })])
  .transform((value) => (typeof value === 'string' ? { text: value } : value));

const outcomeSchema = z.strictObject({
  key,
  /** Keys of the business types that lead here. */
  businessTypes: z.array(key).min(1),
  partner: key.meta({ names: 'partner' }),
  partnerLink: key.meta({ names: 'destination' }),
  platform: text,
  /** What it is, in a few words. */
  kind: text,
  description: text,
  /** A reason of a dearer plan than the one that fits the budget is shown with that plan, of a cheaper one not at all. */
  reasons: z.array(planText).min(2),
  ctaText: text,
  /** Second line of its buttons, when a plan fits the budget, instead of `button` in the copy of the results. */
  ctaPlan: text.optional(),
  /** Its limits in one sentence. */
  stops: text,
  /** Keys of claims about it that a source contradicts: a result shows what the source says below the limits. */
  claims: z.array(key.meta({ names: 'claim' })).default([]),
  /** An answer to each challenge, by option key. */
  challenges: z.record(key, text),
  /**
   * What each budget means here, by option key, the plan that fits it, and what that costs of the budget, for the first screen
   * of the result; budgets are in ascending order.
   */
  budgets: z.record(key, planText),
});

const testimonialSchema = z.strictObject({
  name: text,
  company: text,
  rating: z.int().min(1).max(5).optional(),
  text,
  /** An invented example, to be replaced by a customer's own words. */
  sample: z.boolean().default(false),
  /** What shows that the customer exists, and the day on which that was verified. */
  proof: text.optional(),
  verifiedOn: z.iso.date().optional(),
});

const introSchema = z.strictObject({
  headline: text,
  lead: text,
  start: text,
  resume: text,
  promise: text,
  /** On the arms of the drawn signpost. */
  signs: z.array(z.string().min(1).max(16)).min(2).max(6),
  claims: z.array(key.meta({ names: 'claim' })),
  claimsTitle: text,
  howTitle: text,
  how: z.array(z.strictObject({ title: text, text })),
  testimonialsTitle: text,
  /** In place of samples where they are hidden; left out: the block is left out too. */
  testimonialsExample: text.optional(),
  testimonials: z.array(testimonialSchema),
  closing: text,
});

const words = <Key extends string>(keys: readonly Key[]) =>
  z.strictObject(Object.fromEntries(keys.map((name) => [name, text])) as Record<Key, typeof text>);

const formSchema = words(['title', 'lead', 'submit', 'errorTitle', 'errorLead']);
const stepSchema = words(['progress', 'back', 'next', 'keys', 'keysMultiple']).extend({
  /** Above the step that a reload begins with, where nothing is stored in the browser. */
  restarted: text.default(
    'Your answers are not stored in this browser, so the assessment begins again when the page is loaded again.',
  ),
});
const resultsSchema = words([
  'title',
  'platform',
  'why',
  'challenges',
  'plan',
  'stops',
  'compareTitle',
  'compareLead',
  'yours',
  'chosen',
  'commission',
  'paid',
  'answersTitle',
  'change',
  'compare',
  'expert',
  'retake',
  'share',
  'shared',
  'shareFailed',
  'print',
  'fromLink',
  'own',
  'unread',
  'waiting',
  'noScript',
]).extend({
  compareColumns: words(['platform', 'when', 'stops']),
  /** The link in place of the table of prices, until it is loaded. */
  prices: text.default('Price all four for your numbers'),
  /** Above the first button: which plan fits the budget. `{plan}` and `{price}` are its name and its price. */
  fits: text.default('Your budget fits the {plan} plan at {price}.'),
  /** Above what sources say against claims about the platform. */
  contradicted: text.default('Before you start'),
  /** Second line of the buttons, when a plan fits the budget. */
  button: text.default('{plan} plan, {price}'),
  /** Above the reasons that need a dearer plan. */
  needs: text.default('On the {plan} plan, {price}'),
});

/** `content/assessment.yaml`: questions, rules and copy of the platform assessment. */
export const assessmentSchema = z.strictObject({
  draft: z
    .boolean()
    .default(false)
    .describe('true hides the assessment, and what leads to it, until its texts are written.'),
  /** In the order of the steps. */
  questions: z.array(questionSchema).length(4),
  /** Key of the outcome for a business type that no outcome lists. */
  fallback: key,
  outcomes: z.array(outcomeSchema).min(1),
  /** What each revenue range adds to a result, by option key. */
  revenueNotes: z.record(key, text),
  copy: z.strictObject({
    title: text,
    metaTitle: text,
    metaDescription: z.string().min(50).max(160),
    intro: introSchema,
    form: formSchema,
    step: stepSchema,
    results: resultsSchema,
  }),
});

export type Assessment = z.infer<typeof assessmentSchema>;
export type Question = z.infer<typeof questionSchema>;
export type Option = z.infer<typeof optionSchema>;
export type Outcome = z.infer<typeof outcomeSchema>;
export type Testimonial = z.infer<typeof testimonialSchema>;
