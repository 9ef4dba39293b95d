import { extractText, isBlock, parseHtml } from '../sources/articles/html/html-text.ts';
import { renderMarkdown } from '../sources/articles/html/prepare-body.ts';
import type { FormerItem } from './former-item.ts';

/** What the words of any body are not: elements and tags, comments, shortcodes, addresses. */
const NO_WORDS =
  /<!--[\s\S]*?-->|<!doctype\b[^<>]*>|<(script|style|noscript|title|template|svg)\b[^<>]*>[\s\S]*?<\/\1\s*>|<(\/?[a-z][\w:-]*)(?:\s[^<>]*|\/)?>|\[\/?[a-z][\w-]*(?:\s[^[\]]*)?\/?\]|(?:https?:)?\/\/[^\s"'<>()[\]]+/gi;
/** Tags of templates, which part no words: a comment or nothing is in their place. */
const TAGS = /\{%-?\s*comment\s*-?%\}[\s\S]*?\{%-?\s*endcomment\s*-?%\}|\{%(?:[^%]|%(?!\})){0,1000}?%\}/gi;
/** A link, which parts no words either, with its label. */
const LINK =
  /(?<!!)\[([^[\]]*)\](?:\((?:[^()\s]|\([^()]*\))*(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)|\[([^[\]]*)\])/g;
/** What Markdown, its dialects and tags of templates have besides: the names of languages, addresses, labels and numbers. */
const NO_WORDS_OF_MARKDOWN =
  /^ {0,3}\[\/\/\]:.*$|\]\([^()\n]*\{\{[^()\n]*\)|^.*\n[ \t]*\{:[ \t]*toc\b[^{}]*\}|\{::comment\}[\s\S]*?\{:\/(?:comment)?\}|\{\{[^{}]*\}\}|\{[:#.][^{}\n]*\}|^[ \t>]*(?:```+|~~~+).*$|\]\((?:[^()\s]|\([^()]*\))*(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)|\]\[[^\]]*\]|^ {0,3}\[[^\]]*\]:(?:[ \t]*<?(?:[^\s/#.:@]*[/#.:@]\S*|\S+[ \t]*$))?|\[!\w+\]|\[\^[^\]]*\]|^[ \t>]*(?:[-*+][ \t]+)?\d{1,9}[.)](?=\s)|\[[ x]\]|<[^\s<>]+@[^\s<>]+>/gim;
const NO_WORDS_OF_MDX = /^(?:import|export)\s[^\n]*$|\{\/\*[\s\S]*?\*\/\}|<\/?[A-Z][^<>]*>|\{[^{}\n]*\}/gm;

/**
 * The words of a body that the article does not show. They are taken out of its text by signs, not by the parsers that have
 * converted it, so that what one of them swallows is missing here.
 */
export function findLostWords({ body, format, id }: FormerItem, markdown: string): string[] {
  const own = id.endsWith('.mdx') ? body.replace(NO_WORDS_OF_MDX, ' ') : body;
  const labels = new Set([...own.matchAll(/^ {0,3}\[([^\]]+)\]:/gm)].map(([, label]) => label));
  const showLink = (all: string, shown: string, label: string | undefined) =>
    label === undefined || labels.has(label || shown) ? shown : all;
  const plain =
    format === 'markdown'
      ? own.replace(TAGS, '').replace(LINK, showLink).replace(NO_WORDS_OF_MARKDOWN, ' ')
      : own;
  const text = plain.replace(NO_WORDS, (found, __, tag?: string) =>
    tag === undefined || isParting(tag.replace('/', '').toLowerCase()) || found.includes('vertical-align')
      ? ' '
      : '',
  );
  const left = countWords(listShown(renderMarkdown(markdown)));
  return splitWords(extractText(text.replaceAll('<', ' < '))).filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
}

const isParting = (name: string) => isBlock(name) || name === 'sup';

/** The text of HTML, with that of its images and titles. */
function listShown(html: string): string {
  // The mark of a footnote follows its word at once.
  const texts = [extractText(html.replace(/<\/?sup\b/gi, ' $&').replaceAll('</sup>', '</sup> '))];
  parseHtml(html, { onopentag: (_, { alt = '', title = '', src = '' }) => void texts.push(alt, title, src) });
  return texts.join(' ');
}

/** Signs of emphasis are within words too. A longer word is no word, but encoded. */
const splitWords = (text: string) =>
  (
    text
      .normalize('NFC')
      .replace(/[*_~`\\\u00ad]/g, '')
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  ).filter(({ length }) => length < 40);

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of splitWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
