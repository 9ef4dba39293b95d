import { formatLongDate } from '../../articles/article-copy.ts';
import { DAY_MS } from '../../clock.ts';
import { parseCheckDay } from '../../outbound/check-id.ts';
import { isPublicAddress } from '../../text/parse-text.ts';
import type { Claim } from './claim.schema.ts';

/** What texts may take from a claim. */
export type ClaimParts = Pick<Claim, 'figure' | 'wording' | 'evidence' | 'checked' | 'check' | 'fact'>;

/** Shown for a claim without a source. */
const UNPROVEN = 'No source published yet';

/** Anchor of the note that explains the mark of claims. */
export const CLAIM_NOTE_ID = 'no-source';

/** The sentence that explains the mark, once on every page that has one. */
export const CLAIM_NOTE = '† marks a claim without a source.';

/** Whether a claim gets the mark: it has no source, or one that contradicts it. */
export function isMarkedClaim({ evidence, fact }: ClaimParts): boolean {
  return evidence === '' || fact !== undefined;
}

/** The mark of a claim in copy: a link to the note, with the key of the claim as its title. */
export const CLAIM_MARK = new RegExp(`\\[†\\]\\(#${CLAIM_NOTE_ID} "([a-z0-9-]+)"\\)`, 'g');

/** What pages put after a claim that is marked: a link to the note, with the key of the claim as its title. */
export function buildClaimMark(key: string, claim: ClaimParts): string {
  return isMarkedClaim(claim) ? `[†](#${CLAIM_NOTE_ID} "${key}")` : '';
}

/** What a claim rests on, in a few words for a page. */
export function describeEvidence({ evidence, checked, check }: ClaimParts): string {
  if (evidence === '') return UNPROVEN;
  const day = parseCheckDay(check ?? '');
  if (day !== null) return `${evidence} (checked on ${formatLongDate(day)})`;
  return checked === undefined ? evidence : `${evidence} (checked ${checked})`;
}

/** Places in content files, `file, field`, by the key of the claim that they name. */
export type ClaimUses = ReadonlyMap<string, readonly string[]>;

/** What an operator should look into: about one claim, several that disagree, or a sample quotation. */
export interface ClaimFinding {
  readonly kind: 'unproven' | 'undated' | 'old' | 'contradiction' | 'unused' | 'sample';
  readonly text: string;
  /** Keys of the claims that it is about; empty for a sample. */
  readonly claims: readonly string[];
}

/** Days after which evidence is old. */
export const CLAIM_MAX_AGE_DAYS = 365;

/** What the report is made of. `samples` are the places of sample quotations; `today` is in ms since 1970. */
export interface ClaimsReportInput {
  readonly claims: ReadonlyMap<string, Claim>;
  readonly uses: ClaimUses;
  readonly samples: readonly string[];
  readonly today: number;
}

/**
 * Finds what cannot be shown to be true: no evidence, old evidence, contradictions, samples; and claims that no page
 * makes.
 */
export function findClaimFaults(input: ClaimsReportInput): ClaimFinding[] {
  const { claims, uses, samples } = input;
  return [
    ...[...claims.values()].flatMap((claim) => judgeEvidence(claim, input)),
    ...findContradictions([...claims.values()]),
    ...[...claims.keys()]
      .filter((key) => !uses.has(key))
      .map((key): ClaimFinding => ({ kind: 'unused', text: `${key}: no page names it`, claims: [key] })),
    ...samples.map(
      (place): ClaimFinding => ({ kind: 'sample', text: `${place}: a sample quotation`, claims: [] }),
    ),
  ];
}

function judgeEvidence(claim: Claim, { today }: ClaimsReportInput): ClaimFinding[] {
  const { key, figure, evidence, checked = parseCheckDay(claim.check ?? '') ?? undefined } = claim;
  const claims = [key];
  if (evidence === '') return [{ kind: 'unproven', text: `${key} (${figure}): no evidence`, claims }];
  if (checked === undefined)
    return [
      { kind: 'undated', text: `${key} (${figure}): evidence, but no day on which it was checked`, claims },
    ];
  const age = Math.floor((today - Date.parse(checked)) / DAY_MS);
  return age > CLAIM_MAX_AGE_DAYS
    ? [{ kind: 'old', text: `${key} (${figure}): last checked ${checked}, ${age} days ago`, claims }]
    : [];
}

function findContradictions(claims: readonly Claim[]): ClaimFinding[] {
  const bySubject = Map.groupBy(
    claims.filter(({ subject }) => subject !== undefined),
    ({ subject }) => subject,
  );
  return [...bySubject].flatMap(([subject, group]): ClaimFinding[] => {
    if (new Set(group.map(({ figure }) => figure)).size < 2) return [];
    const figures = group.map(({ key, figure }) => `${figure} (${key})`).join(', ');
    return [{ kind: 'contradiction', text: `${subject}: ${figures}`, claims: group.map(({ key }) => key) }];
  });
}

/**
 * Where a site shows samples (quotations and claims that are made up), and claims that a source contradicts: on addresses
 * that no visitor can open, or always, or never.
 */
export const SAMPLE_MODES = ['local', 'show', 'hide'] as const;

/** Whether a site shows them at its address. */
export function areSamplesShown(mode: (typeof SAMPLE_MODES)[number], siteUrl: string): boolean {
  return mode === 'show' || (mode === 'local' && !isPublicAddress(siteUrl));
}

/** The quotations that a block shows: those of customers when there are any, else the samples, where the site shows them. */
export function listShownQuotations<T extends { readonly sample: boolean }>(
  quotations: readonly T[],
  areShown: boolean,
): readonly T[] {
  const real = quotations.filter(({ sample }) => !sample);
  return real.length > 0 || !areShown ? real : quotations;
}

/** Whether a claim is left out where samples are hidden. */
export function isSampleClaim({ sample, evidence }: Claim): boolean {
  return sample === true && evidence === '';
}

/** What a block of quotations says where samples are hidden and it names no example. */
export const NO_QUOTATION = 'No customer has agreed to be quoted here yet.';
