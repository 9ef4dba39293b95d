import { Lexer, type Links, Marked, type Token, type Tokens } from 'marked';
import { type Attrs, Fragment, type Mark, type Node } from 'prosemirror-model';
import {
  CALLOUT_MARK,
  DECORATION_MARK,
  FIGURE_WORD,
  SHORTCODE_PARAGRAPH,
  SITE_MARKDOWN,
} from '../core/articles/markdown-words.ts';
import { findExcess } from '../core/text/markdown-bounds.ts';
import { schema } from './desk/schema.ts';
import { mergeTexts } from './merge.ts';

const { nodes, marks: MARKS } = schema;
const marked = new Marked(SITE_MARKDOWN);

/** A block as it is in the file. */
interface Opened {
  readonly node: Node;
  /** The bytes before it, and the number of the block before them; null: the start of the text. */
  readonly gap: string;
  readonly after: number | null;
  /** Its bytes, and the same with line breaks as `\n`. */
  readonly bytes: string;
  readonly source: string;
}

interface Place {
  readonly from: number;
  readonly to: number;
}

interface Written {
  readonly doc: Node;
  readonly text: string | null;
  readonly places: readonly Place[];
}

/**
 * A Markdown text whose blocks can be edited. Each block of the document has a number by which its bytes are remembered, so
 * what was not edited is written as it was.
 */
export class MarkdownText {
  readonly #opened = new Map<number, Opened>();
  readonly #written = new WeakMap<Node, string | null>();
  /** The numbers of blocks by their bytes and their place: a text that is read again is the same blocks. */
  readonly #numbers = new Map<string, number>();
  #last: Written | undefined;
  #tail = '';
  #end: number | null = null;
  #links: Links = {};
  #definitions = '';
  #lineBreak = '\n';

  /** Reads a text; blocks that were read before keep their numbers. */
  open(text: string): Node {
    const lines = text.split(/(\r\n?|\n)/);
    const flat = lines.map((line, index) => (index % 2 === 1 ? '\n' : line)).join('');
    const breaks = lines.filter((_, index) => index % 2 === 1);
    this.#lineBreak = breaks.filter((one) => one === '\r\n').length * 2 > breaks.length ? '\r\n' : '\n';
    const findByte = mapBreaks(text, flat);
    const start = flat.startsWith('\uFEFF') ? 1 : 0;
    // What would take the parser too long is one part.
    const tokens = lex(findExcess(flat) < 0 ? flat.slice(start) : '', {});
    this.#links = tokens.links;
    const blocks: Node[] = [];
    let at = start;
    let end = 0;
    let after: number | null = null;
    const add = (found: Node, raw: string) => {
      const lead = /^(?:[ \t]*\n)*/.exec(raw)?.[0].length ?? 0;
      const source = raw.slice(lead).replace(/\n[ \t\n]*$/, '');
      const from = at + lead;
      const bytes = text.slice(findByte(from), findByte(from + source.length));
      const gap = text.slice(findByte(end), findByte(from));
      const name = JSON.stringify([after, gap, bytes]);
      const key: number = this.#numbers.get(name) ?? this.#opened.size;
      const known = this.#opened.get(key)?.node;
      const node = found.type.create({ ...found.attrs, key }, found.content, found.marks);
      // The same words, unless a definition elsewhere has changed what they are.
      const block = known?.eq(node) ? known : node;
      this.#numbers.set(name, key);
      this.#opened.set(key, { node: block, gap, after, bytes, source });
      blocks.push(block);
      end = from + source.length;
      after = key;
    };
    for (const token of tokens) {
      if (token.raw.trim() !== '') {
        // What the parser has not left as it is cannot be told apart: the rest is one part.
        if (!flat.startsWith(token.raw, at)) break;
        const [block] = readBlocks([token]);
        if (block !== undefined) add(block, token.raw);
      } else if (!flat.startsWith(token.raw, at)) break;
      at += token.raw.length;
    }
    const rest = flat.slice(at);
    if (rest.trim() !== '') add(nodes.part.create({ raw: rest.trim() }), rest);
    this.#tail = text.slice(findByte(end));
    this.#end = after;
    const doc = nodes.doc.create(null, blocks.length === 0 ? nodes.paragraph.create() : blocks);
    this.#definitions = listDefinitions(doc);
    return doc;
  }

