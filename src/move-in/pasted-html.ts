import render from 'dom-serializer';
import { parseDocument } from 'htmlparser2';
import {
  extractText,
  type HtmlElement,
  type HtmlNode,
  refuseDeepHtml,
} from '../sources/articles/html/html-text.ts';
import { convertHtml, isElement, type RewrittenLink } from './html-to-markdown.ts';

/**
 * Converts the HTML of a clipboard to Markdown: what word processors, spreadsheets, web pages and mail mean by their styles
 * becomes elements first, and everything else of their styles is left out.
 */
export function convertPasted(
  html: string,
  rewriteLink: (href: string) => RewrittenLink | null,
  findOwnImage: (src: string) => string | null = () => null,
) {
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
    markdown: text,
    /** Pictures that are added as files: the address of the Markdown is `pasted/` and the position in this list. */
    sources,
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
  'href',
  'src',
  'data-src',
  'data-lazy-src',
  'data-original',
  'alt',
  'colspan',
  'rowspan',
  'start',
  'style',
]);
const HEADINGS: Readonly<Record<string, string>> = { h1: 'h2', title: 'h2' };
/** Removes what is for the program that has written it. */
function tidy(nodes: readonly HtmlNode[]): void {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    const { name, attribs } = node;
    const { style = '', class: className = '' } = attribs;
    if (
      /^(?:style|meta|link|script|xml|head|o:p|colgroup|col|source|input)$/.test(name) ||
      /(?:^|;)\s*mso-list\s*:\s*Ignore/i.test(style)
    ) {
      node.children = [];
      node.name = 'span';
    }
    if (name === 'img') tidyImage(node);
    if (name === 'google-sheets-html-origin' || name === 'body' || name === 'html') node.name = 'div';
    if (name === 'a') inline(node.children);
    if (name === 'figure' || name === 'figcaption') node.name = name === 'figure' ? 'div' : 'p';
    if (name === 'picture') node.name = 'span';
    if (/^(?:kbd|samp|tt)$/.test(name)) node.name = 'code';
    if (attribs['role'] === 'heading' && /^(?:p|div)$/.test(name))
      node.name = `h${attribs['aria-level'] ?? 2}`;
    const level = /^MsoHeading(\d)$|^MsoTitle$/.exec(className);
    if (level !== null && name === 'p') node.name = `h${Math.min(6, Number(level[1] ?? 1) + 1)}`;
    else node.name = HEADINGS[node.name] ?? node.name;
    const isNumbered =
      /mso-list\s*:\s*l\d/i.test(style) &&
      /^\s*(?:\d+|[a-z]{1,3})[.)]/i.test(extractText(render(node.children)));
    tidy(node.children);
    if (/^[uo]l$/.test(node.name)) nestLists(node);
    if (node.name === 'table') tidyTable(node);
    const list = /mso-list\s*:\s*l\d+\s+level(\d)/i.exec(style)?.[1];
    const kept = Object.entries(attribs).filter(([key]) => ATTRIBUTES.has(key));
    node.attribs = {
      ...Object.fromEntries(kept),
      ...(list !== undefined && { 'data-level': list, 'data-list': isNumbered ? 'ol' : 'ul' }),
    };
    // An empty paragraph parts those around it.
    if (/^(?:p|div|h\d)$/.test(node.name) && isEmpty(node)) {
      node.name = 'div';
      node.children = [];
    }
  }
}

/** What is inside of a link is a part of its line. */
function inline(nodes: readonly HtmlNode[]): void {
  for (const node of nodes.filter(isElement)) {
    if (/^(?:div|p|figure|section)$/.test(node.name)) node.name = 'span';
    inline(node.children);
  }
}

/** A picture that is a letter is its letter; one that counts who reads a mail or page is nothing. */
function tidyImage(node: HtmlElement): void {
  const { alt = '', class: className = '', width, height, style = '' } = node.attribs;
  const isLetter = /\bemoji\b/i.test(className) || /emoji/i.test(node.attribs['src'] ?? '');
  // Boxes of tasks are drawn.
  const isBox = node.attribs['role'] === 'presentation' && /^data:/.test(node.attribs['src'] ?? '');
  const isHidden =
    isBox ||
    [width, height].includes('1') ||
    [width, height].includes('0') ||
    /display\s*:\s*none/i.test(style);
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

/** Puts nodes after a child of an element; without a child, at its start. */
function addAfter(parent: HtmlElement, child: HtmlNode | undefined, added: readonly HtmlNode[]): void {
  const at = child === undefined ? 0 : parent.children.indexOf(child) + 1;
  parent.children = [...parent.children.slice(0, at), ...added, ...parent.children.slice(at)];
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
  rows.forEach((row, index) => {
    let column = 0;
    for (const cell of row.children.filter(isElement)) {
      const { colspan = '1', rowspan = '1' } = cell.attribs;
      delete cell.attribs['colspan'];
      delete cell.attribs['rowspan'];
      const empty = () => parseDocument('<td></td>').children;
      const [wide, high] = [Math.min(Number(colspan) || 1, 50), Math.min(Number(rowspan) || 1, 500)];
      for (let more = 1; more < wide; more += 1) addAfter(row, cell, empty());
      for (const other of rows.slice(index + 1, index + high)) {
        const before = other.children.filter(isElement)[column - 1];
        for (let more = 0; more < wide; more += 1) addAfter(other, before, empty());
      }
      column += wide;
    }
  });
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
  /** The lists that are open. */
  let open: string[] = [];
  const close = (depth: number) => {
    for (const name of open.slice(depth).reverse()) html += `</li></${name}>`;
    open = open.slice(0, depth);
  };
  const flush = () => {
    if (open.length === 0) return;
    close(0);
    done.push(...parseDocument(html).children);
    html = '';
  };
  for (const node of nodes) {
    const level = isElement(node) ? Number(node.attribs['data-level'] ?? 0) : 0;
    if (isElement(node) && level > 0) {
      const words = render(node.children, { encodeEntities: 'utf8' }).replace(
        /^(?:\s|&nbsp;|\u00a0|[·•§o-]\s)+/,
        '',
      );
      const name = node.attribs['data-list'] ?? 'ul';
      // A list of another kind begins.
      if (level === 1 && open[0] !== undefined && open[0] !== name) flush();
      if (level > open.length) {
        const added = Array.from({ length: level - open.length }, () => name);
        html += added.map((one) => `<${one}><li>`).join('');
        open = [...open, ...added];
      } else {
        close(level);
        html += '</li><li>';
      }
      html += words;
    } else if (
      isElement(node) &&
      /^(?:div|body|html|span|section|article)$/.test(node.name) &&
      node.children.some(isElement)
    ) {
      flush();
      node.children = joinLists(node.children);
      done.push(node);
    } else if (!isElement(node) && 'data' in node && node.data.trim() === '' && open.length > 0) {
      // Space between two items.
    } else {
      flush();
      done.push(node);
    }
  }
  flush();
  return done;
}
