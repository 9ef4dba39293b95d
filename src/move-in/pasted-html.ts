import render from 'dom-serializer';
import { parseDocument } from 'htmlparser2';
import { type HtmlElement, type HtmlNode, refuseDeepHtml } from '../sources/articles/html/html-text.ts';
import { convertHtml, type RewrittenLink } from './html-to-markdown.ts';

const isElement = (node: HtmlNode): node is HtmlElement => 'attribs' in node;

/** What a text has that was put into an article. */
export interface PastedText {
  readonly markdown: string;
  readonly words: number;
  readonly tables: number;
  /** Pictures that are added as files: the address of the Markdown is `pasted/` and the position in this list. */
  readonly sources: readonly { readonly src: string; readonly alt: string }[];
}

/**
 * Converts the HTML of a clipboard to Markdown: what word processors, spreadsheets, web pages and mail mean by their styles
 * becomes elements first, and everything else of their styles is left out.
 */
export function convertPasted(
  html: string,
  rewriteLink: (href: string) => RewrittenLink | null,
  findOwnImage: (src: string) => string | null = () => null,
): PastedText {
  // Clipboards of Windows have what was copied between two comments.
  const [, fragment = html] = /<!--StartFragment-->([\s\S]*?)<!--EndFragment-->/.exec(html) ?? [];
  const plain = fragment.replace(/<!--\[if[\s\S]*?<!\[endif\]-->|<!\[if[^>]*>|<!\[endif\]>/g, '');
  refuseDeepHtml(plain);
  // Spreadsheets mark the rows alone.
  const whole = /^\s*<tr\b/i.test(plain) ? `<table>${plain}</table>` : plain;
  const root = parseDocument(whole, { decodeEntities: true, lowerCaseTags: true });
  tidy(root.children);
  root.children = joinLists(root.children);
  const sources: { src: string; alt: string }[] = [];
  const options = {
    hasLineBreaks: false,
    rewriteLink: (href: string) => rewriteLink(unwrapLink(href)),
    rewriteImage: (src: string, alt: string) => {
      const own = findOwnImage(src);
      return { src: own ?? `pasted/${sources.push({ src, alt }) - 1}`, alt };
    },
    findProduct: () => undefined,
  };
  const { markdown } = convertHtml(
    render(root.children, { encodeEntities: 'utf8', emptyAttrs: true }),
    options,
  );
  const text = markdown.replace(/\u00a0/g, ' ').trim();
  return {
    ...{ markdown: text, sources },
    words: text.replace(/!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)/g, ']').match(/[\p{L}\p{N}]+/gu)?.length ?? 0,
    tables: text.match(/^\|(?: ?:?-+:? ?\|)+$/gm)?.length ?? 0,
  };
}

/** The address behind those that mail and document programs put around links. */
function unwrapLink(href: string): string {
  if (!URL.canParse(href)) return href;
  const url = new URL(href);
  const isWrapped = /(?:^|\.)google\.[a-z.]+$/.test(url.hostname) && url.pathname === '/url';
  const isSafeLink = url.hostname.endsWith('.safelinks.protection.outlook.com');
  const inner = isWrapped
    ? (url.searchParams.get('q') ?? url.searchParams.get('url'))
    : url.searchParams.get('url');
  return (isWrapped || isSafeLink) && inner !== null && /^https?:/.test(inner) ? inner : href;
}

const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['href', 'src', 'data-src', 'data-lazy-src', 'data-original', 'alt', 'colspan', 'rowspan', 'start'],
]);
const HEADINGS: Readonly<Record<string, string>> = { h1: 'h2', title: 'h2' };
/** Styles that are meant, with their elements. Those of headings and links are their own. */
const MEANT: readonly (readonly [style: RegExp, name: string])[] = [
  [/(?:^|;)\s*font-weight\s*:\s*(?:bold|[6-9]\d\d)\b/i, 'strong'],
  [/(?:^|;)\s*font-style\s*:\s*italic\b/i, 'em'],
  [/(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*line-through/i, 'del'],
  [/(?:^|;)\s*font-family\s*:[^;]*(?:monospace|Courier|Consolas|Menlo)/i, 'code'],
];

/** Turns styles into elements, and removes what is for the program that has written it. */
function tidy(nodes: readonly HtmlNode[], isHeading = false): void {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    const { name, attribs } = node;
    const { style = '', class: className = '' } = attribs;
    if (
      /^(?:style|meta|link|script|xml|head|o:p|colgroup|col)$/.test(name) ||
      /(?:^|;)\s*mso-list\s*:\s*Ignore/i.test(style)
    ) {
      node.children = [];
      node.name = 'span';
    }
    if (name === 'img') tidyImage(node);
    if (name === 'google-sheets-html-origin' || name === 'body' || name === 'html') node.name = 'div';
    const level = /^MsoHeading(\d)$|^MsoTitle$/.exec(className);
    if (level !== null && name === 'p') node.name = `h${Math.min(6, Number(level[1] ?? 1) + 1)}`;
    else node.name = HEADINGS[node.name] ?? node.name;
    const isOwnHeading = isHeading || /^h\d$/.test(node.name);
    // Google's documents are in bold that is no bold.
    if (name === 'b' && /font-weight\s*:\s*normal/i.test(style)) node.name = 'div';
    tidy(node.children, isOwnHeading);
    if (/^[uo]l$/.test(node.name)) nestLists(node);
    if (node.name === 'table') tidyTable(node);
    if (/^(?:span|font|p|td|th|li)$/.test(node.name)) wrapMeaning(node, style, isOwnHeading);
    const list = /mso-list\s*:\s*l\d+\s+level(\d)/i.exec(style)?.[1];
    const kept = Object.entries(attribs).filter(([key]) => ATTRIBUTES.has(key));
    node.attribs = { ...Object.fromEntries(kept), ...(list !== undefined && { 'data-level': list }) };
    // An empty paragraph parts those around it.
    if (/^(?:p|div|h\d)$/.test(node.name) && isEmpty(node)) {
      node.name = 'div';
      node.children = [];
    }
  }
}