  /** Writes a document; null: it cannot be kept as it looks, as Markdown has no way to say it. */
  write(doc: Node): string | null {
    return this.#find(doc).text;
  }

  /** Where the blocks of a document begin and end in its text; what is not in the text is empty. */
  place(doc: Node): readonly Place[] {
    return this.#find(doc).places;
  }

  #find(doc: Node): Written {
    if (this.#last?.doc === doc) return this.#last;
    this.#last = { doc, ...this.#write(doc) };
    return this.#last;
  }

  #write(doc: Node): Omit<Written, 'doc'> {
    const definitions = listDefinitions(doc);
    const hasOwn = definitions === this.#definitions;
    const links = hasOwn ? this.#links : lex(definitions, {}).links;
    const want = canonize(doc, links);
    let places: readonly Place[] = [];
    for (const isCareful of [false, true]) {
      const composed = this.#compose(doc, links, hasOwn, isCareful);
      const { text, isOpened } = composed;
      places = composed.places;
      if (text === null) break;
      if (isOpened) return { text, places };
      const read = lex(text.replace(/\r\n?/g, '\n').replace(/^\uFEFF/, ''), {});
      const found = nodes.doc.create(null, orEmpty(readBlocks(read)));
      if (canonize(found, read.links).eq(want)) return { text, places };
    }
    return { text: null, places };
  }

  /** `isCareful`: what stands beside a block that was edited is parted by an empty line and written so that it ends. */
  #compose(doc: Node, links: Links, hasOwn: boolean, isCareful: boolean) {
    let text = '';
    let isOpened = true;
    const places: Place[] = [];
    let before: { readonly key: number | null; readonly isEdited: boolean; readonly text: string } | null =
      null;
    let last: number | null = null;
    for (const [index, child] of doc.children.entries()) {
      const key: number | null = child.attrs['key'];
      const was = key === null ? undefined : this.#opened.get(key);
      const isSame = was !== undefined && (child === was.node || child.eq(was.node));
      const isNext = was !== undefined && was.after === (before === null ? null : before.key);
      let own = isSame && (hasOwn || reads(was.source, child, links)) ? was.bytes : null;
      const isEdited = own === null;
      const next = doc.maybeChild(index + 1);
      const below = next === null ? null : this.#opened.get(next.attrs['key']);
      const isEnded = next === null ? key === this.#end : below?.after === key && next.eq(below.node);
      if (own === null || (isCareful && (!isNext || before?.isEdited || !isEnded))) {
        const written: string | null =
          isSame && hasOwn
            ? writeBlock(child, STYLES[0], before?.text)
            : this.#rewrite(child, was, links, before?.text);
        if (written === null) return { text: null, isOpened, places };
        own = breakLines(written, was, this.#lineBreak);
        isOpened = false;
      }
      // An empty paragraph is a place to write in, and not in the file.
      if (own === '') {
        places.push({ from: text.length, to: text.length });
        continue;
      }
      const hasGap = isNext && !(isCareful && (isEdited || before?.isEdited));
      if (!hasGap) isOpened = false;
      text += hasGap ? was.gap : before === null ? '' : this.#lineBreak.repeat(2);
      places.push({ from: text.length, to: text.length + own.length });
      text += own;
      before = { key, isEdited, text: own };
      last = key;
    }
    if (last !== this.#end) isOpened = false;
    return { text: text + this.#tail, isOpened, places };
  }

  /** Puts what was changed in a block into its bytes; else it is written anew. null: neither is read as it looks. */
  #rewrite(node: Node, was: Opened | undefined, links: Links, above?: string): string | null {
    const known = this.#written.get(node);
    if (known !== undefined) return known;
    const find = () => {
      if (node.type === nodes.part) return node.attrs['raw'] as string;
      if (canonizeBlock(node) === null) return '';
      const marks = readMarks(was?.source ?? '');
      if (was !== undefined && was.node.type !== nodes.part)
        for (const one of STYLES.slice(0, 4)) {
          const style = { ...one, ...marks };
          const [plain, fresh] = [writeBlock(was.node, style), writeBlock(node, style)];
          for (const side of ['after', 'before'] as const) {
            const merged = mergeTexts(plain, was.source, fresh, side);
            if (merged !== null && reads(merged, node, links)) return merged;
          }
        }
      for (const style of STYLES) {
        const fresh = writeBlock(node, { ...style, ...marks }, above);
        if (reads(fresh, node, links)) return fresh;
      }
      return null;
    };
    const found = find();
    this.#written.set(node, found);
    return found;
  }
}

