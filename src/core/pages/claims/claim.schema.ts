import { z } from 'zod';
import { parseCheckDay } from '../../outbound/check-id.ts';

/** One figure that pages may state, written once. */
const claimSchema = z.strictObject({
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
  /** What a source says that contradicts the claim: the claim stays, marked, and pages show this with it. */
  sourceSays: z
    .strictObject({
      /** Whole sentences. */
      text: z.string().min(1),
      /** Who disagrees with the claim; a source when it is left out. */
      who: z.enum(['source', 'provider', 'terms']).optional(),
      /** What to do about it, in at most five words: stands before the text, highlighted. */
      short: z
        .string()
        .regex(/^\S+(?: \S+){0,4}$/, 'must be at most five words')
        .optional(),
      source: z.url({ protocol: /^https$/ }),
      /** Day of the copy that was read, or of the last check. */
      checked: z.iso.date(),
    })
    .optional(),
  /** Same `subject` with different figures in two claims is reported as a contradiction. */
  subject: z.string().optional(),
});

/** `content/claims/*.yaml`: claims by key. */
export const claimFileSchema = z.record(z.string().regex(/^[a-z0-9-]+$/), claimSchema);

export type Claim = z.infer<typeof claimSchema> & { readonly key: string };
