import render from 'dom-serializer';
import { parseDocument } from 'htmlparser2';
import type { ContentsEntry } from '../../../core/articles/article.ts';
import { ID_PREFIX } from '../../../core/articles/article-link.ts';
import { buildSlug } from '../../../core/text/slug.ts';
import { collapseSpaces, type HtmlElement, type HtmlNode, isBlock, unescapeEntities } from './html-text.ts';

export interface ArticleBody {
  /** Sanitized HTML. */
  readonly content: string;
  readonly contents: readonly ContentsEntry[];
  readonly splitAt: number;
  /** The words without markup, for excerpts, reading time and search. */
  readonly text: string;
}

/** The sanitizer has escaped the text, so entities pass through as they are. */
const PARSE_OPTIONS = { decodeEntities: false } as const;
const RENDER_OPTIONS = { decodeEntities: false, emptyAttrs: true } as const;

const HEADING = /^h([2-6])$/;
/** Elements that say nothing when they have neither attributes nor content. */
const NEEDS_CONTENT = /^(?:h[2-6]|p|strong|em)$/;
const VIDEO_ID = /^[\w-]{11}$/;
/** Takes the place of an empty element, so that the words around it stay apart. */
const SPACE = parseDocument(' ').children;
const TABLE_REGION = { class: 'table-scroll', role: 'region', tabindex: '0' };

/**
 * Structures a sanitized body in one pass over its DOM: ids are unique, headings have ids, each outermost table is in a
 * region that scrolls and takes the focus, wide tables become lists on phones, `<figure data-video="ID">` contains a
 * link to the video, and empty paragraphs and headings are removed. A second pass changes nothing. Also derives the
 * table of contents, the text and the place for a call to action: before the top-level `h2` nearest to the middle, if
 * there is one in the middle half.
 */
export function structureBody(html: string): ArticleBody {
  const pass = new StructurePass();
  const nodes = pass.transformAll(parseDocument(html.trim(), PARSE_OPTIONS).children, true);
  pass.headings.addIds(pass.ids);
  const middle = pass.headings.findMiddle(pass.letters);
  const split = middle ? nodes.indexOf(middle) : nodes.length;
  const before = render(nodes.slice(0, split), RENDER_OPTIONS).trimStart();
  const content = (before + render(nodes.slice(split), RENDER_OPTIONS)).trimEnd();
  if (pass.hasUnwrapped) return structureBody(content);
  return {
    content,
    contents: pass.headings.buildContents(),
    splitAt: Math.min(before.length, content.length),
    text: unescapeEntities(pass.getText()),
  };
}

class StructurePass {
  /** Whether an anchor was replaced by its content, which may be nested in a way that parsers undo. */
  hasUnwrapped = false;
  /** Characters of text that are not white space. */
  letters = 0;
  readonly ids = new Set<string>();
  /** Addresses of the images so far. */
  readonly #images = new Set<string>();
  readonly headings = new BodyHeadings();
  readonly #text: string[] = [];
  #tables = 0;
  #tableDepth = 0;
  #caption = '';

