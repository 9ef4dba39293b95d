/** One word of a text: its position, and its folded form. */
interface Word {
  readonly start: number;
  readonly end: number;
  /** Lower case, without diacritics and apostrophes; a number without its separators. */
  readonly folded: string;
}

const ASCII = /^\p{ASCII}*$/u;
const ASCII_WORD = /\d+(?:[.,]\d+)+|[a-z0-9]+(?:'[a-z]+)*/g;
const WORD = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)*/gu;

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
  return (words ?? []).map(foldWord);
}

/** Finds the words of a plain text with their positions, lazily: a caller may stop at the first. */
export function* findWords(text: string): Generator<Word> {
  for (const match of text.matchAll(WORD)) {
    yield { start: match.index, end: match.index + match[0].length, folded: foldWord(match[0]) };
  }
}

const FOLDED = /^[a-z0-9]+$/;

function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (FOLDED.test(lower)) return lower.slice(0, MAX_WORD_LENGTH);
  return lower
    .normalize('NFKD')
    .replace(/[\p{M}'’.,]/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .slice(0, MAX_WORD_LENGTH);
}