/** Gives a text that is written with `\n` the line breaks of the block that it was. */
function breakLines(text: string, was: Opened | undefined, lineBreak: string): string {
  if (was === undefined || !was.source.includes('\n')) return text.replaceAll('\n', lineBreak);
  const { bytes, source } = was;
  if (bytes === source) return text;
  const isMixed = bytes !== source.replaceAll('\n', '\r\n');
  return (isMixed ? mergeTexts(source, bytes, text, 'after') : null) ?? text.replaceAll('\n', '\r\n');
}

/** Parses Markdown of which some definitions stand elsewhere. */
function lex(text: string, links: Links) {
  const lexer = new Lexer(marked.defaults);
  Object.assign(lexer.tokens.links, links);
  return lexer.lex(text);
}

/** Finds the place in a text of a place in the same text with line breaks of one character. */
function mapBreaks(text: string, flat: string): (at: number) => number {
  if (text.length === flat.length) return (at) => at;
  const places = [...text.matchAll(/\r\n/g)].map(({ index }, count) => index - count);
  return (at) => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return at + low;
  };
}

/** Whether a text is one block that looks as a node does. */
function reads(text: string, node: Node, links: Links): boolean {
  const [block, ...more] = readBlocks(lex(text, links));
  const [found, want] = [block && canonizeBlock(block), canonizeBlock(node)];
  return more.length === 0 && found != null && want !== null && found.eq(want);
}

const DEFINITION = /^ {0,3}\[[^\]]+\]:/m;

/** The definitions of a document that links and pictures refer to. */
const listDefinitions = (doc: Node): string =>
  doc.children
    .flatMap(({ type, attrs: { raw } }) => (type === nodes.part && DEFINITION.test(raw) ? [raw] : []))
    .join('\n');

const orEmpty = (blocks: readonly Node[]) => (blocks.length === 0 ? [nodes.paragraph.create()] : blocks);

function readBlocks(tokens: readonly Token[]): Node[] {
  return tokens.flatMap((token): Node[] => {
    switch (token.type) {
      case 'space':
      case 'checkbox':
        return [];
      case 'paragraph':
      case 'text': {
        if (SHORTCODE_PARAGRAPH.test(token.raw.trim())) return [nodes.part.create({ raw: token.raw.trim() })];
        const words = readInline(token.tokens ?? [token]);
        return [findFigure(words) ?? nodes.paragraph.create(null, words)];
      }
      case 'heading':
        return [nodes.heading.create({ level: token['depth'] }, joinLines(readInline(token.tokens ?? [])))];
      case 'blockquote':
        return [readQuote(readBlocks(token.tokens ?? []))];
      case 'list':
        return [readList(token as Tokens.List)];
      case 'code': {
        const { text, lang = '' } = token as Tokens.Code;
        return [buildFence({ info: lang }, text)];
      }
      case 'hr':
        return [nodes.rule.create()];
      case 'table':
        return [readTable(token as Tokens.Table)];
      default:
        return [nodes.part.create({ raw: token.raw.replace(/^(?:[ \t]*\n)+|\n[ \t\n]*$/g, '') })];
    }
  });
}

/** A picture that is alone in its paragraph. */
function findFigure({ childCount, firstChild }: Fragment): Node | null {
  const isAlone = childCount === 1 && firstChild?.type === nodes.picture && firstChild.marks.length === 0;
  return isAlone ? nodes.figure.create(firstChild.attrs) : null;
}

/** Empty lines at the end of code belong to it or not, as its fence is closed or not: nobody sees them. */
function buildFence(attrs: Attrs, text: string): Node {
  const shown = text.replace(/\n+$/, '');
  return nodes.fence.create(attrs, shown === '' ? [] : schema.text(shown));
}

const CALLOUT = new RegExp(`^${CALLOUT_MARK}`, 'i');

function readQuote(blocks: readonly Node[]): Node {
  const [first, ...more] = orEmpty(blocks);
  const text = first?.firstChild?.isText && first.type === nodes.paragraph ? first.firstChild : null;
  const [mark, callout] = CALLOUT.exec(text?.text ?? '') ?? [];
  if (mark === undefined || first === undefined) return nodes.quote.create(null, orEmpty(blocks));
  return nodes.quote.create({ callout }, [first.cut(mark.length), ...more]);
}

