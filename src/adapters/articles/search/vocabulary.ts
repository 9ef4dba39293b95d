import SearchableMap from 'minisearch/SearchableMap';

/** A word of the index that stands for a searched word, and how well (0 to 1). */
export interface Expansion {
  readonly term: number;
  readonly weight: number;
}

/** The words of the index: numbered, found by what they begin with or by what they look like. */
export interface Vocabulary {
  /** The number of a word; new words get one. */
  number(word: string): number;
  word(term: number): string;
  readonly size: number;
  /**
   * The words that a searched word may mean: itself, its plural or singular, what it begins; when there is
   * none of them, what differs by a letter or two. `frequency` tells how many documents have a term.
   */
  expand(word: string, frequency: (term: number) => number): readonly Expansion[];
  has(word: string): boolean;
}

/** Prefixes that many words share are cut to the most frequent ones. */
const MOST_PREFIXED = 40;
const MOST_SCANNED = 4_000;
const MOST_SIMILAR = 12;

/** Creates an empty vocabulary. MiniSearch's radix tree does the prefixes and the distances. */
export function createVocabulary(): Vocabulary {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  const tree = new SearchableMap<number>();
  const findForms = (word: string): Expansion[] =>
    buildForms(word).flatMap(([form, weight]) => {
      const term = numbers.get(form);
      return term === undefined ? [] : [{ term, weight }];
    });
  const findPrefixed = (word: string, frequency: (term: number) => number): Expansion[] => {
    if (word.length < 2) return [];
    const found: Expansion[] = [];
    let scanned = 0;
    for (const [whole, term] of tree.atPrefix(word)) {
      scanned += 1;
      if (scanned > MOST_SCANNED) break;
      if (whole !== word) found.push({ term, weight: 0.4 + (0.4 * word.length) / whole.length });
    }
    if (found.length <= MOST_PREFIXED) return found;
    return found.sort((a, b) => frequency(b.term) - frequency(a.term)).slice(0, MOST_PREFIXED);
  };
  const findSimilar = (word: string): Expansion[] => {
    const edits = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;
    if (edits === 0) return [];
    const similar = [...tree.fuzzyGet(word, edits).values()].map(([term, distance]) => ({ term, distance }));
    const swapped = buildSwaps(word).flatMap((swap) => {
      const term = numbers.get(swap);
      return term === undefined ? [] : [{ term, distance: 1 }];
    });
    return [...swapped, ...similar]
      .sort((a, b) => a.distance - b.distance)
      .slice(0, MOST_SIMILAR)
      .map(({ term, distance }) => ({ term, weight: distance === 1 ? 0.6 : 0.3 }));
  };
  return {
    number(word) {
      const known = numbers.get(word);
      if (known !== undefined) return known;
      const term = words.length;
      words.push(word);
      numbers.set(word, term);
      tree.set(word, term);
      return term;
    },
    word: (term) => words[term] ?? '',
    has: (word) => numbers.has(word),
    get size() {
      return words.length;
    },
    expand(word, frequency) {
      const known = [...findForms(word), ...findPrefixed(word, frequency)];
      return known.length > 0 ? known : findSimilar(word);
    },
  };
}

function buildForms(word: string): [form: string, weight: number][] {
  const forms: [string, number][] = [[word, 1]];
  if (word.length < 3) return forms;
  if (word.endsWith('ies')) forms.push([`${word.slice(0, -3)}y`, 0.9]);
  if (word.endsWith('es')) forms.push([word.slice(0, -2), 0.85]);
  if (word.endsWith('s')) forms.push([word.slice(0, -1), 0.9]);
  if (word.endsWith('y')) forms.push([`${word.slice(0, -1)}ies`, 0.9]);
  return forms;
}

/** Every way in which two neighbours changed places: `emial` → `email`. */
function buildSwaps(word: string): string[] {
  const swaps: string[] = [];
  for (let at = 0; at + 1 < word.length; at++) {
    swaps.push(word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2));
  }
  return swaps;
}
