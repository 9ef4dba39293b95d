import { z } from 'zod';
import { parseCheckDay } from '../../outbound/check-id.ts';

const HEADING = /^\S+(?: \S+){0,5}$/;
const SENTENCE = /^\S+(?: \S+){0,13}\.$/;
const source = z.url({ protocol: /^https$/ });

/** What a source says that contradicts a claim. Prices that it names count as one word. */
const factSchema = z.strictObject({
  /** What to do, or what is so: at most six words. Stands at the claim, and at a public address in place of it. */
  heading: z.string().regex(HEADING, 'must be at most six words'),
  /** One sentence of at most 14 words. */
  text: z.string().regex(SENTENCE, 'must be one sentence of at most 14 words, with a period'),
  source,
  /** Day of the copy that was read, or of the last check. */
  checked: z.iso.date(),
  /** The provider's own page, which nobody has opened, and what `text` becomes when it says so. */
  page: z
    .strictObject({ source, text: z.string().regex(SENTENCE, 'must be one sentence of at most 14 words') })
    .optional(),
});

/** What a claim had before `fact`; its texts have no bounds. */
const formerSchema = z.strictObject({
  text: z.string().min(1),
  who: z.string().optional(),
  short: z.string().optional(),
  source,
  checked: z.iso.date(),
});

/** One figure that pages may state, written once. */
const claimFields = z.strictObject({
  /** As shown, for example `1,000+` or `$2,400`. */
  figure: z.string().min(1),
  /** What the figure counts, in the words beside it. */
  wording: z.string().min(1),
  /** Where it comes from: an address or a sentence. Empty: no source yet. */
  evidence: z.string().default(''),
  /** A claim about this site itself, made up as an invented quotation is: shown only where samples are. */
  sample: z.boolean().optional(),
  /** Day of the last check, `YYYY-MM-DD`. */
  checked: z.iso.date().optional(),
  /** Id of a check of a link that shows it, which has its day: pages say it, and `checked` is not needed. */
  check: z
    .string()
    .refine((id) => parseCheckDay(id) !== null, 'must be the id of a check, such as lc-20261103-9f2c61aa')
    .optional(),
  /** Who makes it; left out: this site. Pages give a claim to nobody else. */
  claimedBy: z
    .union([
      z.enum(['this site', 'pages of this kind']),
      /** A provider or a third party, and where and when it was read. */
      z.strictObject({ name: z.string().min(1), source, checked: z.iso.date() }),
    ])
    .optional(),
  fact: factSchema.optional(),
  sourceSays: formerSchema.optional(),
  /** Same `subject` with different figures in two claims is reported as a contradiction. */
  subject: z.string().optional(),
});

const claimSchema = claimFields.transform(({ sourceSays, ...claim }) => {
  if (sourceSays === undefined) return claim;
  const { short: heading = 'A source disagrees', text, source, checked } = sourceSays;
  return { fact: { heading, text, source, checked }, ...claim };
});

/** `content/claims/*.yaml`: claims by key. */
export const claimFileSchema = z.record(z.string().regex(/^[a-z0-9-]+$/), claimSchema);

export type Claim = z.infer<typeof claimSchema> & { readonly key: string };
