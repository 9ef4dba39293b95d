import type { TextPart } from './marked-text.ts';

const WORD = /[\p{L}\p{N}]+/gu;
const SHORTEST = 3;

/**
 * Splits a text at the words that a search meant: the same beginning, accents and case aside, or one letter
 * wrong (two from eight letters on). Words of one or two letters count only when the search has no longer ones.
 */
export function splitAtWords(text: string, query: string): readonly TextPart[] {
  const wanted = readWanted(query);
  if (wanted.length === 0) return [{ text, match: false }];
  const pieces: TextPart[] = [];
  let last = 0;
  for (const match of text.matchAll(WORD)) {
    const word = fold(match[0]);
    if (!wanted.some((one) => isMeant(word, one))) continue;
    if (match.index > last) pieces.push({ text: text.slice(last, match.index), match: false });
    pieces.push({ text: match[0], match: true });
    last = match.index + match[0].length;
  }
  if (last < text.length || pieces.length === 0) pieces.push({ text: text.slice(last), match: false });
  return pieces;
}

function readWanted(query: string): string[] {
  const words = [...query.matchAll(WORD)].map((match) => fold(match[0]));
  const long = words.filter((word) => word.length >= SHORTEST);
  return long.length > 0 ? long : words;
}

function fold(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function isMeant(word: string, wanted: string): boolean {
  if (word.startsWith(wanted)) return true;
  if (wanted.length < 4) return false;
  return countEdits(word, wanted) <= (wanted.length < 8 ? 1 : 2);
}

/** Letters to add, drop or change until one word is the other (Levenshtein); more than 2 counts as 3. */
function countEdits(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        ),
      );
    }
    previous = current;
  }
  return Math.min(previous.at(-1) ?? 3, 3);
}
