import { readWords } from '../../../core/articles/words.ts';

/** What the index reads of an article. */
export interface SearchDocument {
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  /** ISO 8601; newer wins between equals. */
  readonly publishedAt: string;
  /** The body's words, without markup. */
  readonly text: string;
}

/** What a word in a field adds, at most 6 together with the body. */
const IN_TITLE = 1.8;
const IN_TAGS = 0.8;
const IN_CATEGORIES = 0.6;
const IN_EXCERPT = 0.6;

/** Saturation and length normalisation of BM25 for the body (Robertson & Zaragoza 2009), and a usual length. */
const K = 1.2;
const B = 0.5;
const USUAL_WORDS = 1_000;

/** Reads what each word says about a document: BM25 over the body, plus a share for each field it stands in. */
export function readImpacts(document: SearchDocument): Map<string, number> {
  const counts = new Map<string, number>();
  const body = readWords(document.text);
  for (const word of body) counts.set(word, (counts.get(word) ?? 0) + 1);
  const norm = K * (1 - B + (B * body.length) / USUAL_WORDS);
  const impacts = new Map<string, number>();
  for (const [word, count] of counts) impacts.set(word, (count * (K + 1)) / (count + norm));
  addField(impacts, document.title, IN_TITLE);
  addField(impacts, document.excerpt, IN_EXCERPT);
  addField(impacts, document.tags.join(' '), IN_TAGS);
  addField(impacts, document.categories.join(' '), IN_CATEGORIES);
  return impacts;
}

function addField(impacts: Map<string, number>, text: string, share: number): void {
  for (const word of new Set(readWords(text))) impacts.set(word, (impacts.get(word) ?? 0) + share);
}