function readList({ ordered, start, loose, items }: Tokens.List): Node {
  const attrs = { tight: !loose, start: start === '' ? 1 : start };
  const content = items.map(({ task, checked, tokens }) =>
    nodes.item.create({ checked: task ? checked === true : null }, orEmpty(readBlocks(tokens))),
  );
  return ordered ? nodes.numbers.create(attrs, content) : nodes.list.create({ tight: !loose }, content);
}

function readTable({ header, align, rows }: Tokens.Table): Node {
  const build = (cells: readonly Tokens.TableCell[], type = nodes.cell) =>
    nodes.row.create(
      null,
      cells.map(({ tokens }, column) =>
        type.create({ align: align[column] ?? null }, joinLines(readInline(tokens))),
      ),
    );
  return nodes.table.create(null, [build(header, nodes.head), ...rows.map((row) => build(row))]);
}

/** The names of characters that texts have in place of them. Others are kept as words. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
  pound: '£',
  times: '×',
};
const ENTITY = /(&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)/i;

function readEntity(entity: string): string | null {
  const [, hex, number] = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(entity) ?? [];
  if (hex === undefined && number === undefined) return ENTITIES[entity.slice(1, -1)] ?? null;
  const code = hex === undefined ? Number(number) : Number.parseInt(hex, 16);
  return code > 31 && code < 0x11_0000 && (code < 0xd800 || code > 0xdfff)
    ? String.fromCodePoint(code)
    : null;
}

const buildWord = (raw: string, marks: readonly Mark[]) => nodes.word.create({ raw }, null, marks);

const readInline = (tokens: readonly Token[]): Fragment =>
  splitFigures(Fragment.fromArray(readTokens(tokens, [])));

function readTokens(tokens: readonly Token[], marks: readonly Mark[]): Node[] {
  const found: Node[] = [];
  const addText = (text: string) => {
    if (text !== '') found.push(schema.text(text, marks));
  };
  const addMarked = (mark: Mark, inner: readonly Token[] = []) => {
    found.push(...readTokens(inner, mark.addToSet(marks)));
  };
  for (const token of tokens) {
    if (token.type === 'text') {
      const text = token.text.replace(/[ \t]*\n[ \t]*/g, ' ');
      for (const [index, piece] of text.split(ENTITY).entries()) {
        const character = index % 2 === 0 ? piece : readEntity(piece);
        if (character === null) found.push(buildWord(piece, marks));
        else addText(character);
      }
    } else if (token.type === 'escape') addText(token.text);
    else if (token.type === 'codespan')
      found.push(schema.text(token.text.replaceAll('\n', ' '), MARKS.code.create().addToSet(marks)));
    else if (token.type === 'strong') addMarked(MARKS.bold.create(), token.tokens);
    else if (token.type === 'em') addMarked(MARKS.italic.create(), token.tokens);
    else if (token.type === 'del') addMarked(MARKS.struck.create(), token.tokens);
    else if (token.type === 'link')
      addMarked(MARKS.link.create({ href: token['href'], title: token['title'] ?? null }), token.tokens);
    else if (token.type === 'image') {
      const { href: src, tokens: inner = [], title } = token as Tokens.Image;
      const alt = readTokens(inner, [])
        .map(({ text, attrs }) => text ?? attrs['raw'] ?? attrs['alt'] ?? ' ')
        .join('');
      found.push(nodes.picture.create({ src, alt, title }, null, marks));
    } else if (token.type === 'br') found.push(nodes.break.create(null, null, marks));
    else if (token.raw === DECORATION_MARK && found.at(-1)?.attrs['alt'] === '') {
      const { attrs } = found.pop() as Node;
      found.push(nodes.picture.create({ ...attrs, isDecoration: true }, null, marks));
    } else if (token.type !== 'checkbox') found.push(buildWord(token.raw, marks));
  }
  return found;
}

/** Makes figures such as `{product:kit.price}` words, as the site does wherever they are, but in code. */
function splitFigures(words: Fragment): Fragment {
  if (!words.content.some(({ text = '' }) => FIGURE_WORD.test(text))) return trim(words);
  const found = words.content.flatMap((node) => {
    if (!node.isText || MARKS.code.isInSet(node.marks)) return node;
    const pieces = (node.text ?? '').split(new RegExp(`(${FIGURE_WORD.source})`));
    return pieces.flatMap((piece, index) =>
      piece === '' ? [] : index % 2 === 1 ? buildWord(piece, node.marks) : schema.text(piece, node.marks),
    );
  });
  return trim(Fragment.fromArray(found));
}

