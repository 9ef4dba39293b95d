import render from 'dom-serializer';
import { parseDocument } from 'htmlparser2';
import { REMOVED_ELEMENTS } from '../core/articles/check-article.ts';
import { escapePlaceholders, hasPlaceholder, splitAtShortcodes } from '../core/articles/shortcodes.ts';
import { listNames } from '../core/pages/claims/placeholders.ts';
import { buildSlug } from '../core/text/slug.ts';
import {
  type HtmlElement,
  type HtmlNode,
  inspectHtml,
  parseHtml,
  refuseDeepHtml,
} from '../sources/articles/html/html-text.ts';
import { renderMarkdown } from '../sources/articles/html/prepare-body.ts';
import { isProductNumber, type MovedProduct, SEE_IT } from './product-boxes.ts';

/** Where a link of a body leads in the article, or null to leave only its words. */
export interface RewrittenLink {
  readonly href: string;
  /** A paid link without a partner's file. */
  readonly isSponsored?: boolean;
}

/** An image of a body as the article names it. */
export interface RewrittenImage {
  readonly src: string;
  readonly alt: string;
}

interface ConversionOptions {
  /** Whether line breaks of the text are line breaks of the article, as in WordPress before its block editor. */
  readonly hasLineBreaks: boolean;
  readonly rewriteLink: (href: string) => RewrittenLink | null;
  readonly rewriteImage: (src: string, alt: string) => RewrittenImage | null;
  /** What became of a product that links name by its number; undefined: unknown. */
  readonly findProduct: (number: string) => MovedProduct | undefined;
}

/**
 * Converts HTML to Markdown in one pass over its DOM. Each block is rendered again and compared with its HTML: when words,
 * links or images differ, and when Markdown has no form for it, it stays HTML without styles, classes and handlers.
 */
export function convertHtml(html: string, options: ConversionOptions) {
  const writer = new MarkdownWriter(options);
  const { markdown: written, shown: rendered } = writer.convert(html);
  const escaped = escapePlaceholders(written);
  const shown = inspectHtml(escaped === written ? rendered : renderMarkdown(escaped));
  let boxes = 0;
  const markdown = escaped.replace(BOX_LINE, (line: string, key: string) => {
    if (!writer.boxes.has(key)) return line;
    boxes += 1;
    return `{{product-box product="${key}"}}`;
  });
  return {
    markdown,
    html: writer.html,
    removed: writer.removed,
    hidden: writer.hidden,
    boxes,
    links: shown.links.length + boxes,
    images: shown.images.length,
  };
}

const NODES = { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true } as const;
const OUTPUT = { encodeEntities: 'utf8', emptyAttrs: true } as const;

