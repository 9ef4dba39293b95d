import { splitAtWords } from '../../core/articles/marked-words.ts';

/** A text with the words of a search marked in it. */
export function MarkedText({ text, query }: { readonly text: string; readonly query: string }) {
  if (query === '') return text;
  let offset = 0;
  return splitAtWords(text, query).map((piece) => {
    const key = offset;
    offset += piece.text.length;
    return piece.isMarked ? <mark key={key}>{piece.text}</mark> : piece.text;
  });
}
