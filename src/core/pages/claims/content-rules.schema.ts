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

const proof = z
  .strictObject({
    words: text.describe('Words of the sentence that it is about.'),
    source: https.optional().describe('Where it is said.'),
    checked: day.optional().describe('Day on which that was read.'),
    count: z.int().min(1).optional().describe('Of how many ratings.'),
  })
  .describe('What shows that words are true.');

/** What pages, articles and products say of themselves for the rules. */
export const ruleFields = {
  proofs: z.array(proof).max(50).optional().describe('What shows that words of the copy are true.'),
  allow: z.array(allowance).max(50).optional().describe('Findings of rules that are right as they are.'),
};