export const UNSHOWN = new Set([...REMOVED_ELEMENTS, 'noscript', 'link', 'meta', 'title', 'head', 'base']);
export const BLOCKS = new Set(
  `address article aside blockquote center details dd div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6
  header hr iframe li main nav ol p pre section summary table tbody td tfoot th thead tr ul video audio object
  embed`.split(/\s+/),
);
/** Blocks that say nothing themselves. */
const TRANSPARENT = new Set(
  'address article aside center div footer header main nav section fieldset'.split(' '),
);
/** Inline elements that are HTML in the Markdown. */
const INLINE_HTML = new Set(
  'abbr bdi cite dfn ins kbd mark q ruby rt rp samp small sub sup time u var'.split(' '),
);
const BODY_CLASSES =
  /^(?:gallery|columns|callout|wp-block-gallery|wp-block-columns|wp-block-media-text|language-[\w+#-]{1,30}|has-text-align-(?:right|center))$/;
const ATTRIBUTES = new Set(
  `href src alt title width height id name lang dir colspan rowspan scope start reversed value datetime rel open cite
  allowfullscreen`.split(/\s+/),
);

/** The mark of an element whose line breaks are line breaks: text between the blocks of WordPress. */
export const CLASSIC = 'data-moved-classic';

/** An element that a product box is until the Markdown is written; a comment is what it is in the Markdown. */
const BOX = 'moved-product-box';
const BOX_LINE = /^<!-- \[product-box ([a-z0-9-]+)\] -->$/gm;

/** Whether an element was not shown by its own attributes. */
export const isHidden = ({ hidden, style = '' }: Readonly<Record<string, string>>) =>
  hidden !== undefined || /(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i.test(style);

export const isElement = (node: HtmlNode): node is HtmlElement => 'attribs' in node;
const isText = (node: HtmlNode): node is Extract<HtmlNode, { readonly data: string }> => node.type === 'text';
const isBlockNode = (node: HtmlNode) => isElement(node) && BLOCKS.has(node.name);
const isComment = (node: HtmlNode) => node.type === 'comment';
const getData = (node: HtmlNode) => ('data' in node ? node.data : '');
const isBlank = (node: HtmlNode) => isText(node) && node.data.trim() === '';

class MarkdownWriter {
  readonly html = new Map<string, number>();
  readonly removed = new Map<string, number>();
  /** Elements that pages did not show, and articles do. */
  readonly hidden = new Map<string, number>();
  /** Keys of the products that boxes show. */
  readonly boxes = new Set<string>();
  readonly #options: ConversionOptions;
  #targets: ReadonlySet<string> = new Set();
  #comparesBlocks = false;

  constructor(options: ConversionOptions) {
    this.#options = options;
  }

  /** Returns the Markdown, and `shown`: the HTML that it renders to. */
  convert(html: string): { readonly markdown: string; readonly shown: string } {
    refuseDeepHtml(html);
    const root = parseDocument(html, NODES);
    this.#targets = new Set(
      inspectHtml(html).links.flatMap((href) =>
        href.startsWith('#') && href.length > 1 ? [href.slice(1)] : [],
      ),
    );
    this.#clean(root.children);
    root.children = markShortcodes(liftBoxes(root.children));
    const parted = root.children.flatMap((node) =>
      isElement(node) && node.attribs[CLASSIC] !== undefined ? this.#paragraphs(node.children, true) : [node],
    );
    const nodes = this.#paragraphs(parted.filter((node) => !isDropped(node)));
    const whole = fingerprint(render(nodes, OUTPUT));
    const show = (blocks: readonly string[]) => {
      const markdown = blocks.join('\n\n');
      return { markdown, shown: renderMarkdown(markdown) };
    };
    // Most bodies are right as a whole; else each block is compared.
    const first = show(this.#blocks(nodes));
    if (fingerprint(first.shown) === whole) return first;
    this.#comparesBlocks = true;
    this.html.clear();
    const second = show(this.#blocks(nodes));
    if (fingerprint(second.shown) === whole) return second;
    this.html.clear();
    // Blocks that are right alone and not together: HTML blocks end at an empty line, whatever is around them.
    return show(nodes.flatMap((node) => this.#asHtml(node)));
  }

  /** Removes what runs or cannot be shown, and rewrites links and images. */
  #clean(nodes: readonly HtmlNode[], isHeading = false): void {
    for (const node of nodes) {
      if (!isElement(node)) continue;
      if (node.name === BOX) node.name = 'span';
      if (UNSHOWN.has(node.name)) {
        count(this.removed, node.name);
        node.attribs['data-removed'] = '';
        node.children = [];
        continue;
      }
      if (isHidden(node.attribs)) count(this.hidden, node.name);
      if (node.name === 'img') this.#cleanImage(node);
      if (isDropped(node)) continue;
      const isWithin = isHeading || /^h\d$/.test(node.name);
      this.#clean(node.children, isWithin);
      if (node.name === 'a' && node.attribs['href'] !== undefined) this.#cleanLink(node);
      node.children = node.children.filter((child) => !isDropped(child));
      if (node.name === 'h1') node.name = 'h2';
      readStyle(node, isWithin);
      if (node.name === 'b') node.name = 'strong';
      if (node.name === 'i') node.name = 'em';
      if (node.name === 'strike') node.name = 'del';
      if (node.name === 'tt') node.name = 'code';
      if (node.name === 'big' || node.name === 'font') node.name = 'span';
      if (node.name !== BOX) for (const name of Object.keys(node.attribs)) cleanAttribute(node, name);
    }
  }

  /** Turns the link of a product box into the box, or gives a link without words its product's name. */
  #cleanProduct(node: HtmlElement, number: string): void {
    const product = this.#options.findProduct(number);
    if (product?.key && node.attribs['data-box'] === 'yes') {
      this.boxes.add(product.key);
      node.name = BOX;
      node.attribs = { name: product.key };
      node.children = [];
      return;
    }
    const isEmpty = inspectHtml(render(node.children, OUTPUT)).images.length === 0;
    const words = getText(node).trim();
    if (isEmpty && (words === '' || isProductNumber(words)))
      node.children = [createText(product?.name || SEE_IT)];
  }

  #cleanImage(node: HtmlElement): void {
    const { attribs } = node;
    const src =
      attribs['data-lazy-src'] || attribs['data-src'] || attribs['data-original'] || attribs['src'] || '';
    const image = this.#options.rewriteImage(src.trim(), attribs['alt'] ?? '');
    if (image === null) {
      attribs['data-removed'] = '';
      return;
    }
    attribs['src'] = image.src;
    attribs['alt'] = image.alt;
    const isOwn = !/^[a-z][a-z\d+.-]*:|^\//i.test(image.src);
    for (const name of ['width', 'height']) if (isOwn) delete attribs[name];
  }

  #cleanLink(node: HtmlElement): void {
    const link = this.#options.rewriteLink((node.attribs['href'] ?? '').trim());
    const number = node.attribs['data-moved-product'];
    if (number !== undefined) this.#cleanProduct(node, number);
    if (node.name === BOX) return;
    delete node.attribs['rel'];
    delete node.attribs['target'];
    if (link === null) {
      node.name = 'span';
      delete node.attribs['href'];
      return;
    }
    node.attribs['href'] = link.href;
    if (link.isSponsored) node.attribs['rel'] = 'sponsored';
  }

  /** Puts runs of inline nodes into paragraphs; an empty line parts them, as in WordPress. */
  #paragraphs(nodes: readonly HtmlNode[], hasLineBreaks = this.#options.hasLineBreaks): HtmlNode[] {
    const found: HtmlNode[] = [];
    let run: HtmlNode[] = [];
    const flush = () => {
      if (run.some((node) => !isBlank(node) && node.type !== 'comment'))
        found.push(createElement('p', trimRun(run)));
      else found.push(...run.filter((node) => node.type === 'comment'));
      run = [];
    };
    for (const node of nodes) {
      if (isBlockNode(node) || isBox(node)) {
        flush();
        found.push(node);
      } else if (isText(node) && /\n[ \t\r]*\n/.test(node.data)) {
        node.data.split(/\n[ \t\r]*\n\s*/).forEach((piece, at) => {
          if (at > 0) flush();
          run.push(...partLines(piece, hasLineBreaks));
        });
      } else if (isText(node)) run.push(...partLines(node.data, hasLineBreaks));
      else run.push(node);
    }
    flush();
    return found;
  }

  #blocks(nodes: readonly HtmlNode[]): string[] {
    return nodes.flatMap((node) => {
      if (isComment(node)) return [`<!--${getData(node)}-->`];
      if (!isElement(node)) return [];
      if (isBox(node)) return [writeBox(node)];
      const markdown = this.#block(node);
      if (markdown !== null && this.#isRight(markdown, node)) {
        return markdown.trim() === '' ? [] : [markdown];
      }
      return this.#asHtml(node);
    });
  }

  #isRight(markdown: string, node: HtmlElement): boolean {
    return (
      !this.#comparesBlocks || fingerprint(renderMarkdown(markdown)) === fingerprint(render(node, OUTPUT))
    );
  }

  #asHtml(node: HtmlNode): string[] {
    if (!isElement(node)) return [];
    if (isBox(node)) return [writeBox(node)];
    if (fingerprint(render(node, OUTPUT)) === NOTHING && node.name !== 'hr' && !isFrame(node)) return [];
    count(this.html, node.name);
    return [writeHtml(node)];
  }

  /** The Markdown of a block; null when it has no form for it. */
  #block(node: HtmlElement): string | null {
    const { name, attribs, children } = node;
    const isMarked = attribs['dir'] !== undefined || attribs['lang'] !== undefined;
    if (isMarked || attribs['class'] !== undefined) {
      if (name !== 'pre' && name !== 'table') return null;
    }
    const level = /^h([2-6])$/.exec(name)?.[1];
    if (level === undefined && attribs['id'] !== undefined && this.#targets.has(attribs['id'])) return null;
    if (name === 'p')
      return this.#inline(children)
        .trim()
        .replace(/^(?:\\\n)+|(?:\\\n)+$/g, '');
    if (level !== undefined)
      return `${'#'.repeat(Number(level))} ${writeAnchor(node)}${this.#inline(children).replace(/\\?\n/g, ' ').trim()}`;
    if (name === 'hr') return '---';
    if (name === 'blockquote')
      return prefix(this.#blocks(this.#paragraphs(children)).join('\n\n'), '> ', '> ');
    if (name === 'ul' || name === 'ol') return this.#list(node);
    if (name === 'pre') return hasPlaceholder(getText(node)) ? null : writeCode(node);
    if (name === 'table') return this.#table(node);
    if (name === 'figure') return this.#figure(node);
    if (TRANSPARENT.has(name)) return this.#blocks(this.#paragraphs(children)).join('\n\n');
    return null;
  }

  #figure(node: HtmlElement): string | null {
    const inner = node.children.filter((child) => !isBlank(child) && child.type !== 'comment');
    if (inner.some((child) => isElement(child) && child.name === 'figcaption')) return null;
    return this.#blocks(this.#paragraphs(inner)).join('\n\n');
  }

  #list(node: HtmlElement): string | null {
    const items = node.children.filter((child) => !isBlank(child));
    if (items.some((item) => !isElement(item) || item.name !== 'li' || hasOwn(item, ['value', 'id', 'dir'])))
      return null;
    const { reversed, type = '1' } = node.attribs;
    if (reversed !== undefined || (node.name === 'ol' && type !== '1') || items.length === 0) return null;
    const start = Number(node.attribs['start'] ?? '1');
    const lines = items.flatMap((item, at) => {
      if (!isElement(item)) return [];
      const marker = node.name === 'ul' ? '- ' : `${start + at}. `;
      const isLoose = item.children.some(
        (child) => isElement(child) && BLOCKS.has(child.name) && !/^[uo]l$/.test(child.name),
      );
      const blocks = this.#blocks(this.#paragraphs(item.children));
      return [prefix(blocks.join(isLoose ? '\n\n' : '\n'), marker, ' '.repeat(marker.length))];
    });
    return lines.join('\n');
  }

  #table(node: HtmlElement): string | null {
    const rows = listRows(node);
    const [head, ...body] = rows;
    const isHead = head?.every(({ name }) => name === 'th') ?? false;
    const caption = node.children.some((child) => isElement(child) && child.name === 'caption');
    const width = head?.length ?? 0;
    if (!isHead || caption || width === 0 || rows.some((row) => row.length !== width)) return null;
    const cells = rows.flat();
    if (cells.some((cell) => hasOwn(cell, ['colspan', 'rowspan']) || cell.children.some(isBlockNode)))
      return null;
    // Text has escaped its own bars; code and addresses have not.
    const escapeBar = (bar: string, slashes: string) => (slashes.length % 2 === 1 ? bar : `${slashes}\\|`);
    const write = ({ children }: HtmlElement) =>
      this.#inline(children)
        .replace(/\\?\n/g, '<br>')
        .replace(/(\\*)\|/g, escapeBar)
        .trim();
    const line = (row: readonly HtmlElement[]) => `| ${row.map(write).join(' | ')} |`;
    const rule = (head ?? []).map((_, at) => {
      const aligned = rows.map(
        (row) => /has-text-align-(right|center)/.exec(row[at]?.attribs['class'] ?? '')?.[1],
      );
      if (aligned.includes('right')) return '---:';
      return aligned.includes('center') ? ':---:' : '---';
    });
    return [line(head ?? []), `| ${rule.join(' | ')} |`, ...body.map(line)].join('\n');
  }

  #inline(nodes: readonly HtmlNode[]): string {
    return nodes.map((node) => this.#inlineNode(node)).join('');
  }

  #inlineNode(node: HtmlNode): string {
    if (isText(node)) return escapeMarkdown(node.data.replace(/[ \t\r\n]+/g, ' '));
    if (isComment(node)) return `<!--${getData(node)}-->`;
    if (!isElement(node)) return '';
    const { name, attribs, children } = node;
    if (name === 'br') return '\\\n';
    if (name === 'img') return writeImage(node);
    if (name === 'code') return writeInlineCode(node);
    const inner = this.#inline(children);
    if (name === 'a') return writeLink(node, inner);
    if (name === 'strong') return surround(inner, '**');
    if (name === 'em') return surround(inner, '*');
    if (name === 'del' || name === 's') return surround(inner, '~~');
    if (INLINE_HTML.has(name) || (name === 'span' && hasOwn(node, ['id', 'lang', 'dir'])))
      return `<${name}${writeAttributes(attribs)}>${inner}</${name}>`;
    return inner;
  }
}

