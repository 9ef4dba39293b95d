import type { PageSection } from '../sections/section.schema.ts';
import type { Claim } from './claim.schema.ts';
import { CLAIM_MARK, CLAIM_NOTE_ID } from './claims.ts';
import { listMarkedClaims, listTexts } from './placeholders.ts';

/** Where the mark of a contradicted claim leads, in copy: its row of *What the sources say*. A title is the first on a page. */
export const FACT_HREF = /^#says-([a-z0-9-]+)$/;

/** What leads to such a row, in copy. */
export const FACT_LINK = '](#says-';

/** How copy begins the mark of a claim that a source contradicts. */
export const FACT_MARK = `[†${FACT_LINK}`;

/** The id of a row of *What the sources say*, by the key of its claim. */
export const buildFactId = (key: string) => `says-${key}`;

/** The id of the first mark of a claim, by its key. */
export const buildMarkId = (key: string) => `mark-${key}`;

/** What becomes of the claims of a page. */
export interface ClaimView {
  /** Whether a claim is left out: the sentence with it, the point or the card that has no other. */
  readonly isHidden: (claim: Claim) => boolean;
  /** Whether a fact stands in place of the claim that it contradicts; else behind it, at its first mark. */
  readonly areFactsInstead: boolean;
}

/** Puts what sources say against the claims of a page to them, as one line each. */
export function placeFacts(
  sections: readonly PageSection[],
  claims: ReadonlyMap<string, Claim>,
  { isHidden, areFactsInstead }: ClaimView,
): readonly PageSection[] {
  const seen = new Set<string>();
  /** The title of a link: the first to a claim on the page can be led back to. */
  const name = (key: string) => {
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst ? ` "${key}"` : '';
  };
  const find = (text: string) => listMarkedClaims(text).flatMap((key) => claims.get(key) ?? []);
  const advise = (text: string): string => {
    let advice = '';
    const marked = text.replace(CLAIM_MARK, (_, key: string) => {
      const title = name(key);
      const fact = claims.get(key)?.fact;
      if (fact === undefined) return `[†](#${CLAIM_NOTE_ID}${title})`;
      if (title !== '') advice += ` ==${fact.heading}==`;
      return `${FACT_MARK}${key}${title})`;
    });
    return marked + advice;
  };
  const replace = (text: string): string => {
    const [claim] = find(text).filter(({ fact }) => fact !== undefined);
    if (claim?.fact === undefined) return advise(text);
    const { key, fact } = claim;
    const href = `${buildFactId(key)}${name(key)}`;
    return isSentence(text) ? `${fact.text} [Source](#${href})` : `[${fact.heading}](#${href})`;
  };
  const change = (text: string) => {
    if (find(text).length === 0) return text;
    // Every second part is the space between two sentences.
    return splitSentences(text)
      .map((part, index) => (index % 2 > 0 ? part : (areFactsInstead ? replace : advise)(part)))
      .join('');
  };
  return sections.flatMap((given): readonly PageSection[] => {
    const made = find(
      listTexts(given)
        .map(({ text }) => text)
        .join(' '),
    );
    if (made.length === 0) return [given];
    const hidden = new Set(made.filter(isHidden).map(({ key }) => key));
    const section = hidden.size === 0 ? given : leaveOut(given, (key) => hidden.has(key));
    // A list that nothing is left of goes with its heading, unless an anchor leads to it.
    if (section.id === undefined && isEmptied(section)) return [];
    return [mapTexts(areFactsInstead ? nameCards(section, find) : section, change)];
  });
}

/** The claims of a page whose facts it shows, in order. */
export function listFacts(
  sections: readonly PageSection[],
  claims: ReadonlyMap<string, Claim>,
): readonly Claim[] {
  const links = listTexts(sections).flatMap(({ text }) => [...text.matchAll(/\]\(#says-([a-z0-9-]+)/g)]);
  return [...new Set(links.map(([, key = '']) => key))].flatMap((key) => claims.get(key) ?? []);
}

/** Gives cards that make a contradicted claim, and questions that have its words, its fact as their heading. */
function nameCards(section: PageSection, find: (text: string) => readonly Claim[]): PageSection {
  const { items } = section as { readonly items?: unknown };
  if (!Array.isArray(items)) return section;
  const name = (item: unknown) => {
    const { title, text, question, answer } = Object(item);
    const { fact, figure = '' } = find(`${title} ${text} ${answer}`).find((claim) => claim.fact) ?? {};
    if (fact === undefined) return item;
    if (typeof title === 'string' && typeof text === 'string')
      return { ...Object(item), title: fact.heading, text: isSentence(text) ? text : `${text}.` };
    return String(question).includes(figure) ? { ...Object(item), question: fact.heading } : item;
  };
  return { ...section, items: items.map(name) } as PageSection;
}

const isEmptied = (section: PageSection) => 'items' in section && section.items?.length === 0;

const SENTENCE_END = /[.!?]["”’)]*$/;
const isSentence = (text: string) => SENTENCE_END.test(text);
const splitSentences = (text: string) => text.split(/((?<=[.!?]["”’)]*)\s+|\n{2,})/);

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
const SPARE_FIELDS: ReadonlySet<string> = new Set([
  'badge',
  'lead',
  'note',
  'meta',
  'detail',
  'notFor',
  'total',
]);

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
  const parts = splitSentences(text);
  const left = parts
    .filter((_, index) => !isMade(parts[index - (index % 2)] ?? ''))
    .join('')
    .trim();
  return left === '' ? null : left;
}
