import type { Claim } from './claim.schema.ts';

/** What texts may take from a claim. */
export type ClaimParts = Pick<Claim, 'figure' | 'wording' | 'evidence' | 'checked'>;

/** Shown for a claim without a source. */
export const UNPROVEN = 'No source published yet';

/** Anchor of the note that explains the mark of claims without a source. */
export const CLAIM_NOTE_ID = 'no-source';

/** What pages put after a claim: a link to the note for one without a source, nothing for the others. */
export function buildClaimMark({ evidence }: Pick<ClaimParts, 'evidence'>): string {
  return evidence === '' ? `[†](#${CLAIM_NOTE_ID})` : '';
}

/** What a claim rests on, in a few words for a page. */
export function describeEvidence({ evidence, checked }: ClaimParts): string {
  if (evidence === '') return UNPROVEN;
  return checked === undefined ? evidence : `${evidence} (checked ${checked})`;
}
