/** What texts may take from a claim. */
export interface ClaimParts {
  readonly figure: string;
  readonly wording: string;
  readonly evidence: string;
  readonly checked?: string | undefined;
}

/** Shown for a claim without a source. */
export const UNPROVEN = 'Claimed; no source published yet';

/** What a claim rests on, in a few words for a page. */
export function describeEvidence({ evidence, checked }: ClaimParts): string {
  if (evidence === '') return UNPROVEN;
  return checked === undefined ? evidence : `${evidence} (checked ${checked})`;
}
