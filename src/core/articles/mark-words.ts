import { findWords } from '../text/words.ts';

/** A part of a text, and whether it is a word that matches a search. */
export interface TextPart {
  readonly text: string;
  readonly match: boolean;
}

const SNIPPET_LENGTH = 180;
/** A snippet begins at most this many characters before its first match. */
const SNIPPET_LEAD = 60;

/** Splits a text at the words whose folded form matches; joined, the parts are the text. */
export function markWords(text: string, isMatch: (folded: string) => boolean): readonly TextPart[] {
  const parts: TextPart[] = [];
  let last = 0;
  for (const { start, end, folded } of findWords(text)) {
    if (!folded.some(isMatch)) continue;
    if (start > last) parts.push({ text: text.slice(last, start), match: false });
    parts.push({ text: text.slice(start, end), match: true });
    last = end;
  }
  if (last < text.length || parts.length === 0) parts.push({ text: text.slice(last), match: false });
  return parts;
}

/**
 * Builds the excerpt of a search result: the article's own with its matches marked or, when it has none, the part of
 * the body around the first match.
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
  for (const { start, folded } of findWords(body)) if (folded.some(isMatch)) return start;
  return -1;
}

function cutAround(body: string, at: number): string {
  const from = at < SNIPPET_LEAD ? 0 : body.indexOf(' ', at - SNIPPET_LEAD) + 1;
  const cut =
    body.length > from + SNIPPET_LENGTH ? body.lastIndexOf(' ', from + SNIPPET_LENGTH) : body.length;
  const to = cut > at ? cut : Math.min(body.length, at + SNIPPET_LENGTH);
  return `${from > 0 ? '… ' : ''}${body.slice(Math.min(from, at), to)}${to < body.length ? ' …' : ''}`;
}