/** Takes away what Markdown does not have: spaces at the edges of a line, and a break at the end. */
function trim(words: Fragment): Fragment {
  const found = [...words.content];
  const isEdge = (node: Node | undefined) => node === undefined || node.type === nodes.break;
  while (found.length > 0 && found.at(-1)?.type === nodes.break) found.pop();
  for (let index = found.length - 1; index >= 0; index -= 1) {
    const node = found[index];
    if (!node?.isText || MARKS.code.isInSet(node.marks)) continue;
    let text = node.text ?? '';
    if (isEdge(found[index - 1])) text = text.trimStart();
    if (isEdge(found[index + 1])) text = text.trimEnd();
    if (text === node.text) continue;
    found.splice(index, 1, ...(text === '' ? [] : [schema.text(text, node.marks)]));
    return trim(Fragment.fromArray(found));
  }
  return Fragment.fromArray(found);
}

/** A heading and a cell have one line. */
const joinLines = (words: Fragment): Fragment =>
  Fragment.fromArray(
    words.content.map((node) => (node.type === nodes.break ? schema.text(' ', node.marks) : node)),
  );

const seen = new WeakMap<Node, Node | null>();

/** A block as Markdown can have it: what is left out makes no difference to who reads. null: nothing is left. */
function canonizeBlock(node: Node): Node | null {
  const known = seen.get(node);
  if (known !== undefined) return known;
  const found = buildCanonical(node);
  seen.set(node, found);
  return found;
}

function buildCanonical(node: Node): Node | null {
  const { type, attrs } = node;
  const own = 'key' in attrs ? { ...attrs, key: null } : attrs;
  if (node.isTextblock && type !== nodes.fence) {
    const words = splitFigures(loosenSpaces(node.content, true));
    if (type !== nodes.paragraph) return type.create(own, words);
    const text = words.childCount === 1 ? (words.firstChild?.text ?? '') : '';
    if (SHORTCODE_PARAGRAPH.test(text)) return nodes.part.create({ raw: text });
    return words.size === 0 ? null : (findFigure(words) ?? type.create(own, words));
  }
  if (type === nodes.fence) return buildFence(own, node.textContent);
  if (type === nodes.figure) return type.create({ ...own, alt: attrs['alt'].replace(/\s+/g, ' ').trim() });
  if (node.isLeaf) return type.create(own, node.content);
  const children = node.children.flatMap((child) => canonizeBlock(child) ?? []);
  // An item without words is no task.
  if (type === nodes.item && children.length === 0) return type.create(null, orEmpty(children));
  if (type === nodes.quote || type === nodes.item) return type.create(own, orEmpty(children));
  // How much space is between items, readers hardly see.
  return type.create('tight' in own ? { ...own, tight: true } : own, children);
}

/**
 * Bold and the like end before a space at their edge: Markdown cannot end them behind it. `isEach`: also before one between two
 * words that are bold, which nobody sees.
 */
function loosenSpaces(words: Fragment, isEach = false): Fragment {
  if (!words.content.some(({ marks }) => marks.length > 0)) return words;
  const pieces = words.content.flatMap((node) => {
    if (!node.isText || MARKS.code.isInSet(node.marks)) return [node];
    const parts = /^(\s*)([\s\S]*?)(\s*)$/.exec(node.text ?? '')?.slice(1) ?? [];
    return parts.flatMap((part) => (part === '' ? [] : schema.text(part, node.marks)));
  });
  const isSpace = (node: Node) =>
    node.type === nodes.break || (node.isText && (node.text ?? '').trim() === '');
  const loose = pieces.map((node, index) => {
    if (!isSpace(node)) return node;
    const before = pieces.slice(0, index).findLast((one) => !isSpace(one));
    const behind = pieces.slice(index + 1).find((one) => !isSpace(one));
    const kept = node.marks.filter(
      (mark) =>
        !EDGED.has(mark.type) || (!isEach && [before, behind].every((one) => one && mark.isInSet(one.marks))),
    );
    return node.mark(kept);
  });
  return Fragment.fromArray(loose);
}

const EDGED = new Set([MARKS.bold, MARKS.italic, MARKS.struck]);

