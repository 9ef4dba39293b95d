import { type Figures, fillFigures, listNames } from '../pages/claims/placeholders.ts';
import { PRODUCT_SECTIONS } from '../products/compare.ts';
import { SEE_PRICE } from '../products/price.ts';
import { escapeHtml } from '../text/parse-text.ts';

/** A part of an article's body: HTML, or a shortcode with its fields as written. */
export type BodyPart =
  | { readonly html: string }
  | { readonly type: string; readonly fields: Readonly<Record<string, string>> };

/** Quotation marks as systems write them: plain, escaped, or curly after automatic typography. */
const QUOTE = '(?:"|&quot;|&#34;|&#822[01];|&#8243;|[\u201c\u201d\u2033])';
/** A link in a value was Markdown. */
const FIELD = `([a-zA-Z]+)=${QUOTE}((?:<a\\s[^<>]*>[^<>]*</a>|(?!${QUOTE})[^<>{}])*)${QUOTE}`;
const NAMES = [...PRODUCT_SECTIONS, 'newsletter'].join('|');
const SHORTCODE = `\\{\\{\\s*(${NAMES})((?:\\s+${FIELD})*)\\s*\\}\\}`;
/** Alone in a paragraph: anywhere else, as in an example of code, braces are text. */
const PARAGRAPH = new RegExp(`<p(?:\\s[^<>]*)?>\\s*${SHORTCODE}\\s*</p>`, 'g');
const LINE = new RegExp(`^[ \\t]*${SHORTCODE}[ \\t]*$`, 'gm');

/** Splits the HTML of a body at the paragraphs that are a shortcode, such as `{{product-box product="kit"}}`. */
export function splitShortcodes(html: string): readonly BodyPart[] {
  const parts: BodyPart[] = [];
  let end = 0;
  for (const match of html.matchAll(PARAGRAPH)) {
    if (match.index > end) parts.push({ html: html.slice(end, match.index) });
    parts.push({ type: match[1] ?? '', fields: parseFields(match[2] ?? '') });
    end = match.index + match[0].length;
  }
  if (end < html.length) parts.push({ html: html.slice(end) });
  return parts;
}

/** Lists the shortcodes in Markdown, each on a line of its own. */
export function listShortcodes(markdown: string): readonly Extract<BodyPart, { type: string }>[] {
  return [...markdown.matchAll(LINE)].map(([, type = '', fields = '']) => ({
    type,
    fields: parseFields(fields),
  }));
}

/** A shortcode in a text that was written for another system. */
const SHORTCODE_TEXT = `\\{\\{\\s*(?:${NAMES})(?![\\w-])[^{}]*\\}\\}`;
const SHORTCODE_LINE = new RegExp(`^([ \\t]*)\\{\\{(?=\\s*(?:${NAMES})(?![\\w-]))`, 'gm');
const FIGURE_NAME = /\{[a-z]+:(?=[a-z0-9.-]+\})/g;

/** Splits a text at what this site would read as a shortcode: every second part is one. */
export function splitAtShortcodes(text: string): readonly string[] {
  return text.split(new RegExp(`(${SHORTCODE_TEXT})`));
}

/** Whether this site would put a figure or a section into a text. */
export const hasPlaceholder = (text: string): boolean =>
  listNames(text).length > 0 || splitAtShortcodes(text).length > 1;

/**
 * Writes what this site would read as a placeholder or the line of a shortcode with character references, so that readers
 * of the Markdown see it as text. Code shows a reference as it is: code with a placeholder has to be HTML.
 */
export function escapePlaceholders(markdown: string): string {
  return markdown
    .replace(SHORTCODE_LINE, '$1&#123;{')
    .replace(FIGURE_NAME, (found) => found.replace(':', '&#58;'));
}

/** Says in HTML what shortcodes are about, for readers that cannot show sections: feed readers, files of an export. */
export const describeShortcodes = (text: string, figures: Figures, format: 'html' | 'markdown'): string =>
  text.replace(format === 'html' ? PARAGRAPH : LINE, (_, __: string, written = '') => {
    const { product = '', products = product } = parseFields(written);
    const items = products.split(',').flatMap((key) => {
      const [name, price, verdict] = ['', '.price', '.verdict'].map((part) =>
        figures.get(`product:${key.trim()}${part}`),
      );
      if (name === undefined) return [];
      const words = [price === SEE_PRICE ? name : `${name}, ${price}`, verdict].filter(Boolean).join(': ');
      return `<li>${escapeHtml(words)}</li>`;
    });
    // A block of HTML in Markdown ends at an empty line.
    return items.length === 0 ? '' : `\n<ul>${items.join('')}</ul>\n`;
  });

function parseFields(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(new RegExp(FIELD, 'g'))].map(([, name = '', value = '']) => [
      name,
      decode(value.trim()),
    ]),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&#39;': "'",
  '&#8217;': '\u2019',
  '&nbsp;': ' ',
};
const LINK = /<a\s[^<>]*?href="([^"]*)"[^<>]*>([^<>]*)<\/a>/g;
const decode = (text: string) =>
  text.replace(LINK, '[$2]($1)').replace(/&(?:[a-z]+|#\d+);/g, (entity) => ENTITIES[entity] ?? entity);

/** Puts the figures of products and totals into HTML of an article service; other braces stay as they are. */
export function fillHtml(html: string, figures: Figures): string {
  if (!listNames(html).some((name) => figures.has(name))) return html;
  const escaped = new Map(
    [...figures]
      .filter(([name, figure]) => /^(?:product|total|price):/.test(name) && !figure.startsWith('['))
      .map(([name, figure]): [string, string] => [name, escapeHtml(figure)]),
  );
  return fillFigures(html, escaped, () => undefined);
}
