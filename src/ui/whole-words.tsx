import { createElement, Fragment, type ReactNode } from 'react';

/** Words such as `add-ons`, `all-in-one` and `CAN-SPAM` and figures such as `$40-80`, of at most 15 characters. */
const WHOLE =
  /(?<![\p{L}\p{N}/._-])((?=[\p{L}\p{N}\p{Sc}.,-]{3,15}(?![\p{L}\p{N}-]))\p{Sc}?[\p{L}\p{N}][\p{L}\p{N}.,]*(?:-[\p{L}\p{N}]+)+)(?![\p{L}\p{N}/_-]|\.\p{L})/u;

/** A text in which no line ends at the hyphen of such a word. */
export function keepWhole(text: string): ReactNode {
  return renderParts(text, WHOLE, String, (part) => <span className="whole">{part}</span>);
}

/** Renders what a pattern has in its group apart from the rest. */
export function renderParts(
  text: string,
  pattern: RegExp,
  renderRest: (part: string) => ReactNode,
  renderPart: (part: string) => ReactNode,
): ReactNode {
  const parts = text.split(pattern);
  if (parts.length === 1) return renderRest(text);
  const render = (part: string, index: number) => (index % 2 === 0 ? renderRest(part) : renderPart(part));
  return createElement(Fragment, null, ...parts.map(render));
}

/** Short code, such as the end of an address, has no line end in it. */
export const getCodeClass = (code: string) => (/^\S{1,24}$/.test(code) ? 'whole' : undefined);

const TAGS_AND_WORDS = new RegExp(
  `<pre[\\s\\S]*?</pre>|<code>[^\\s<]{1,24}</code>|<[^>]*>|${WHOLE.source}`,
  'gu',
);

/** Keeps such words and short code whole in the HTML of an article. */
export function keepWholeHtml(html: string): string {
  return html.replace(TAGS_AND_WORDS, (part, word?: string) => {
    if (word !== undefined) return `<span class="whole">${word}</span>`;
    return part.endsWith('</code>') ? part.replace('<code>', '<code class="whole">') : part;
  });
}