/** A picture that is a letter is its letter; one that counts who reads a mail or page is nothing. */
function tidyImage(node: HtmlElement): void {
  const { alt = '', class: className = '', width, height, style = '' } = node.attribs;
  const isLetter = /\bemoji\b/i.test(className) || /emoji/i.test(node.attribs['src'] ?? '');
  const isHidden =
    [width, height].includes('1') || [width, height].includes('0') || /display\s*:\s*none/i.test(style);
  if (!isHidden && !(isLetter && alt !== '')) return;
  node.name = 'span';
  node.children = isHidden ? [] : parseDocument(alt).children;
}

/** A list that stands between items belongs to the item before it; the paragraph of an item is its text. */
function nestLists(list: HtmlElement): void {
  for (const item of list.children.filter(isElement)) {
    const paragraphs = item.children.filter(isElement).filter(({ name }) => name === 'p');
    if (paragraphs.length === 1 && paragraphs[0] !== undefined) paragraphs[0].name = 'span';
  }
  const items: HtmlNode[] = [];
  for (const child of list.children) {
    const before = items.findLast(isElement);
    if (isElement(child) && /^[uo]l$/.test(child.name) && before?.name === 'li')
      before.children = [...before.children, child];
    else items.push(child);
  }
  list.children = items;
}

const isEmpty = ({ children }: HtmlElement): boolean =>
  children.every((child) =>
    isElement(child)
      ? /^(?:br|span|strong|em)$/.test(child.name) && isEmpty(child)
      : !('data' in child) || child.data.trim() === '',
  );

/** Puts what is in an element into the elements that its style means. */
function wrapMeaning(node: HtmlElement, style: string, isHeading: boolean): void {
  if (isEmpty(node)) return;
  for (const [pattern, name] of MEANT) {
    if (!pattern.test(style) || (isHeading && name === 'strong')) continue;
    const [inner] = parseDocument(`<${name}></${name}>`).children;
    if (inner === undefined || !isElement(inner)) continue;
    inner.children = node.children;
    node.children = [inner];
  }
}

/** A table whose first row has no headings gets them: Markdown has no other tables. */
function tidyTable(table: HtmlElement): void {
  const rows: HtmlElement[] = [];
  const collect = (nodes: readonly HtmlNode[]) => {
    for (const node of nodes) {
      if (!isElement(node)) continue;
      if (node.name === 'tr') rows.push(node);
      else collect(node.children);
    }
  };
  collect(table.children);
  const cells = rows.map((row) => row.children.filter(isElement));
  const width = Math.max(0, ...cells.map(({ length }) => length));
  for (const cell of cells.flat()) {
    // Paragraphs in a cell are its lines.
    const blocks = cell.children.filter(isElement).filter(({ name }) => /^(?:p|div)$/.test(name));
    blocks.forEach((block, index) => {
      block.name = 'span';
      if (index < blocks.length - 1) block.children = [...block.children, ...parseDocument('<br>').children];
    });
  }
  for (const cell of cells[0] ?? []) cell.name = 'th';
  rows.forEach((row, index) => {
    const missing = width - (cells[index]?.length ?? 0);
    if (missing > 0 && missing < width)
      row.children = [...row.children, ...parseDocument('<td></td>'.repeat(missing)).children];
  });
}

/** Paragraphs that a word processor has made items of lists become lists, with those of a deeper level inside. */
function joinLists(nodes: readonly HtmlNode[]): HtmlNode[] {
  const done: HtmlNode[] = [];
  let html = '';
  let depth = 0;
  const flush = () => {
    if (depth === 0) return;
    done.push(...parseDocument(`${html}${'</li></ul>'.repeat(depth)}`).children);
    html = '';
    depth = 0;
  };
  for (const node of nodes) {
    const level = isElement(node) ? Number(node.attribs['data-level'] ?? 0) : 0;
    if (isElement(node) && level > 0) {
      const words = render(node.children, { encodeEntities: 'utf8' }).replace(
        /^(?:\s|&nbsp;|\u00a0|[·•§o-]\s)+/,
        '',
      );
      if (level > depth) html += '<ul><li>'.repeat(level - depth);
      else html += `${'</li></ul>'.repeat(depth - level)}</li><li>`;
      html += words;
      depth = level;
    } else if (
      isElement(node) &&
      /^(?:div|body|html|span|section|article)$/.test(node.name) &&
      node.children.some(isElement)
    ) {
      flush();
      node.children = joinLists(node.children);
      done.push(node);
    } else if (!isElement(node) && 'data' in node && node.data.trim() === '' && depth > 0) {
      // Space between two items.
    } else {
      flush();
      done.push(node);
    }
  }
  flush();
  return done;
}
