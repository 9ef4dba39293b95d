import { buildClickId, findTokenCandidates } from './click-token.ts';

const MAX_CANDIDATES = 40;
const CLICK_ID_LENGTH = 36;

/** The click ids, or beginnings of them, that the texts of a report may name; those of the first text first. */
export function listClickCandidates(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => findTokenCandidates(text).map(({ hex }) => buildClickId(hex)));
  return [...new Set(found)].slice(0, MAX_CANDIDATES);
}

/**
 * Chooses the click of each report: the first of its candidates that is the id of a known click, or the beginning of
 * exactly one. Null when no candidate is: a commission is never matched by time or address.
 */
export function matchClicks(
  reports: readonly (readonly string[])[],
  knownIds: readonly string[],
): (string | null)[] {
  const known = new Set(knownIds);
  const find = (candidate: string): string | null => {
    if (known.has(candidate)) return candidate;
    if (candidate.length >= CLICK_ID_LENGTH) return null;
    const matches = [...known].filter((id) => id.startsWith(candidate));
    return matches.length === 1 ? (matches[0] ?? null) : null;
  };
  return reports.map((candidates) => candidates.map(find).find((id) => id !== null) ?? null);
}
