/** One word of a text: where it stands, and how the search index knows it. */
export interface Word {
  readonly start: number;
  readonly end: number;
  /** Lower case, without diacritics and apostrophes; a figure without its separators. */
  readonly folded: string;
}

const ASCII = /^\p{ASCII}*$/u;
const ASCII_WORD = /\d+(?:[.,]\d+)+|[a-z0-9]+(?:'[a-z]+)*/g;
const WORD = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)*/gu;

/** Letters that Unicode does not take apart into a letter and a mark. */
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

/** Longest word the index keeps; longer ones are cut. */
const WORD_MAX_LENGTH = 40;

/** Reads the words of a plain text, folded, in order; hyphens separate. */
export function readWords(text: string): readonly string[] {
  if (!ASCII.test(text)) return (text.match(WORD) ?? []).map(foldWord);
  const words = text.toLowerCase().match(ASCII_WORD) ?? [];
  return words.map(foldWord);
}

const PLAIN = /^[a-z0-9]+$/;

/** Finds the words of a plain text with their places, one after the other: who has enough stops. */
export function* findWords(text: string): Generator<Word> {
  for (const match of text.matchAll(WORD)) {
    yield { start: match.index, end: match.index + match[0].length, folded: foldWord(match[0]) };
  }
}

function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (PLAIN.test(lower)) return lower.slice(0, WORD_MAX_LENGTH);
  return lower
    .normalize('NFKD')
    .replace(/[\p{M}'’.,]/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .slice(0, WORD_MAX_LENGTH);
}