const isBox = (node: HtmlNode) => isElement(node) && node.name === BOX;
const writeBox = ({ attribs }: HtmlElement) => `<!-- [product-box ${attribs['name']}] -->`;

/** Puts product boxes between blocks: the site reads a shortcode that is alone in its paragraph. */
function liftBoxes(nodes: readonly HtmlNode[]): HtmlNode[] {
  return nodes.flatMap((node) => {
    if (!isElement(node) || isBox(node) || !hasBox(node)) return [node];
    const isOpen = TRANSPARENT.has(node.name) && !hasOwn(node, ['class', 'dir', 'lang', 'id']);
    if (isOpen) return [createText('\n\n'), ...liftBoxes(node.children), createText('\n\n')];
    return [node, ...takeBoxes(node)];
  });
}

const hasBox = (node: HtmlNode): boolean => isBox(node) || (isElement(node) && node.children.some(hasBox));

function takeBoxes(node: HtmlElement): HtmlNode[] {
  const found = node.children.flatMap((child) =>
    isBox(child) ? [child] : isElement(child) ? takeBoxes(child) : [],
  );
  node.children = node.children.filter((child) => !isBox(child));
  return found;
}

const hasOwn = ({ attribs }: HtmlElement, names: readonly string[]) =>
  names.some((name) => attribs[name] !== undefined);
