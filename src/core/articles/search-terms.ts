import { countChanges, splitWords } from '../text/words.ts';

/** What can be found of an article. */
export interface SearchDocument {
  readonly slug: string;
  /** ISO 8601 instant; of articles that match equally well, the newest comes first. */
  readonly publishedAt: string;
  readonly title: string;
  readonly excerpt: string;
  readonly tags: readonly string[];
  readonly categories: readonly string[];
  /** The body without markup. */
  readonly text: string;
}

/** Words beyond this position are not searched: a longer text could stall the event loop while it is indexed. */
export const MAX_TEXT_LENGTH = 100_000;
const MAX_WORDS = 12;
const MIN_PREFIX_LENGTH = 2;
/** Shorter words begin many words of other meanings, such as `kit` does `kitchen`. */
const MIN_BEGINNING_LENGTH = 4;
const MAX_SIMILAR = 12;
/**
 * What the beginning of a word counts: less in a title than a whole word does in a text, so that whole words are first.
 */
export const PREFIX_WEIGHT = 0.25;
/** What a similar word counts, by the number of typing mistakes. */
export const SIMILAR_WEIGHTS = [0.6, 0.3];
/** A result has to cover at least this share of what the best result covers. */
export const MIN_COVERAGE = 0.6;
/** Words of an article among which its key terms are looked for, and how many key terms it has. */
const MAX_CANDIDATES = 40;
const MAX_KEY_TERMS = 12;

/** Saturation and length normalization of BM25 (Robertson & Zaragoza 2009), and the length of a usual text in words. */
const K = 1.2;
const B = 0.5;
const USUAL_WORDS = 1_000;

/** What a word gains by being in a field, whatever the text says. */
const FIELD_WEIGHTS = { title: 1.8, excerpt: 0.6, tags: 0.8, categories: 0.6 } as const;

/**
 * How much a word counts in an article, in three levels: a word of the text, a word of the title or used often, a word
 * of the title that the text uses as well. `from` is the lowest impact of a level.
 */
export const IMPACT_LEVELS = [
  { from: 0, impact: 0.9 },
  { from: 1.5, impact: 1.8 },
  { from: 2.6, impact: 3.2 },
] as const;

/** Builds the impact of each word of an article: BM25 over its text, plus the weight of each field the word is in. */
export function buildWordImpacts(article: SearchDocument): Map<string, number> {
  const counts = new Map<string, number>();
  const words = splitWords(article.text.slice(0, MAX_TEXT_LENGTH));
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const norm = K * (1 - B + (B * words.length) / USUAL_WORDS);
  const impacts = new Map<string, number>();
  for (const [word, count] of counts) impacts.set(word, (count * (K + 1)) / (count + norm));
  const { title, excerpt, tags, categories } = article;
  const fields = { title, excerpt, tags: tags.join(' '), categories: categories.join(' ') };
  for (const [field, text] of Object.entries(fields)) {
    const weight = FIELD_WEIGHTS[field as keyof typeof fields];
    for (const word of new Set(splitWords(text))) impacts.set(word, (impacts.get(word) ?? 0) + weight);
  }
  return impacts;
}

/** Groups the words of an article by the level of their impact, in the order of `IMPACT_LEVELS`. */
export function groupByImpact(impacts: ReadonlyMap<string, number>): readonly (readonly string[])[] {
  const groups: string[][] = IMPACT_LEVELS.map(() => []);
  for (const [word, impact] of impacts) {
    groups[IMPACT_LEVELS.findLastIndex(({ from }) => impact >= from)]?.push(word);
  }
  return groups;
}

/** Returns the inverse document frequency of a word in `frequency` of `count` articles: the rarer, the more it says. */
export function getIdf(count: number, frequency: number): number {
  return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
}

/** Splits a query: `e-mail` is searched as `email` when an article has that word, else as its parts. */
export function splitQuery(text: string, has: (word: string) => boolean): readonly string[] {
  const words = text.split(/\s+/).flatMap((piece) => {
    const parts = splitWords(piece);
    const joined = parts.join('');
    return parts.length > 1 && has(joined) ? [joined] : parts;
  });
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** Whether a searched word also means the words that begin with it. `isKnown`: it is a word of the texts itself. */
export function isPrefix(word: string, isKnown: boolean): boolean {
  return word.length >= (isKnown ? MIN_BEGINNING_LENGTH : MIN_PREFIX_LENGTH);
}

/** Builds the singular and plural forms of an English word, itself included. */
export function buildForms(word: string): readonly string[] {
  const forms = [word];
  if (word.length < 3) return forms;
  if (word.endsWith('ies')) forms.push(`${word.slice(0, -3)}y`);
  if (word.endsWith('es')) forms.push(word.slice(0, -2));
  if (word.endsWith('s')) forms.push(word.slice(0, -1));
  else forms.push(`${word}s`);
  if (/(?:[sxz]|[cs]h)$/.test(word)) forms.push(`${word}es`);
  if (word.endsWith('y')) forms.push(`${word.slice(0, -1)}ies`);
  return forms;
}

/** Builds every word in which two neighboring letters are swapped: `emial` → `email`. */
export function buildSwaps(word: string): readonly string[] {
  return Array.from(
    { length: Math.max(0, word.length - 1) },
    (_, at) => word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
  );
}

/** Returns how many letters of a word may be wrong: short words have too many neighbors. */
export function getMaxEdits(word: string): number {
  if (word.length >= 8) return 2;
  return word.length >= 4 ? 1 : 0;
}

/** Selects the words that a misspelled word may mean, by the number of typing mistakes: one, then two. */
export function selectSimilar(word: string, candidates: readonly string[]): readonly (readonly string[])[] {
  const edits = getMaxEdits(word);
  const letters = [...new Set(word)];
  // Counting the changes of two words is slow, and most words can be seen to be too different without it.
  const canBeSimilar = (candidate: string) =>
    Math.abs(candidate.length - word.length) <= edits &&
    letters.filter((letter) => !candidate.includes(letter)).length <= edits;
  const similar = candidates
    .filter(canBeSimilar)
    .map((candidate) => ({ candidate, changes: countChanges(word, candidate) }))
    .filter(({ changes }) => changes > 0 && changes <= edits)
    .sort((a, b) => a.changes - b.changes)
    .slice(0, MAX_SIMILAR);
  return [1, 2].map((count) =>
    similar.filter(({ changes }) => changes === count).map(({ candidate }) => candidate),
  );
}

/** Selects the words of an article that may be its key terms: those with the highest impact. */
export function selectCandidates(impacts: ReadonlyMap<string, number>): readonly string[] {
  return [...impacts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_CANDIDATES)
    .map(([word]) => word);
}

/** Selects the key terms of an article. `frequencies`: in how many of `count` articles each candidate is. */
export function selectKeyTerms(
  impacts: ReadonlyMap<string, number>,
  frequencies: ReadonlyMap<string, number>,
  count: number,
) {
  return [...frequencies]
    .filter(([, frequency]) => frequency > 0)
    .map(([word, frequency]) => ({ word, impact: impacts.get(word) ?? 0, idf: getIdf(count, frequency) }))
    .sort((a, b) => b.impact * b.idf - a.impact * a.idf)
    .slice(0, MAX_KEY_TERMS);
}
