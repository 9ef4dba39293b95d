import { escapeHtml } from '../core/text/parse-text.ts';
import { decodeAmpersands } from './former-item.ts';
import { BLOCKS, UNSHOWN } from './html-to-markdown.ts';

/** The attributes of a shortcode by name; those without a name by their position, from `0`. */
export type ShortcodeAttributes = Readonly<Record<string, string>>;

/** Returns the HTML of a shortcode; null: it is not known. `content`: what it encloses, empty for one without an end. */
export type RenderShortcode = (
  name: string,
  attributes: ShortcodeAttributes,
  content: string,
) => string | null;

/** Names that are shortcodes without attributes and end tags. Other words in brackets are text. */
const BARE = new Set(
  'gallery playlist more audio video embed toc footnotes contact-form newsletter'.split(' '),
);

interface Open {
  readonly name: string;
  readonly attributes: ShortcodeAttributes;
  /** As it was written. */
  readonly text: string;
}

type Token =
  | { readonly text: string }
  | { readonly open: Open }
  | { readonly close: string; readonly text: string };

const PIECE =
  /<!--|<(?:pre|code|script|style|textarea)\b|<[a-z/!][^<>]*>|\[(\[?)(\/?)([a-z][\w-]*)((?:"[^"]*"|'[^']*'|[^[\]"'])*?)\/?\](\]?)/gi;

/** Finds where comments and elements of code end. What has no end once has none later, and is not looked for again. */
function createEndFinder(html: string): (opening: string, from: number) => number | null {
  const endless = new Set<string>();
  return (opening, from) => {
    const name = opening.slice(1).toLowerCase();
    if (endless.has(name)) return null;
    const end = name === '!--' ? /-->/g : new RegExp(`</${RegExp.escape(name)}\\s*>`, 'gi');
    end.lastIndex = from;
    if (end.test(html)) return end.lastIndex;
    endless.add(name);
    return null;
  };
}

/**
 * Replaces the shortcodes of WordPress in HTML. One that is not known becomes a comment, and what it encloses stays.
 * Text in brackets that is no shortcode stays as it is.
 */
export function expandShortcodes(
  html: string,
  render: RenderShortcode,
  onUnknown: (name: string, text: string) => void,
): string {
  if (!html.includes('[')) return html;
  const tokens = tokenize(html);
  /** Positions of ends by name, the last one first: those that were passed are taken off. */
  const closes = new Map<string, number[]>();
  for (const [at, token] of [...tokens.entries()].reverse()) {
    if (!('close' in token)) continue;
    const positions = closes.get(token.close);
    if (positions === undefined) closes.set(token.close, [at]);
    else positions.push(at);
  }
  const findEnd = (name: string, from: number, to: number) => {
    const positions = closes.get(name) ?? [];
    while ((positions.at(-1) ?? to) <= from) positions.pop();
    const end = positions.at(-1) ?? to;
    return end < to ? end : undefined;
  };
  const build = (from: number, to: number): string => {
    let out = '';
    for (let at = from; at < to; at += 1) {
      const token = tokens[at];
      if (token === undefined) continue;
      if (!('open' in token)) {
        out += token.text;
        continue;
      }
      const { name, attributes, text } = token.open;
      const end = findEnd(name, at, to);
      const content = end === undefined ? '' : build(at + 1, end);
      const rendered = render(name, attributes, content);
      if (rendered === null && end === undefined && !isShortcode(token.open)) {
        out += text;
        continue;
      }
      if (rendered === null) onUnknown(name, text);
      const inner = isMarkup(content)
        ? content
        : renderCode(content, attributes['lang'] ?? attributes['language'] ?? '');
      out += rendered ?? `<!-- ${text.replace(/--+/g, '-').replace(/>/g, '')} -->${inner}`;
      if (end !== undefined) at = end;
    }
    return out;
  };
  return build(0, tokens.length);
}

const NAMES = new Set([
  ...BLOCKS,
  ...UNSHOWN,
  ...'a abbr b bdi big br button cite code col del dfn em font form i img input ins kbd label mark option path picture q s samp select small source span strike strong sub sup svg time tt u var wbr'.split(
    ' ',
  ),
]);

/** Whether each `<` in front of a letter begins a tag of HTML, so that a parser swallows nothing. */
function isMarkup(content: string): boolean {
  const tags = content.matchAll(/<(?:\/?([a-z][\w-]*)((?:"[^"]*"|'[^']*'|[^<>"'])*>)?|!--)/gi);
  return [...tags].every(
    ([text, name = '', rest]) =>
      text === '<!--' ||
      (rest !== undefined &&
        (NAMES.has(name.toLowerCase()) || name.includes('-')) &&
        !/[;{}&]|\)\s/.test(rest.replace(/"[^"]*"|'[^']*'/g, ''))),
  );
}

const isShortcode = ({ name, attributes }: Open) =>
  BARE.has(name) || /[_-]/.test(name) || Object.keys(attributes).some((key) => !/^\d+$/.test(key));

function tokenize(html: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  const findEnd = createEndFinder(html);
  const pattern = new RegExp(PIECE);
  for (let match = pattern.exec(html); match !== null; match = pattern.exec(html)) {
    const [text, escaped = '', slash = '', name, rest = '', closing = ''] = match;
    if (name === undefined) {
      if (!text.endsWith('>')) pattern.lastIndex = findEnd(text, pattern.lastIndex) ?? pattern.lastIndex;
      continue;
    }
    tokens.push({ text: html.slice(end, match.index) });
    end = match.index + text.length;
    // `[[name]]` shows the shortcode itself.
    if (escaped !== '' && closing !== '') tokens.push({ text: text.slice(1, -1) });
    else {
      if (escaped !== '') tokens.push({ text: escaped });
      const own = text.slice(escaped.length, text.length - closing.length);
      const lower = name.toLowerCase();
      if (slash !== '') tokens.push({ close: lower, text: '' });
      else tokens.push({ open: { name: lower, attributes: parseAttributes(rest), text: own } });
      if (closing !== '') tokens.push({ text: closing });
    }
  }
  tokens.push({ text: html.slice(end) });
  const opened = new Set<string>();
  return tokens.map((token) => {
    if ('open' in token) opened.add(token.open.name);
    // An end without a beginning is text.
    return 'close' in token && !opened.has(token.close) ? { text: `[/${token.close}]` } : token;
  });
}

const ATTRIBUTE = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s'"]+))|"([^"]*)"|'([^']*)'|(\S+)/g;

function parseAttributes(text: string): ShortcodeAttributes {
  const attributes: Record<string, string> = Object.create(null);
  let position = 0;
  // Editors turn quotation marks into typographic ones and escape them.
  const plain = decodeAmpersands(text.replace(/[“”″]|&#822[01];|&quot;/g, '"').replace(/\u00a0/g, ' '));
  for (const [, name, one, two, three, ...others] of plain.matchAll(ATTRIBUTE)) {
    if (name !== undefined) attributes[name.toLowerCase()] = one ?? two ?? three ?? '';
    else {
      attributes[String(position)] = others.find((value) => value !== undefined) ?? '';
      position += 1;
    }
  }
  return attributes;
}

/** Shows code that a shortcode encloses. */
export function renderCode(content: string, language: string): string {
  const name = /^[\w+#-]{1,30}$/.test(language) ? ` class="language-${language.toLowerCase()}"` : '';
  const code = content.replace(/^\s*\n|\s+$/g, '').replace(/<br\s*\/?>\n?/g, '\n');
  return `\n\n<pre><code${name}>${/&(?:lt|gt|amp|#\d+);/.test(code) ? code : escapeHtml(code)}</code></pre>\n\n`;
}
