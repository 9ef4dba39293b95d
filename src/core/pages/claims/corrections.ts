import type { PageSection } from '../sections/section.schema.ts';
import type { Claim } from './claim.schema.ts';
import { CLAIM_MARK, CLAIM_NOTE_ID } from './claims.ts';
import { listMarkedClaims, listTexts } from './placeholders.ts';

/** What a source says against a claim of a section. The first mark of the claim leads to `id`, and `id` back to it. */
export interface Correction {
  readonly id: string;
  readonly markId: string;
  readonly figure: string;
  /** The correction of the page that has the same text, when this one only repeats its advice. */
  readonly firstId: string | undefined;
  readonly sourceSays: NonNullable<Claim['sourceSays']>;
}

/** A section as visitors see it, and the corrections that stand in it. */
export type CorrectedSection = ReturnType<typeof placeCorrections>[number];

/** Where the mark of a contradicted claim leads, in copy: its correction. A mark with a title is the first in its section. */
export const CORRECTION_HREF = /^#(says-\d+-[a-z0-9-]+)$/;

/** The id of a mark, by the id of the correction that it leads to, or by the claim when it leads to the note. */
export const buildMarkId = (id: string) => `mark-${id}`;

/**
 * Puts what a source says against a claim into every section that makes the claim. Claims that are hidden are left out: the
 * sentence with the claim, and the point of a list that has no other. Of marks that lead to the note, the first names its claim.
 */
export function placeCorrections(
  sections: readonly PageSection[],
  claims: ReadonlyMap<string, Claim>,
  isHidden: (claim: Claim) => boolean,
) {
  const firstIds = new Map<string, string>();
  const noted = new Set<string>();
  return sections.map((given, index) => {
    const isContradicted = (key: string) => claims.get(key)?.sourceSays !== undefined;
    const keys = listMarkedClaims(given).flatMap((key) => claims.get(key) ?? []);
    const hidden = new Set(keys.filter(isHidden).map(({ key }) => key));
    const section = hidden.size === 0 ? given : leaveOut(given, (key) => hidden.has(key));
    if (keys.length === 0) return { section, corrections: [] };
    const corrections = listMarkedClaims(section).flatMap((key): Correction[] => {
      const { figure = '', sourceSays } = claims.get(key) ?? {};
      const id = `says-${index}-${key}`;
      if (sourceSays === undefined) return [];
      const firstId = firstIds.get(sourceSays.text);
      if (firstId === undefined) firstIds.set(sourceSays.text, id);
      return [{ id, markId: buildMarkId(id), figure, firstId, sourceSays }];
    });
    const seen = new Set<string>();
    const lead = (text: string) =>
      text.replace(CLAIM_MARK, (mark, key: string) => {
        if (!isContradicted(key)) {
          const isFirst = !noted.has(key);
          noted.add(key);
          return isFirst ? mark : `[†](#${CLAIM_NOTE_ID})`;
        }
        const title = seen.has(key) ? '' : ' "first"';
        seen.add(key);
        return `[†](#says-${index}-${key}${title})`;
      });
    return { section: mapTexts(section, lead), corrections };
  });
}

/** The corrections of the claims that a part of a section makes first. */
export function listCorrectionsOf(part: unknown, corrections: readonly Correction[]): readonly Correction[] {
  const texts = listTexts(part);
  return corrections.filter(({ id }) => texts.some(({ text }) => text.includes(`(#${id} "`)));
}

/** Applies `change` to every text of a content value, in order. */
function mapTexts<T>(value: T, change: (text: string) => string): T {
  const map = (part: unknown): unknown => {
    if (typeof part === 'string') return change(part);
    if (Array.isArray(part)) return part.map(map);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, map(inner)]));
  };
  return map(value) as T;
}

/** Fields that their parts can be without. All others are needed, and their part goes with them. */
const SPARE_FIELDS: ReadonlySet<string> = new Set(['badge', 'lead', 'note', 'meta', 'detail', 'notFor']);

/** Leaves out the sentences with a hidden claim. A section keeps its title, and with it its place and anchor. */
function leaveOut(section: PageSection, isHidden: (key: string) => boolean): PageSection {
  const cut = (value: unknown, isSection: boolean): unknown => {
    if (typeof value === 'string') return leaveOutSentences(value, isHidden);
    if (Array.isArray(value)) return value.map((part) => cut(part, false)).filter((part) => part !== null);
    if (typeof value !== 'object' || value === null) return value;
    const entries: [string, unknown][] = [];
    for (const [key, part] of Object.entries(value)) {
      const left = isSection && key === 'title' ? part : cut(part, false);
      if (left !== null || part === null) entries.push([key, left]);
      else if (!isSection && !SPARE_FIELDS.has(key)) return null;
    }
    return Object.fromEntries(entries);
  };
  return cut(section, true) as PageSection;
}

/** null: nothing is left. */
function leaveOutSentences(text: string, isHidden: (key: string) => boolean): string | null {
  const isMade = (part: string) => listMarkedClaims(part).some(isHidden);
  if (!isMade(text)) return text;
  const left = text.split(/(?<=[.!?]["”’)]*)\s+/).filter((sentence) => !isMade(sentence));
  return left.length === 0 ? null : left.join(' ');
}
