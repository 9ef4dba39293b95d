import type { TextPart } from '../../core/articles/marked-text.ts';

/** A text with the words of a search marked in it. */
export function MarkedText({ parts }: { readonly parts: readonly TextPart[] }) {
  let offset = 0;
  return parts.map(({ text, match }) => {
    const key = offset;
    offset += text.length;
    return match ? <mark key={key}>{text}</mark> : text;
  });
}
