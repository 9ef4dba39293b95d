// npm run -s claims -- [--strict]: every claim with where it is made and what it rests on, then what is wrong.
import path from 'node:path';
import { readContent } from '../src/adapters/content/read-content.ts';
import { describeEvidence } from '../src/core/content/claim-evidence.ts';
import { type ClaimFinding, findClaimFaults } from '../src/core/content/claims-report.ts';
import { parseConfig } from '../src/server/config.ts';
import { collectClaimUses } from './claims/collect-claim-uses.ts';

const TITLES: Readonly<Record<ClaimFinding['kind'], string>> = {
  unproven: 'Without evidence',
  undated: 'Evidence without a day',
  old: 'Evidence older than CLAIM_MAX_AGE_DAYS',
  contradiction: 'Contradictions',
  unused: 'Made by no page',
  sample: 'Sample quotations to replace',
};

const { CONTENT_DIR, CLAIM_MAX_AGE_DAYS } = process.env;
const config = parseConfig({ CONTENT_DIR, CLAIM_MAX_AGE_DAYS });
const root = path.resolve(config.CONTENT_DIR);
const { claims } = readContent(root);
const { uses, samples } = collectClaimUses(root, new Set(claims.keys()));
const faults = findClaimFaults({
  claims,
  uses,
  samples,
  today: Date.now(),
  maxAgeDays: config.CLAIM_MAX_AGE_DAYS,
});

const lines: string[] = [];
for (const claim of claims.values()) {
  lines.push(`${claim.key}: ${claim.figure} ${claim.wording}`, `  rests on: ${describeEvidence(claim)}`);
  lines.push(...(uses.get(claim.key) ?? []).map((place) => `  made in: ${place}`));
}
for (const [kind, found] of Map.groupBy(faults, (fault) => fault.kind)) {
  lines.push('', `${TITLES[kind]} (${found.length})`, ...found.map(({ text }) => `  ${text}`));
}
lines.push('', `${claims.size} claims, ${faults.length} to look into.`);
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = process.argv.includes('--strict') && faults.length > 0 ? 1 : 0;