const count = (counts: Map<string, number>, name: string) =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);
const isFrame = ({ name, children }: HtmlElement): boolean =>
  /^(?:iframe|video|audio|object|embed)$/.test(name) ||
  children.some((child) => isElement(child) && isFrame(child));

function isDropped(node: HtmlNode): boolean {
  if (isElement(node)) return node.attribs['data-removed'] !== undefined;
  if (isComment(node)) return !/^ \[[a-z]/i.test(getData(node));
  return !isText(node);
}

function cleanAttribute({ name: element, attribs }: HtmlElement, name: string): void {
  if (name === 'type' && element === 'ol' && /^[aAiI]$/.test(attribs['type'] ?? '')) return;
  if (name === 'class') {
    const names = (attribs['class'] ?? '').split(/\s+/).filter((word) => BODY_CLASSES.test(word));
    if (names.length > 0) attribs['class'] = names.join(' ');
    else delete attribs['class'];
  } else if (!ATTRIBUTES.has(name) && name !== CLASSIC) delete attribs[name];
}

/** Nodes to copy: parsing one for each new node takes much longer. */
const [ELEMENT, TEXT] = parseDocument('<p></p>x').children;

function createElement(name: string, children: HtmlNode[]): HtmlElement {
  if (ELEMENT === undefined || !isElement(ELEMENT)) throw new Error('no element');
  const element = ELEMENT.cloneNode();
  element.name = name;
  element.children = children;
  return element;
}

function createText(text: string): HtmlNode {
  if (TEXT === undefined || !isText(TEXT)) throw new Error('no text');
  const node = TEXT.cloneNode();
  node.data = text;
  return node;
}

function partLines(text: string, hasLineBreaks: boolean): HtmlNode[] {
  if (!hasLineBreaks || text.trim() === '') return [createText(text)];
  return text
    .split('\n')
    .flatMap((line, at) => (at === 0 ? [createText(line)] : [createElement('br', []), createText(line)]));
}

/** Styles that are meant, with their elements. Those of headings and links are their own. */
const MEANT: readonly (readonly [style: RegExp, name: string])[] = [
  [/(?:^|;)\s*font-weight\s*:\s*(?:bold|[6-9]\d\d)\b/i, 'strong'],
  [/(?:^|;)\s*font-style\s*:\s*italic\b/i, 'em'],
  [/(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*line-through/i, 'del'],
  [/(?:^|;)\s*vertical-align\s*:\s*super\b/i, 'sup'],
  [/(?:^|;)\s*vertical-align\s*:\s*sub\b/i, 'sub'],
  [/(?:^|;)\s*font-family\s*:[^;]*(?:monospace|Courier|Consolas|Menlo)/i, 'code'],
];

/** Types of lists by their styles. */
const LIST_TYPES: readonly (readonly [style: RegExp, type: string])[] = [
  [/list-style(?:-type)?\s*:[^;]*\blower-(?:alpha|latin)\b/i, 'a'],
  [/list-style(?:-type)?\s*:[^;]*\bupper-(?:alpha|latin)\b/i, 'A'],
  [/list-style(?:-type)?\s*:[^;]*\blower-roman\b/i, 'i'],
  [/list-style(?:-type)?\s*:[^;]*\bupper-roman\b/i, 'I'],
];

/** Turns what the style of an element means into elements, and emphasis that is styled away into none. */
function readStyle(node: HtmlElement, isHeading: boolean): void {
  const { style } = node.attribs;
  if (style === undefined) return;
  const [, type] = (node.name === 'ol' && LIST_TYPES.find(([pattern]) => pattern.test(style))) || [];
  if (type !== undefined) node.attribs['type'] = type;
  const isPlain = /^(?:b|strong)$/.test(node.name)
    ? /font-weight\s*:\s*(?:normal|[1-4]00)\b/i.test(style)
    : /^(?:i|em)$/.test(node.name) && /font-style\s*:\s*normal\b/i.test(style);
  // Google's documents are in bold that is no bold.
  if (isPlain) node.name = node.children.some(isBlockNode) ? 'div' : 'span';
  if (!/^(?:span|font|p|td|th|li)$/.test(node.name) || getText(node).trim() === '') return;
  for (const [pattern, name] of MEANT)
    if (pattern.test(style) && !(isHeading && name === 'strong') && !node.children.some(isBlockNode))
      node.children = [createElement(name, node.children)];
}

/** Line breaks at the ends of a paragraph break nothing. */
function trimRun(run: HtmlNode[]): HtmlNode[] {
  const isEmpty = (node: HtmlNode | undefined) =>
    node !== undefined && (isBlank(node) || (isElement(node) && node.name === 'br'));
  let [from, to] = [0, run.length];
  while (from < to && isEmpty(run[from])) from += 1;
  while (to > from && isEmpty(run[to - 1])) to -= 1;
  return run.slice(from, to);
}

function listRows(node: HtmlElement): HtmlElement[][] {
  return node.children.flatMap((child) => {
    if (!isElement(child)) return [];
    if (child.name !== 'tr') return /^t(?:head|body|foot)$/.test(child.name) ? listRows(child) : [];
    return [child.children.filter((cell) => isElement(cell) && /^t[hd]$/.test(cell.name)).filter(isElement)];
  });
}

export function prefix(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, at) => (at === 0 ? first : line === '' ? others.trimEnd() : others) + line)
    .join('\n');
}

