import { findWords } from './words.ts';

/** A piece of a text, and whether it is a word that was searched for. */
export interface TextPart {
  readonly text: string;
  readonly match: boolean;
}

const SNIPPET_LENGTH = 180;

/** Splits a text at the words that `isMatch` knows (folded); joined, the parts are the text. */
export function markWords(text: string, isMatch: (folded: string) => boolean): readonly TextPart[] {
  const parts: TextPart[] = [];
  let last = 0;
  for (const { start, end, folded } of findWords(text)) {
    if (!isMatch(folded)) continue;
    if (start > last) parts.push({ text: text.slice(last, start), match: false });
    parts.push({ text: text.slice(start, end), match: true });
    last = end;
  }
  if (last < text.length || parts.length === 0) parts.push({ text: text.slice(last), match: false });
  return parts;
}

/**
 * Builds what a result shows: the excerpt with its matches marked or, when it has none, the piece of the body
 * around the first match.
 */
export function buildResultExcerpt(
  excerpt: string,
  body: string,
  isMatch: (folded: string) => boolean,
): readonly TextPart[] {
  const marked = markWords(excerpt, isMatch);
  if (marked.some(({ match }) => match)) return marked;
  const first = findFirst(body, isMatch);
  if (first < 0) return marked;
  return markWords(cutAround(body, first), isMatch);
}

function findFirst(body: string, isMatch: (folded: string) => boolean): number {
  for (const { start, folded } of findWords(body)) if (isMatch(folded)) return start;
  return -1;
}

function cutAround(body: string, at: number): string {
  const from = at < 60 ? 0 : body.indexOf(' ', at - 60) + 1;
  const cut =
    body.length > from + SNIPPET_LENGTH ? body.lastIndexOf(' ', from + SNIPPET_LENGTH) : body.length;
  const to = cut > at ? cut : Math.min(body.length, at + SNIPPET_LENGTH);
  return `${from > 0 ? '… ' : ''}${body.slice(Math.min(from, at), to)}${to < body.length ? ' …' : ''}`;
}
