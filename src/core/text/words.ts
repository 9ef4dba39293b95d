/** One word of a text: its position, and its folded form. */
interface Word {
  readonly start: number;
  readonly end: number;
  /** Lower case, without diacritics and apostrophes; a number without its separators. Several for `½`, which is 1 and 2. */
  readonly folded: readonly string[];
}

const ASCII = /^\p{ASCII}*$/u;
const ASCII_WORD = /\d+(?:[.,]\d+)+|[a-z0-9]+(?:'[a-z]+)*/g;
const WORD = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)*/gu;

/**
 * What is one token for FTS5 as well, whose index has no positions, so that an expression with more in one pair of quotes
 * is an error. Vowel signs of New Tai Lue and two Vedic signs are letters only since Unicode 8 and 12.
 */
const TOKEN = /(?:(?![\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3])[\p{L}\p{N}])+/gu;

/** Letters that Unicode does not decompose into a letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Longer words are cut. */
const MAX_WORD_LENGTH = 40;

/** Splits a plain text into its words, folded, in order; hyphens separate words. */
export function splitWords(text: string): readonly string[] {
  const words = ASCII.test(text) ? text.toLowerCase().match(ASCII_WORD) : text.match(WORD);
  return (words ?? []).flatMap(foldWord);
}

/** Finds the words of a plain text with their positions, lazily: a caller may stop at the first. */
export function* findWords(text: string): Generator<Word> {
  for (const match of text.matchAll(WORD)) {
    yield { start: match.index, end: match.index + match[0].length, folded: foldWord(match[0]) };
  }
}

const FOLDED = /^[a-z0-9]+$/;

function foldWord(word: string): readonly string[] {
  const lower = word.toLowerCase();
  if (FOLDED.test(lower)) return [lower.slice(0, MAX_WORD_LENGTH)];
  const plain = lower
    .normalize('NFKD')
    .replace(/[\p{M}'’.,]/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter);
  return (plain.match(TOKEN) ?? []).map((token) => token.slice(0, MAX_WORD_LENGTH));
}

/**
 * Finds the candidate that takes the fewest changes of single characters to reach; null when none is near. `most`: the
 * number of changes up to which a candidate is near.
 */
export function findNearest(
  text: string,
  candidates: readonly string[],
  most = Math.max(2, Math.floor(text.length / 3)),
): string | null {
  let nearest: string | null = null;
  let least = most + 1;
  for (const candidate of candidates) {
    const changes = countChanges(text, candidate);
    if (changes < least) [nearest, least] = [candidate, changes];
  }
  return nearest;
}

/** Optimal string alignment distance: a change adds, removes or replaces one character, or swaps two neighbors. */
export function countChanges(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let line = 1; line <= from.length; line++) {
    const row = [line];
    for (let column = 1; column <= to.length; column++) {
      const at = (up: number, left: number) => rows[line - up]?.[column - left] ?? 0;
      const replaced = at(1, 1) + (to[column - 1] === from[line - 1] ? 0 : 1);
      const isSwap =
        column > 1 && line > 1 && to[column - 1] === from[line - 2] && to[column - 2] === from[line - 1];
      const swapped = isSwap ? at(2, 2) + 1 : replaced;
      row.push(Math.min(replaced, swapped, at(1, 0) + 1, (row[column - 1] ?? 0) + 1));
    }
    rows.push(row);
  }
  return rows[from.length]?.[to.length] ?? 0;
}

/** A text with a capital at its beginning. */
export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
