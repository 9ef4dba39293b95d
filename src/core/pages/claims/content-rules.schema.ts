import { z } from 'zod';
import { text } from '../sections/fields.schema.ts';
import { RULE_IDS } from './content-rules.ts';

const day = z.iso.date('must be a day such as 2026-11-21');
const https = z.url({ protocol: /^https$/, error: 'must be an https address' });

const allowance = z.strictObject({
  rule: z.enum(RULE_IDS).describe('What is allowed: the name at the end of a finding.'),
  words: text.optional().describe('Words of the sentence; left out: all that the rule finds in the file.'),
  reason: text.describe('Why it is right as it is.'),
  by: text.max(80).describe('Who decided it.'),
  day: day.describe('When.'),
});
export type Allowance = z.infer<typeof allowance>;

/** `content/allowed.yaml`: what files say although a rule finds it, such as wording that was specified. */
export const allowedFileSchema = z.array(allowance.extend({ file: text }));

const proof = z
  .strictObject({
    words: text.describe('Words of the sentence that it is about.'),
    source: https.optional().describe('Where it is said.'),
    checked: day.optional().describe('Day on which that was read.'),
    count: z.int().min(1).optional().describe('Of how many ratings.'),
    until: day.optional().describe('Until when it is true.'),
    evidence: text.optional().describe('What shows it.'),
    scheme: text.optional().describe('Certification scheme and number.'),
    plan: https.optional().describe('The public plan, with who checks it.'),
    lowest30: z
      .strictObject({ amount: z.number().positive(), from: day, to: day, source: https })
      .optional()
      .describe('The lowest price of the 30 days before.'),
  })
  .describe('What shows that words are true.');

/** What pages, articles and products say of themselves for the rules and the dossier. */
export const ruleFields = {
  proofs: z.array(proof).max(50).optional().describe('What shows that words of the copy are true.'),
  allow: z.array(allowance).max(50).optional().describe('Findings of rules that are right as they are.'),
};

/** How the text of a piece was made. */
export const provenanceFields = {
  provenance: z
    .strictObject({
      kind: z.enum(['human', 'assisted', 'generated']),
      tool: text.optional(),
      what: text.optional().describe('What the tool did.'),
      reviewer: text.optional().describe('Who answers for the text.'),
      day: day.optional().describe('When it was reviewed.'),
    })
    .optional()
    .describe('How the text was made.'),
  publicInterest: z
    .boolean()
    .optional()
    .describe('true: it informs the public on a matter of public interest.'),
};

/** Ownership, employment, gifts and the like, other than commission. */
export const tiesField = z
  .strictObject({
    stated: day.describe('When it was stated.'),
    list: z
      .array(
        z.strictObject({
          with: text.describe('The company or product.'),
          kind: z.enum(['ownership', 'employment', 'gift', 'other']),
          text: text.optional().describe('In a sentence.'),
        }),
      )
      .default([])
      .describe('Empty: none.'),
  })
  .optional()
  .describe('Ties other than commission.');