  transformAll(nodes: readonly HtmlNode[], isTopLevel = false): HtmlNode[] {
    return nodes.flatMap((node) => this.#transform(node, isTopLevel));
  }

  /** Returns what replaces a node: itself, nothing, its children or a region around it. */
  #transform(node: HtmlNode, isTopLevel: boolean): HtmlNode[] {
    if ('data' in node) {
      this.#text.push(node.data);
      this.letters += node.data.replace(/\s/g, '').length;
    }
    if (!('attribs' in node)) return [node];
    if (node.name === 'source' && node.attribs['data-media'] !== undefined) return [];
    if (node.attribs['data-fallback'] !== undefined)
      return this.transformAll(
        listImages(node).filter(({ attribs }) => !this.#images.has(attribs['src'] ?? '')),
      );
    if (node.name === 'img') this.#images.add(node.attribs['src'] ?? '');
    const { id } = node.attribs;
    if (id !== undefined && this.ids.has(id)) delete node.attribs['id'];
    else if (id !== undefined) this.ids.add(id);
    if (isBlock(node.name)) this.#text.push(' ');
    const replacement =
      node.name === 'table' ? [this.#wrapTable(node)] : this.#transformElement(node, isTopLevel);
    if (isBlock(node.name)) this.#text.push(' ');
    return replacement;
  }

  #transformElement(node: HtmlElement, isTopLevel: boolean): HtmlNode[] {
    if (node.name === 'figure') {
      linkVideo(node);
      if (linkMedia(node)) return [];
    }
    const start = this.#text.length;
    const offset = this.letters;
    node.children = this.transformAll(node.children);
    if (node.name === 'caption') this.#caption ||= this.getText(start);
    const isBare = Object.keys(node.attribs).length === 0;
    if (isBare && node.name === 'a') {
      this.hasUnwrapped = true;
      return node.children;
    }
    if (isBare && NEEDS_CONTENT.test(node.name) && node.children.every(isBlank)) return SPACE;
    const level = Number(HEADING.exec(node.name)?.[1] ?? 0);
    if (level > 0) {
      this.headings.add({ element: node, level, text: this.getText(start), isTopLevel, offset });
    }
    return [node];
  }

  /** A table is named by its caption, else like the region around it, by the heading above. */
  #wrapTable(table: HtmlElement): HtmlElement {
    const heading = this.headings.last?.text ?? '';
    this.#tables += 1;
    const number = `Table ${this.#tables}`;
    const outer = this.#caption;
    this.#caption = '';
    this.#tableDepth += 1;
    table.children = this.transformAll(table.children);
    this.#tableDepth -= 1;
    const name = this.#caption || heading;
    const label = name === '' ? number : `${number}: ${name}`;
    if (this.#caption === '') table.attribs['aria-label'] = label;
    this.#caption = outer;
    if (this.#tableDepth > 0) return table;
    stackTable(table);
    keepShortCells(table);
    const { parent } = table;
    if (parent && 'attribs' in parent && parent.attribs['class'] === TABLE_REGION.class) {
      parent.attribs['aria-label'] = label;
      return table;
    }
    return buildElement(table, 'div', { ...TABLE_REGION, 'aria-label': label }, [table]);
  }

  /** Returns the text, escaped as in the HTML: all of it, or what came after `start` parts. */
  getText(start = 0): string {
    return collapseSpaces(this.#text.slice(start).join(''));
  }
}

/**
 * Replaces the content of a video's figure by a link to the video. Nothing is loaded from the video service: the page's
 * script plays the id, and readers without scripts follow the link.
 */
function linkVideo(figure: HtmlElement): void {
  const { 'data-video': id = '', 'data-start': given, title, ...attribs } = figure.attribs;
  if (!VIDEO_ID.test(id)) return;
  const start = given ?? findStart(figure.children);
  const inner = new StructurePass();
  inner.transformAll(figure.children);
  const text = title?.replaceAll('&quot;', '"') ?? (inner.getText() || 'Watch the video on YouTube');
  const query = start === '' ? '' : `&amp;t=${start}s`;
  const link = { href: `https://www.youtube.com/watch?v=${id}${query}`, rel: 'noopener' };
  figure.attribs = { 'data-video': id, ...attribs };
  figure.children = [buildElement(figure, 'a', link, parseDocument(text, PARSE_OPTIONS).children)];
}

/** Finds the second at which the link of a figure begins its film; empty: at the beginning. */
function findStart(nodes: readonly HtmlNode[]): string {
  const [link] = nodes.filter((node) => 'attribs' in node);
  return /&amp;t=(\d{1,6})s$/.exec(link?.attribs['href'] ?? '')?.[1] ?? '';
}

/** Lists the images in an element. */
function listImages(parent: HtmlElement): HtmlElement[] {
  return parent.children.flatMap((node) => {
    if (!('attribs' in node)) return [];
    return node.name === 'img' ? [node] : listImages(node);
  });
}

/** Replaces the content of a figure with a film or recording by a link to it; true when there is no address. */
function linkMedia(figure: HtmlElement): boolean {
  const { 'data-media': media, title = '', ...attribs } = figure.attribs;
  if (media === undefined) return false;
  const address = media === 'source' ? findMediaSource(figure.children) : media;
  if (address === '') return true;
  const isPaid = address.startsWith('/go/');
  const link = {
    href: address,
    rel: isPaid ? 'sponsored noopener' : 'nofollow noopener',
    ...(isPaid && { target: '_blank' }),
  };
  figure.attribs = attribs;
  figure.children = [buildElement(figure, 'a', link, parseDocument(title, PARSE_OPTIONS).children)];
  return false;
}

function findMediaSource(nodes: readonly HtmlNode[]): string {
  for (const node of nodes) {
    if (!('attribs' in node)) continue;
    const address = node.attribs['data-media'] ?? findMediaSource(node.children);
    if (address !== '') return address;
  }
  return '';
}

function isBlank(node: HtmlNode): boolean {
  return 'data' in node && node.data.trim() === '';
}

function buildElement(
  like: HtmlElement,
  name: string,
  attribs: Record<string, string>,
  children: HtmlNode[],
): HtmlElement {
  return Object.assign(like.cloneNode(), { name, attribs, children });
}

interface Heading {
  readonly element: HtmlElement;
  readonly level: number;
  /** With its entities. */
  readonly text: string;
  readonly isTopLevel: boolean;
  /** Characters of text before it that are not white space. */
  readonly offset: number;
}

const MAX_SLUG_LENGTH = 60;
/** More entries help no reader and take long to render. */
const MAX_CONTENTS = 300;
/** How far from the middle the body may be split, as a share of its text. */
const MAX_SPLIT_DISTANCE = 0.25;

/** The headings of an article's body, in order. */
class BodyHeadings {
  readonly #all: Heading[] = [];

  get last(): Heading | undefined {
    return this.#all.at(-1);
  }

  add(heading: Heading): void {
    this.#all.push(heading);
  }

  /** Gives every heading without an id one made of its words, and adds it to `ids`, which are those of the body. */
  addIds(ids: Set<string>): void {
    const counts = new Map<string, number>();
    for (const { element, text } of this.#all) {
      if (element.attribs['id']) continue;
      const slug = buildSlug(unescapeEntities(text)).slice(0, MAX_SLUG_LENGTH).replace(/-$/, '');
      const base = `${ID_PREFIX}${slug || 'section'}`;
      let count = counts.get(base) ?? 1;
      let id = count === 1 ? base : `${base}-${count}`;
      while (ids.has(id)) {
        count += 1;
        id = `${base}-${count}`;
      }
      counts.set(base, count);
      ids.add(id);
      element.attribs['id'] = id;
    }
  }

  /** Lists the second-level headings, each with its third-level ones; the first `MAX_CONTENTS` of both. */
  buildContents(): readonly ContentsEntry[] {
    const entries: { id: string; text: string; children: { id: string; text: string }[] }[] = [];
    const listed = this.#all.filter(({ level, text }) => (level === 2 || level === 3) && text !== '');
    for (const { level, element, text } of listed.slice(0, MAX_CONTENTS)) {
      const entry = { id: element.attribs['id'] ?? '', text: unescapeEntities(text) };
      if (level === 2) entries.push({ ...entry, children: [] });
      if (level === 3) entries.at(-1)?.children.push(entry);
    }
    return entries;
  }

  /** Finds the top-level `h2` nearest to the middle of a text of `letters` characters, in its middle half. */
  findMiddle(letters: number): HtmlElement | null {
    let best = { distance: MAX_SPLIT_DISTANCE, element: null as HtmlElement | null };
    for (const { level, element, isTopLevel, offset } of this.#all) {
      const distance = Math.abs(offset / letters - 0.5);
      if (level === 2 && isTopLevel && distance < best.distance) best = { distance, element };
    }
    return best.element;
  }
}

/** What fits side by side on a phone of 360 px, in characters with the gaps between columns. */
const MAX_CHARACTERS = 37;
const GAP_CHARACTERS = 2;
/** Words in narrow columns break into many lines, although they fit. */
const MAX_TEXT_COLUMNS = 2;
/** Cells of the first column that are no longer than this stay on one line: `Mon Nov 10`, `12 months`. */
const MAX_UNBROKEN_CHARACTERS = 12;
/** What needs no name of a column before it: `1` or `A` does, `3 months` does not. */
const NAME = /\p{L}{3}/u;

/**
 * Marks a table that is too wide for phones, where its rows become lists, and names the column in each of its cells;
 * the first cell of a row, its title, needs that only when it is a number.
 * Tables with cells that span rows or columns or have a table inside, or without a head of one row, stay tables.
 */
function stackTable(table: HtmlElement): void {
  const [head = [], ...others] = findAll(table, 'thead').flatMap((part) =>
    findAll(part, 'tr').map(listCells),
  );
  const rows = findAll(table, 'tbody', 'tfoot').flatMap((part) => findAll(part, 'tr').map(listCells));
  const cells = [head, ...rows].flat();
  if (others.length > 0 || rows.some((row) => row.length !== head.length)) return;
  if (cells.some(isIrregular) || !isTooWide(head, rows)) return;
  table.attribs['data-stacked'] = '';
  const isFirstNamed = rows.some(([first]) => first && !NAME.test(readText(first)));
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      const heading = head[index];
      if (heading && (index > 0 || (isFirstNamed && !isName(cell))))
        cell.attribs['data-column'] = collapseSpaces(readText(heading));
    }
  }
}

/** Marks the cells of a first column in which all are short, such as dates, so that they stay on one line. */
function keepShortCells(table: HtmlElement): void {
  const rows = findAll(table, 'tbody').flatMap((part) => findAll(part, 'tr').map(listCells));
  const cells = rows.flatMap(([first]) => first ?? []);
  if (areShort(cells)) {
    for (const cell of cells) if (readText(cell).trim().includes(' ')) cell.attribs['data-short'] = '';
  }
}

function areShort(cells: readonly HtmlElement[]): boolean {
  return cells.every((cell) => measureLine(cell) <= MAX_UNBROKEN_CHARACTERS);
}

function isName(cell: HtmlElement): boolean {
  const text = readText(cell);
  return NAME.test(text) && !/\d/.test(text);
}

function isIrregular(cell: HtmlElement): boolean {
  return 'colspan' in cell.attribs || 'rowspan' in cell.attribs || hasTable(cell);
}

function hasTable(parent: HtmlElement): boolean {
  return parent.children.some((node) => 'attribs' in node && (node.name === 'table' || hasTable(node)));
}

function isTooWide(head: readonly HtmlElement[], rows: readonly (readonly HtmlElement[])[]): boolean {
  if (head.length < 3) return false;
  const columns = head.map((heading, index) => [heading, ...rows.flatMap((row) => row[index] ?? [])]);
  const titles = rows.flatMap(([first]) => first ?? []);
  const texts = head.slice(1).filter(({ attribs }) => attribs['data-align'] !== 'right').length;
  const widths = columns.map((cells) => Math.max(...cells.map(measureCell)));
  if (areShort(titles)) widths[0] = Math.max(widths[0] ?? 0, ...titles.map(measureLine));
  const total = widths.reduce((sum, width) => sum + width + GAP_CHARACTERS, -GAP_CHARACTERS);
  return texts > MAX_TEXT_COLUMNS || total > MAX_CHARACTERS;
}

/** Characters of the longest part that stays on one line: figures do not wrap, other text does between words. */
function measureCell(cell: HtmlElement): number {
  const isFigure = cell.name === 'td' && cell.attribs['data-align'] === 'right';
  if (isFigure) return measureLine(cell);
  const words = collapseSpaces(readText(cell)).split(' ');
  return Math.max(...words.map((word) => word.length));
}

function measureLine(cell: HtmlElement): number {
  return collapseSpaces(readText(cell)).length;
}

function listCells(row: HtmlElement): HtmlElement[] {
  return findAll(row, 'th', 'td');
}

function findAll(parent: HtmlElement, ...names: readonly string[]): HtmlElement[] {
  return parent.children.filter(
    (node): node is HtmlElement => 'attribs' in node && names.includes(node.name),
  );
}

function readText(node: HtmlNode): string {
  if ('data' in node) return node.data;
  if (!('attribs' in node)) return '';
  const text = node.children.map(readText).join('');
  return isBlock(node.name) ? ` ${text} ` : text;
}
