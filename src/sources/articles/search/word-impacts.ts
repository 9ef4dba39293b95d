import { splitWords } from '../../../core/text/words.ts';

/** What can be found: a text, and shorter fields whose words count more. */
export interface SearchDocument {
  readonly id: string;
  readonly text: string;
  /** `weight` is what a word gains by being in the field; the weights of all fields add up to 3.8 at most. */
  readonly fields: readonly { readonly text: string; readonly weight: number }[];
  /** Puts documents that match equally well in order, greatest first: such as the time of publication. */
  readonly order: number;
}

/** The largest impact: 2.2 of the text and 3.8 of the fields. */
export const MAX_IMPACT = 6;

/** Saturation and length normalization of BM25 (Robertson & Zaragoza 2009), and the length of a usual text in words. */
const K = 1.2;
const B = 0.5;
const USUAL_WORDS = 1_000;

/** Builds the impact of each word of a document: BM25 over its text, plus the weight of each field the word is in. */
export function buildWordImpacts({ text, fields }: SearchDocument): Map<string, number> {
  const counts = new Map<string, number>();
  const words = splitWords(text);
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const norm = K * (1 - B + (B * words.length) / USUAL_WORDS);
  const impacts = new Map<string, number>();
  for (const [word, count] of counts) impacts.set(word, (count * (K + 1)) / (count + norm));
  for (const field of fields) {
    for (const word of new Set(splitWords(field.text))) {
      impacts.set(word, (impacts.get(word) ?? 0) + field.weight);
    }
  }
  return impacts;
}