/** A document as Markdown can have it; parts in code are what is written in them. */
function canonize(doc: Node, links: Links): Node {
  const blocks = doc.children.flatMap((child) => {
    const inner = child.type === nodes.part ? readBlocks(lex(child.attrs['raw'], links)) : [child];
    return inner.flatMap((block) => canonizeBlock(block) ?? []);
  });
  return nodes.doc.create(null, orEmpty(blocks));
}

/** How a block is written: which marks are escaped, and what stands around italic words. The first that is read right is used. */
interface Style {
  readonly escaped: RegExp | null;
  readonly italic: '*' | '_';
  /** What items begin with, and what stands behind their numbers. */
  readonly bullet?: string | undefined;
  readonly end?: string | undefined;
}

/** What the items of a list begin with. */
const readMarks = (text: string) => {
  const [, end, bullet] = /^ {0,3}(?:\d{1,9}([.)])|([-*+]))(?=\s|$)/.exec(text) ?? [];
  return { end, bullet };
};

const SOME_MARKS = /[\\`*_[\]<>~|&]/g;
const ALL_MARKS = /[!-/:-@[-`{-~]/g;
const STYLES: readonly [Style, ...Style[]] = [
  { escaped: null, italic: '*' },
  { escaped: null, italic: '_' },
  { escaped: SOME_MARKS, italic: '*' },
  { escaped: SOME_MARKS, italic: '_' },
  { escaped: ALL_MARKS, italic: '*' },
  { escaped: ALL_MARKS, italic: '_' },
];

/** `above`: what stands before it, so that a list does not go on another one. */
function writeBlock(node: Node, style: Style, above = ''): string {
  const { type, attrs } = node;
  if (type === nodes.heading)
    return `${'#'.repeat(attrs['level'])} ${writeWords(node.content, style)}`.trimEnd();
  if (type === nodes.quote) {
    const { callout } = attrs;
    const text = writeBlocks(node.children, style);
    return prefix(callout === null ? text : `[!${callout}] ${text}`.trimEnd(), '> ', '> ');
  }
  if (type === nodes.list || type === nodes.numbers) return writeList(node, style, above);
  if (type === nodes.fence) {
    const text = node.textContent;
    const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length));
    const fence = /`/.test(attrs['info']) ? '~'.repeat(longest + 1) : '`'.repeat(longest + 1);
    return `${fence}${attrs['info']}\n${text}${text === '' ? '' : '\n'}${fence}`;
  }
  if (type === nodes.rule) return '---';
  if (type === nodes.table) return writeTable(node, style);
  if (type === nodes.part) return attrs['raw'];
  if (type === nodes.figure) return writePicture(attrs, style);
  return escapeStarts(writeWords(node.content, style), style);
}

function writeBlocks(blocks: readonly Node[], style: Style, isTight = false): string {
  let text = '';
  let last = '';
  let before: Node | null = null;
  for (const block of blocks) {
    const own = writeBlock(block, style, last);
    if (own === '') continue;
    const isClose = isTight && block.type !== nodes.paragraph && before?.type !== nodes.table;
    text += before === null ? own : `${isClose ? '\n' : '\n\n'}${own}`;
    [last, before] = [own, block];
  }
  return text;
}

/** Begins the first line with one mark and the others with another one, but empty ones. */
const prefix = (text: string, first: string, others: string) =>
  text
    .split('\n')
    .map((line, index) => (index === 0 ? first : others) + line)
    .map((line) => (line.trim() === '' || line.trim() === '>' ? line.trimEnd() : line))
    .join('\n');

