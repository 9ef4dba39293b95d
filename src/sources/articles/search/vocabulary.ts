import SearchableMap from 'minisearch/SearchableMap';
import { buildForms, buildSwaps, getMaxEdits } from './word-forms.ts';

/** A term of the index that a searched word may mean, and how well it matches (0 to 1). */
export interface Expansion {
  readonly term: number;
  readonly weight: number;
}

export type GetFrequency = (term: number) => number;

/** A prefix of more words is reduced to the most frequent ones. */
export const MAX_PREFIXED = 40;
const MAX_SCANNED = 4_000;
const MAX_SIMILAR = 12;
const MIN_PREFIX_LENGTH = 2;

/** The distinct words of the index, each with a number: its term. MiniSearch's radix tree finds prefixes and typos. */
export class Vocabulary {
  readonly #terms: Map<string, number>;
  readonly #words: string[];
  /** Null until it is needed: for stored words, creating it takes longer than everything else. */
  #tree: SearchableMap<number> | null;

  /** `words`: those that `getWords` has returned. */
  constructor(words: readonly string[] = []) {
    this.#words = [...words];
    this.#terms = new Map(words.map((word, term) => [word, term]));
    this.#tree = words.length === 0 ? new SearchableMap() : null;
  }

  /** Returns every word, in the order of the terms. */
  getWords(): readonly string[] {
    return this.#words;
  }

  has(word: string): boolean {
    return this.#terms.has(word);
  }

  /** Returns the term of a word; a new word gets one. */
  addWord(word: string): number {
    const known = this.#terms.get(word);
    if (known !== undefined) return known;
    const term = this.#words.push(word) - 1;
    this.#terms.set(word, term);
    this.#tree?.set(word, term);
    return term;
  }

  getWord(term: number): string {
    return this.#words[term] ?? '';
  }

  /**
   * Returns the terms that a searched word may mean: itself, its plural or singular and the words that begin with it;
   * without any, the words that differ by a letter or two.
   */
  expand(word: string, getFrequency: GetFrequency): readonly Expansion[] {
    const known = [...this.#findForms(word), ...this.#findPrefixed(word, getFrequency)];
    return known.length > 0 ? known : this.#findSimilar(word);
  }

  #getTree(): SearchableMap<number> {
    this.#tree ??= SearchableMap.from(this.#terms);
    return this.#tree;
  }

  #findForms(word: string): Expansion[] {
    return buildForms(word).flatMap(([form, weight]) => {
      const term = this.#terms.get(form);
      return term === undefined ? [] : [{ term, weight }];
    });
  }

  #findPrefixed(prefix: string, getFrequency: GetFrequency): Expansion[] {
    if (prefix.length < MIN_PREFIX_LENGTH) return [];
    const found: Expansion[] = [];
    let scanned = 0;
    for (const [word, term] of this.#getTree().atPrefix(prefix)) {
      scanned += 1;
      if (scanned > MAX_SCANNED) break;
      if (word !== prefix) found.push({ term, weight: 0.4 + (0.4 * prefix.length) / word.length });
    }
    if (found.length <= MAX_PREFIXED) return found;
    return found.sort((a, b) => getFrequency(b.term) - getFrequency(a.term)).slice(0, MAX_PREFIXED);
  }

  #findSimilar(word: string): Expansion[] {
    const edits = getMaxEdits(word);
    if (edits === 0) return [];
    const swapped = buildSwaps(word).flatMap((swap) => {
      const term = this.#terms.get(swap);
      return term === undefined ? [] : [{ term, distance: 1 }];
    });
    const similar = [...this.#getTree().fuzzyGet(word, edits).values()].map(([term, distance]) => ({
      term,
      distance,
    }));
    return [...swapped, ...similar]
      .sort((a, b) => a.distance - b.distance)
      .slice(0, MAX_SIMILAR)
      .map(({ term, distance }) => ({ term, weight: distance === 1 ? 0.6 : 0.3 }));
  }
}