/** Emphasis begins and ends at a letter: white space goes outside. */
function surround(inner: string, mark: string): string {
  const [, before = '', text = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(inner) ?? [];
  return text === '' ? inner : `${before}${mark}${text}${mark}${after}`;
}

function writeLink({ attribs }: HtmlElement, inner: string): string {
  const { href, title, rel } = attribs;
  if (href === undefined || rel !== undefined || inner.trim() === '')
    return `<a${writeAttributes(attribs)}>${inner}</a>`;
  const [, before = '', text = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(inner) ?? [];
  return `${before}[${text}](${writeAddress(href)}${writeTitle(title)})${after}`;
}

function writeImage({ attribs }: HtmlElement): string {
  const { src = '', alt = '', title, width } = attribs;
  if (width !== undefined) return `<img${writeAttributes(attribs)}>`;
  return `![${escapeMarkdown(alt)}](${writeAddress(src)}${writeTitle(title)})`;
}

/** An address as a link of Markdown has it. */
export const writeAddress = (address: string) =>
  /^[^\s()<>\\&]+$/.test(address)
    ? address
    : `<${address
        .replace(/[<>\s]/g, encodeURIComponent)
        .replace(/\\/g, '\\\\')
        .replace(/&(?=[\w#]+;)/g, '&amp;')}>`;

export const writeTitle = (title: string | undefined) =>
  title === undefined || title === '' ? '' : ` "${escapeMarkdown(title).replaceAll('"', '\\"')}"`;

export function writeAttributes(attribs: Readonly<Record<string, string>>): string {
  return Object.entries(attribs)
    .map(
      ([name, value]) =>
        ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`,
    )
    .join('');
}

/** The id of a heading, which other pages may link to; the one that its words make, it has anyway. */
const writeAnchor = (node: HtmlElement) => {
  const { id } = node.attribs;
  return id === undefined || id === buildSlug(getText(node)) ? '' : `<span${writeAttributes({ id })}></span>`;
};

/** Shows what this site would read as a shortcode as code: a paragraph with code is text. */
function markShortcodes(nodes: readonly HtmlNode[]): HtmlNode[] {
  return nodes.flatMap((node) => {
    if (isElement(node) && node.name !== 'code' && node.name !== 'pre')
      node.children = markShortcodes(node.children);
    if (!isText(node) || !node.data.includes('{{')) return [node];
    return splitAtShortcodes(node.data).map((text, at) =>
      at % 2 === 0 ? createText(text) : createElement('code', [createText(text)]),
    );
  });
}

/** The text of an element and of what is in it. */
export function getText(node: HtmlNode): string {
  if (isText(node)) return node.data;
  if (!isElement(node)) return '';
  return node.name === 'br' ? '\n' : node.children.map(getText).join('');
}

function writeInlineCode(node: HtmlElement): string {
  const text = getText(node).replace(/\s+/g, ' ');
  if (text.trim() === '') return '';
  if (listNames(text).length > 0) return `<code>${escapeMarkdown(text)}</code>`;
  const ticks = '`'.repeat(Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length)) + 1);
  const space = /^`|`$|^ .* $/.test(text) ? ' ' : '';
  return `${ticks}${space}${text}${space}${ticks}`;
}

function writeCode(node: HtmlElement): string {
  const text = getText(node).replace(/^\n|\n$/g, '');
  const inner = node.children.find((child) => isElement(child) && child.name === 'code');
  const classes = `${node.attribs['class'] ?? ''} ${inner !== undefined && isElement(inner) ? (inner.attribs['class'] ?? '') : ''}`;
  const language = /language-([\w+#-]+)/.exec(classes)?.[1] ?? '';
  return writeFence(text, language);
}

/** A block of code; `indent`: of its last line. */
export function writeFence(text: string, language: string, indent = ''): string {
  const fence = '`'.repeat(Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length)) + 1);
  return `${fence}${language}\n${text}\n${indent}${fence}`;
}

/** An HTML block of Markdown ends at an empty line, so it has none. */
function writeHtml(node: HtmlElement): string {
  protectCode(node);
  const text = render(node, OUTPUT)
    .replaceAll(LINE, '&#10;')
    .replace(/\[\^(?=\d{1,2}\])/g, '[&#94;')
    .replace(/\n\s*\n/g, '\n')
    .trim();
  return text.startsWith('<') && BLOCKS.has(node.name) && !/^(?:video|audio|object|embed)$/.test(node.name)
    ? text
    : `<div>${text}</div>`;
}

/** Takes the place of a line break in code, which may be an empty line. */
const LINE = '\uE00A';

function protectCode(node: HtmlElement, isCode = node.name === 'pre'): void {
  for (const child of node.children) {
    if (isText(child) && isCode) child.data = child.data.replaceAll('\n', LINE);
    else if (isElement(child)) protectCode(child, isCode || child.name === 'pre');
  }
}

/** Escapes what Markdown would read as markup, and addresses that it would turn into links. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_[\]<>~|]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(
      /(^|\n)([ \t]*)([#+=-]|\d{1,9}(?=[.)](?:\s|$)))/g,
      (_, line: string, space: string, mark: string) =>
        /\d/.test(mark) ? `${line}${space}${mark}\\` : `${line}${space}\\${mark}`,
    )
    .replace(/\b(https?|ftp):(?=\/\/)/gi, '$1\\:')
    .replace(/\bwww\.(?=\w)/gi, (found) => `${found.slice(0, 3)}\\.`)
    .replace(/(?<=[\w.+-])@(?=[\w-]+\.)/g, '\\@');
}

/** Words, links, images and frames of HTML: what may not be lost. */
function fingerprint(html: string): string {
  let text = '';
  const parts: string[] = [];
  parseHtml(html, {
    ontext: (piece) => {
      text += piece;
    },
    onopentag: (name, { href, src, alt, data }) => {
      if (name === 'a' && href !== undefined) parts.push(`a ${normalize(href)}`);
      if (name === 'img') parts.push(`img ${normalize(src ?? '')} ${alt ?? ''}`);
      if (/^(?:iframe|embed|object|video|audio|source)$/.test(name))
        parts.push(`${name} ${src ?? data ?? ''}`);
    },
  });
  return `${text.replace(/\s+/g, '')}\n${parts.join('\n')}`;
}

const NOTHING = fingerprint('');

/** Markdown encodes what an address may not have; the address is the same. */
function normalize(address: string): string {
  try {
    return encodeURI(address).replace(/%25/g, '%');
  } catch {
    return address;
  }
}