/** What a line can begin with that is no word of a paragraph. */
const escapeStarts = (text: string, { escaped }: Style) =>
  escaped === null ? text : text.replace(/^(\s*)(?:([-+#=])|(\d{1,9})([.)]))/gm, '$1$3\\$2$4');

function writeList(list: Node, style: Style, above: string): string {
  const isOrdered = list.type === nodes.numbers;
  const used = readMarks(above);
  const own = { end: style.end ?? '.', bullet: style.bullet ?? '-' };
  const end = used.end === own.end ? (own.end === '.' ? ')' : '.') : own.end;
  const bullet = used.bullet === own.bullet ? (own.bullet === '-' ? '*' : '-') : own.bullet;
  const items = list.children.map((item, index) => {
    const mark = isOrdered ? `${list.attrs['start'] + index}${end}` : bullet;
    const { checked } = item.attrs;
    const isTask = checked !== null && canonizeBlock(item)?.attrs['checked'] === checked;
    const text =
      (isTask ? (checked ? '[x] ' : '[ ] ') : '') + writeBlocks(item.children, style, list.attrs['tight']);
    return prefix(text, `${mark} `, ' '.repeat(mark.length + 1));
  });
  return items.join(list.attrs['tight'] ? '\n' : '\n\n');
}

const ALIGNED: Readonly<Record<string, string>> = { left: ':--', center: ':-:', right: '--:' };

function writeTable(table: Node, style: Style): string {
  const write = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rows = table.children.map((row) =>
    write(row.children.map((cell) => writeWords(cell.content, style).replace(/\\?\|/g, '\\|'))),
  );
  const line = table.firstChild?.children.map(({ attrs: { align } }) => ALIGNED[align ?? ''] ?? '---') ?? [];
  return [rows[0], write(line), ...rows.slice(1)].join('\n');
}

function writeWords(words: Fragment, style: Style): string {
  return writeRun(trim(loosenSpaces(words)).content, [], style);
}

/** Writes words; those that share a mark are written inside of it, the longest run outermost, a link inside of bold. */
function writeRun(words: readonly Node[], done: readonly Mark[], style: Style): string {
  let text = '';
  for (let index = 0; index < words.length; ) {
    const [first] = words.slice(index);
    if (first === undefined) break;
    const open = first.marks.filter((mark) => mark.type !== MARKS.code && !mark.isInSet(done));
    const runs = open.map((mark) => {
      let end = index + 1;
      while (end < words.length && words[end]?.marks.some((one) => one.eq(mark))) end += 1;
      return { mark, end };
    });
    const isLink = ({ mark }: { readonly mark: Mark }) => Number(mark.type === MARKS.link);
    const [run] = runs.sort((one, other) => other.end - one.end || isLink(one) - isLink(other));
    if (run === undefined) {
      text += writeWord(first, style);
      index += 1;
    } else {
      const inner = words.slice(index, run.end);
      text += writeMarked(run.mark, writeRun(inner, [...done, run.mark], style), inner, style);
      index = run.end;
    }
  }
  return text;
}

function writeMarked(mark: Mark, text: string, inner: readonly Node[], style: Style): string {
  if (mark.type === MARKS.link) {
    const { href, title } = mark.attrs;
    const isBare = inner.length === 1 && inner[0]?.text === href && title === null;
    if (isBare && /^https?:\/\/[^\s<>]+$/.test(href)) return `<${href}>`;
    return `[${text}](${writeAddress(href, title)})`;
  }
  const sign = mark.type === MARKS.bold ? '**' : mark.type === MARKS.italic ? style.italic : '~~';
  const [, before = '', words = '', behind = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  return words === '' ? text : before + sign + words + sign + behind;
}

function writeAddress(href: string, title: string | null): string {
  const address =
    href === '' || /[\s()<>]/.test(href) ? `<${href.replace(/[<>\n]/g, encodeURIComponent)}>` : href;
  return title === null || title === '' ? address : `${address} "${title.replace(/["\\]/g, '\\$&')}"`;
}

function writePicture({ src, alt, title, isDecoration }: Attrs, { escaped }: Style): string {
  const address = `(${writeAddress(src, title)})`;
  if (isDecoration && alt === '') return `![]${address}${DECORATION_MARK}`;
  const words = alt.replace(/\s+/g, ' ').trim();
  return `![${words.replace(escaped ?? /[[\]\\]/g, '\\$&')}]${address}`;
}

function writeWord(node: Node, style: Style): string {
  const { escaped } = style;
  const { type, attrs } = node;
  if (type === nodes.word) return attrs['raw'];
  if (type === nodes.break) return '\\\n';
  if (type === nodes.picture) return writePicture(attrs, style);
  const text = (node.text ?? '').replace(/\s*\n\s*/g, ' ');
  if (!MARKS.code.isInSet(node.marks)) return escaped === null ? text : text.replace(escaped, '\\$&');
  const ticks = '`'.repeat(Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length)) + 1);
  const isPadded = /^`|`$/.test(text) || (/^ .* $/.test(text) && text.trim() !== '');
  return isPadded ? `${ticks} ${text} ${ticks}` : ticks + text + ticks;
}
