import path from 'node:path';
import { collectClaimUses } from '../content-files/collect-claim-uses.ts';
import { readShown } from '../content-files/content-source.ts';
import {
  CLAIM_MAX_AGE_DAYS,
  type ClaimFinding,
  describeEvidence,
  findClaimFaults,
} from '../core/pages/claims/claims.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { defineCommand, FLAG } from './command.ts';
import type { CommandSite } from './site.ts';

const RUN = nameCommand('claims');

const USAGE = `Usage:
  ${RUN}
  ${RUN} --strict    ends with code 1 when there is a problem

Lists every claim with its evidence and the places that make it, then the problems.`;

const TITLES: Readonly<Record<ClaimFinding['kind'], string>> = {
  unproven: 'Without evidence',
  undated: 'Evidence without a day',
  old: `Evidence older than ${CLAIM_MAX_AGE_DAYS} days`,
  contradiction: 'Contradictions',
  unused: 'Made by no page',
  sample: 'Sample quotations to replace',
};

/** `signpost claims`: lists every claim with its evidence and the places that make it, then the problems. */
export const command = defineCommand({
  usage: USAGE,
  options: { strict: FLAG },
  words: [0, 0],
  run({ values: { strict } }, io, site: CommandSite) {
    const { CONTENT_DIR } = site.readSettings('CONTENT_DIR');
    const root = path.resolve(CONTENT_DIR);
    const { claims } = readShown(root).content;
    const { uses, samples } = collectClaimUses(root, claims);
    const faults = findClaimFaults({ claims, uses, samples, today: Date.now() });
    const lines: string[] = [];
    for (const claim of claims.values()) {
      lines.push(`${claim.key}: ${claim.figure} ${claim.wording}`, `  rests on: ${describeEvidence(claim)}`);
      lines.push(...(uses.get(claim.key) ?? []).map((place) => `  made in: ${place}`));
    }
    for (const [kind, found] of Map.groupBy(faults, (fault) => fault.kind)) {
      lines.push('', `${TITLES[kind]} (${found.length})`, ...found.map(({ text }) => `  ${text}`));
    }
    lines.push('', `${claims.size} claims, ${faults.length} to look into.`);
    io.stdout.write(`${lines.join('\n')}\n`);
    return strict && faults.length > 0 ? 1 : 0;
  },
});
