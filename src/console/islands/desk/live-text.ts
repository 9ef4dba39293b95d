import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import {
  EditorState,
  type Extension,
  type Range,
  RangeSet,
  type StateCommand,
  StateEffect,
  StateField,
  type Text,
  type Transaction,
} from '@codemirror/state';
import {
  type Command,
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import type { SyntaxNode, SyntaxNodeRef } from '@lezer/common';
import { DECORATION_MARK } from '../../../core/articles/markdown-words.ts';
import { nameShortcode } from '../../../core/articles/name-shortcode.ts';
import { parseRedirectPath } from '../../../core/paths.ts';
import { buildElement } from '../command-palette.ts';
import { TableGrid } from './table-grid.ts';
import {
  addedPictures,
  findPicture,
  isGap,
  isInCode,
  measureStart,
  readLink,
  readPicture,
} from './write-keys.ts';

/** What the server says of the site: values of figures, addresses of pictures, and shortcodes as visitors see them. */
export interface KnownThings {
  /** Values such as `$29`, by the name of the figure without braces. */
  readonly figures: ReadonlyMap<string, string>;
  /** Addresses of pictures, by the address that the Markdown has. */
  readonly pictures: ReadonlyMap<string, string>;
  /** Names of products, by their keys. */
  readonly products: ReadonlyMap<string, string>;
  /** Draws the shortcode in an element; false: it is not known yet. */
  readonly draw: (shortcode: string, element: HTMLElement) => boolean;
  /** Grows when something becomes known, so that what stands for it is drawn again. */
  readonly version: number;
}

export const NOTHING_KNOWN: KnownThings = {
  figures: new Map(),
  pictures: new Map(),
  products: new Map(),
  draw: () => false,
  version: 0,
};

/** Replaces what is known. */
export const setKnown = StateEffect.define<KnownThings>();

const knownThings = StateField.define<KnownThings>({
  create: () => NOTHING_KNOWN,
  update: (known, { effects }) => effects.find((effect) => effect.is(setKnown))?.value ?? known,
});

const hasNews = ({ state, startState }: Transaction | ViewUpdate) =>
  syntaxTree(state) !== syntaxTree(startState) ||
  state.field(knownThings, false) !== startState.field(knownThings, false);

const shownBlocks = StateField.define<DecorationSet>({
  // A long text can be written in before all of it is parsed; the desk does that next.
  create: (state) => buildBlocks(state, syntaxTree(state)),
  update: (blocks, transaction) =>
    transaction.docChanged || hasNews(transaction) ? buildBlocks(transaction.state) : blocks,
  provide: (field) => [
    EditorView.decorations.from(field),
    EditorView.atomicRanges.of((view) => view.state.field(field)),
  ],
});

/** What is drawn as a block at a position: a picture, a table, a product box, a line. */
export function findBlock(
  state: EditorState,
  at: number,
): { readonly from: number; readonly to: number } | null {
  let found: { readonly from: number; readonly to: number } | null = null;
  state.field(shownBlocks, false)?.between(at, at, (from, to, { spec }) => {
    if (spec.block === true) found = { from, to };
  });
  return found;
}

/**
 * What is typed or pasted next to a block, or in the space between two paragraphs, is a paragraph of its own. Only what is
 * written at the cursor, and moves it, is typed in the text: the controls of a block change it elsewhere.
 */
const ownParagraphs = EditorState.transactionFilter.of((transaction) => {
  const { startState: state, changes, selection, newSelection, effects } = transaction;
  const isWritten = transaction.isUserEvent('input.type') || transaction.isUserEvent('input.paste');
  let count = 0;
  let at = -1;
  let insert = '';
  if (isWritten)
    changes.iterChanges((from, to, _from, _to, text) => {
      count += 1;
      at = from === to ? from : -1;
      insert = text.toString();
    });
  if (count !== 1 || at !== state.selection.main.head || selection === undefined) return transaction;
  const [before, after] = findSpace(state, at);
  // A mark that is hidden is before what is written.
  const line = state.doc.lineAt(at);
  const skipped = isInCode(state, at) ? 0 : Math.max(0, line.from + measureStart(line.text) - at);
  if (before === '' && after === '' && skipped === 0) return transaction;
  return {
    changes: { from: at + skipped, insert: before + insert + after },
    selection: { anchor: newSelection.main.head + skipped + before.length },
    effects,
    scrollIntoView: true,
    userEvent: 'input.type',
  };
});

/** The line breaks between what is written at a position and what is there. */
function findSpace(state: EditorState, at: number): readonly [before: string, after: string] {
  const { doc } = state;
  const block = findBlock(state, at);
  if (block !== null) return at === block.from ? ['', '\n\n'] : ['\n\n', ''];
  const line = doc.lineAt(at);
  if (line.length > 0 || isInCode(state, at)) return ['', ''];
  const above = line.number === 1 ? '' : doc.line(line.number - 1).text;
  const below = line.number === doc.lines ? '' : doc.line(line.number + 1).text;
  const isBroken = /(?:\\| {2})$/.test(above);
  return [above.trim() === '' || isBroken ? '' : '\n', below.trim() === '' ? '' : '\n'];
}

/**
 * Up and down lead from text to text: over the space between two paragraphs, and over a block. Between two blocks, the cursor
 * stops.
 */
const goToText =
  (step: 1 | -1): Command =>
  (view) => {
    const { state } = view;
    const { doc, selection } = state;
    const { main } = selection;
    const own = doc.lineAt(main.head).number;
    const moved = view.moveVertically(main, step > 0);
    const line = doc.lineAt(moved.head);
    const isText = (number: number) =>
      !isGap(doc, number) && findBlock(state, doc.line(number).from) === null;
    // In the lines of one paragraph, or from one item to the next.
    if (!main.empty || (moved.head !== main.head && Math.abs(line.number - own) < 2 && isText(line.number)))
      return false;
    const target = findText(state, own, step);
    if (target === null) return false;
    const { left = 0 } = view.coordsAtPos(main.head) ?? {};
    const { from, to, text } = doc.line(target);
    const [start, end] = [from + measureStart(text), to];
    const row = view.coordsAtPos(step > 0 ? start : end);
    const at = row === null ? null : view.posAtCoords({ x: left, y: (row.top + row.bottom) / 2 });
    const isThere = at !== null && at >= start && at <= end;
    view.dispatch({
      selection: { anchor: isThere ? at : step > 0 ? start : end },
      scrollIntoView: true,
      userEvent: 'select',
    });
    return true;
  };

/** The next line above or below that can be written in; null at either end. */
function findText(state: EditorState, own: number, step: 1 | -1): number | null {
  const { doc } = state;
  let hasPassed = false;
  for (let number = own + step; number >= 1 && number <= doc.lines; number += step) {
    const block = findBlock(state, doc.line(number).from);
    if (block !== null) {
      hasPassed = true;
      number = doc.lineAt(step > 0 ? block.to : block.from).number;
      continue;
    }
    const next = number + step;
    const isBetween =
      hasPassed && next >= 1 && next <= doc.lines && findBlock(state, doc.line(next).from) !== null;
    if (isBetween || !isGap(doc, number)) return number;
  }
  return null;
}

/** Shows Markdown as what it means: marks are hidden, and never come back at the cursor. The text stays as it is. */
export const liveText: Extension = [
  knownThings,
  shownBlocks,
  ownParagraphs,
  keymap.of([
    { key: 'ArrowUp', run: goToText(-1) },
    { key: 'ArrowDown', run: goToText(1) },
  ]),
  ViewPlugin.fromClass(
    class {
      shown: DecorationSet;
      hidden: DecorationSet;

      constructor(view: EditorView) {
        [this.shown, this.hidden] = buildInline(view);
      }

      update(update: ViewUpdate): void {
        if (!update.docChanged && !update.viewportChanged && !hasNews(update)) return;
        [this.shown, this.hidden] = buildInline(update.view);
      }
    },
    {
      decorations: ({ shown }) => shown,
      // Only what is hidden: with the marks for bold among them, one press of an arrow key would jump over all bold words.
      provide: (plugin) =>
        EditorView.atomicRanges.of((view) => view.plugin(plugin)?.hidden ?? RangeSet.empty),
    },
  ),
];

const hide = Decoration.replace({});
const markAs = (tagName: string, className: string) => Decoration.mark({ tagName, class: className });
const MARKS: Readonly<Record<string, Decoration>> = {
  StrongEmphasis: markAs('strong', 'desk-strong'),
  Emphasis: markAs('em', 'desk-em'),
  InlineCode: markAs('code', 'desk-code'),
  Strikethrough: markAs('s', 'desk-s'),
  HTMLTag: markAs('span', 'desk-raw'),
};
const HIDDEN: ReadonlySet<string> = new Set(['EmphasisMark', 'StrikethroughMark']);
const LINES: Readonly<Record<string, string>> = {
  Blockquote: 'desk-quote',
  FencedCode: 'desk-fence',
  CodeBlock: 'desk-fence',
  HTMLBlock: 'desk-raw',
  CommentBlock: 'desk-raw',
  LinkReference: 'desk-raw',
};

const ROLES: Readonly<Record<string, { readonly role: string }>> = {
  'desk-quote': { role: 'blockquote' },
  'desk-callout': { role: 'note' },
};

/** The first line of a callout up to its words; the part that says so alone. */
const CALLOUT = /^>\s?(\[!(?:note|tip|important|warning|caution)\]\s*)/i;

class Chip extends WidgetType {
  readonly text: string;
  readonly className: string;
  readonly label: string;

  constructor(text: string, className: string, label: string) {
    super();
    this.text = text;
    this.className = className;
    this.label = label;
  }

  override eq(other: Chip): boolean {
    return other.text === this.text && other.className === this.className && other.label === this.label;
  }

  toDOM(): HTMLElement {
    const label = this.label === '' ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': this.label };
    return buildElement('span', { class: this.className, ...label }, this.text);
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

const replaceWith = (widget: WidgetType) => Decoration.replace({ widget });
const BULLET = replaceWith(new Chip('•', 'desk-bullet', 'point'));
const SHOP = Decoration.widget({ widget: new Chip('shop', 'desk-shop', 'link to a shop'), side: -1 });
const SPACE = replaceWith(new Chip(' ', '', ''));

/** What is inside of a line, for what is on the screen: what is drawn, and the part of it that the cursor passes over. */
function buildInline({ state, visibleRanges }: EditorView): [DecorationSet, DecorationSet] {
  const { doc } = state;
  const known = state.field(knownThings);
  const shown: Range<Decoration>[] = [];
  const hidden: Range<Decoration>[] = [];
  const replace = (from: number, to: number, decoration = hide) => {
    if (from >= to) return;
    shown.push(decoration.range(from, to));
    hidden.push(decoration.range(from, to));
  };
  const fenced = new Set<number>();
  for (const { from, to } of visibleRanges) {
    syntaxTree(state).iterate({
      from,
      to,
      enter: (found) => {
        const { name } = found;
        const mark = name === 'Blockquote' ? CALLOUT.exec(doc.lineAt(found.from).text) : null;
        const line = mark === null ? LINES[name] : 'desk-callout';
        if (line !== undefined) addLines(doc, found, line, shown, name === 'Blockquote' ? null : fenced);
        if (mark !== null) {
          const end = doc.lineAt(found.from).from + mark[0].length;
          replace(end - (mark[1]?.length ?? 0), end);
        }
        const style = MARKS[name];
        if (style !== undefined && found.to > found.from) shown.push(style.range(found.from, found.to));
        if (HIDDEN.has(name)) replace(found.from, found.to);
        else if (name === 'CodeMark' && found.node.parent?.name === 'InlineCode')
          replace(found.from, found.to);
        else if (/^(?:ATX|Setext)Heading/.test(name)) addHeading(doc, found, shown);
        else if (name === 'HeaderMark' || name === 'QuoteMark')
          replace(found.from, found.to + countSpaces(doc, found.to));
        else if (name === 'ListMark') addListMark(doc, found.node, shown, replace);
        else if (name === 'Escape') replace(found.from, found.from + 1);
        else if (name === 'HardBreak') replace(found.from, doc.lineAt(found.from).to);
        else if (name === 'Link') addLink(doc, found.node, shown, replace);
        else if (name === 'Image') {
          const alt = readPicture(doc, found.node).alt;
          replace(
            found.from,
            found.to,
            replaceWith(new Chip(alt || 'Picture', 'desk-chip', `Picture: ${alt}`)),
          );
          return false;
        } else if (name === 'Figure') {
          const figure = doc.sliceString(found.from + 1, found.to - 1);
          const value = known.figures.get(figure) ?? figure;
          replace(
            found.from,
            found.to,
            replaceWith(new Chip(value, 'desk-figure', `${value}, figure ${figure}`)),
          );
        } else if (name === 'Source') {
          const number = doc.sliceString(found.from + 2, found.to - 1);
          replace(found.from, found.to, replaceWith(new Chip(number, 'desk-source', `source ${number}`)));
        }
        return undefined;
      },
    });
    addGaps(doc, doc.lineAt(from).number, doc.lineAt(to).number, fenced, shown);
  }
  return [Decoration.set(shown, true), Decoration.set(hidden, true)];
}

const countSpaces = (doc: Text, at: number) =>
  /^[ \t]*/.exec(doc.sliceString(at, Math.min(doc.length, at + 4)))?.[0].length ?? 0;

/** Gives each line of a node a class. `fenced` collects the lines whose breaks have a meaning. */
function addLines(
  doc: Text,
  { from, to }: SyntaxNodeRef,
  className: string,
  shown: Range<Decoration>[],
  fenced: Set<number> | null,
): void {
  for (let at = from; at <= to; ) {
    const line = doc.lineAt(at);
    shown.push(Decoration.line({ class: className, attributes: ROLES[className] ?? {} }).range(line.from));
    fenced?.add(line.number);
    at = line.to + 1;
  }
}

function addHeading(doc: Text, { name, from }: SyntaxNodeRef, shown: Range<Decoration>[]): void {
  const level = name.at(-1) ?? '2';
  const attributes = { role: 'heading', 'aria-level': level };
  shown.push(Decoration.line({ class: `desk-h${level}`, attributes }).range(doc.lineAt(from).from));
}

function addListMark(
  doc: Text,
  { from, to, parent }: SyntaxNode,
  shown: Range<Decoration>[],
  replace: (from: number, to: number, decoration?: Decoration) => void,
): void {
  const line = doc.lineAt(from);
  let depth = 0;
  for (let node = parent; node !== null; node = node.parent) if (node.name === 'ListItem') depth += 1;
  shown.push(
    Decoration.line({ class: 'desk-item', attributes: { 'data-depth': String(depth) } }).range(line.from),
  );
  replace(line.from, from);
  if (parent?.parent?.name === 'BulletList') replace(from, to + countSpaces(doc, to), BULLET);
}

/** A link with its address in parentheses; another form of links is shown as it is written. */
function addLink(
  doc: Text,
  node: SyntaxNode,
  shown: Range<Decoration>[],
  replace: (from: number, to: number) => void,
): void {
  const found = readLink(doc, node);
  if (found === null || found.from === found.to) return;
  const { href, from, to } = found;
  replace(node.from, from);
  replace(to, node.to);
  const attributes = { role: 'link', title: href };
  shown.push(Decoration.mark({ tagName: 'span', class: 'desk-link', attributes }).range(from, to));
  if (parseRedirectPath(href) !== null) shown.push(SHOP.range(to));
}

/** Blank lines between paragraphs are half as high; where several follow each other, every second one can be written in. */
function addGaps(
  doc: Text,
  first: number,
  last: number,
  fenced: ReadonlySet<number>,
  shown: Range<Decoration>[],
): void {
  for (let number = first; number <= last; number += 1)
    if (!fenced.has(number) && isGap(doc, number)) shown.push(GAP.range(doc.line(number).from));
}

const GAP = Decoration.line({ class: 'desk-gap' });

/** A text that takes longer is drawn as it is parsed. */
const PARSE_MS = 50;

/** Blocks change the height of the text, so they are known for all of it. */
function buildBlocks(
  state: EditorState,
  tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state),
): DecorationSet {
  const { doc } = state;
  const known = state.field(knownThings);
  const found: Range<Decoration>[] = [];
  const put = ({ from, to }: SyntaxNode, widget: WidgetType) => {
    const start = doc.lineAt(from).from;
    found.push(Decoration.replace({ widget, block: true }).range(start, doc.lineAt(to).to));
  };
  for (let node = tree.topNode.firstChild; node !== null; node = node.nextSibling) {
    const { name } = node;
    if (name === 'Shortcode') put(node, new SiteBlock(doc.sliceString(node.from, node.to).trim(), known));
    else if (name === 'HorizontalRule') put(node, new Rule());
    else if (name === 'Table')
      put(node, new TableGrid(doc.sliceString(node.from, node.to), known.figures, buildBlockButtons));
    else if (name === 'Paragraph') {
      const image = node.firstChild;
      const mark = image === null ? '' : doc.sliceString(image.to, node.to);
      if (image?.name === 'Image' && image.from === node.from && (mark === '' || mark === DECORATION_MARK)) {
        const { src, alt } = readPicture(doc, image);
        const drawn = known.pictures.get(src) ?? addedPictures.get(src) ?? '';
        put(node, new Picture(src, drawn, alt, mark !== ''));
      } else joinLines(doc, node, found);
    }
  }
  return Decoration.set(found, true);
}

/** Lines that an editor has wrapped are one paragraph; a break that was meant ends with a backslash or two spaces. */
function joinLines(doc: Text, { from, to }: SyntaxNode, found: Range<Decoration>[]): void {
  for (let line = doc.lineAt(from); line.to < to; line = doc.lineAt(line.to + 1))
    if (!/(?:\\| {2})$/.test(line.text)) found.push(SPACE.range(line.to, line.to + 1));
}

class Rule extends WidgetType {
  override eq(): boolean {
    return true;
  }

  toDOM(): HTMLElement {
    return buildElement('div', { class: 'desk-rule', role: 'separator' });
  }
}

const PICTURE_HEIGHT = 300;

class Picture extends WidgetType {
  /** As the text has it. */
  readonly address: string;
  /** Where it is served; empty: nowhere, or not known yet. */
  readonly src: string;
  readonly alt: string;
  readonly isDecoration: boolean;

  constructor(address: string, src: string, alt: string, isDecoration: boolean) {
    super();
    this.address = address;
    this.src = src;
    this.alt = alt;
    this.isDecoration = isDecoration;
  }

  override eq({ address, src, alt, isDecoration }: Picture): boolean {
    return (
      `${[address, src, alt, isDecoration]}` === `${[this.address, this.src, this.alt, this.isDecoration]}`
    );
  }

  override get estimatedHeight(): number {
    return PICTURE_HEIGHT;
  }

  toDOM(view: EditorView): HTMLElement {
    const box = buildElement('figure', { class: 'desk-picture', 'aria-label': 'Picture' });
    box.dataset['address'] = this.address;
    const label = { 'aria-label': 'What the picture shows' };
    const field = buildElement('input', { type: 'text', maxlength: '300', ...label });
    field.addEventListener('input', () => {
      const found = findPicture(view, box);
      if (found === null) return;
      const insert = field.value.replace(/\s/g, ' ').replace(/[[\]\\]/g, '\\$&');
      // Without a name, edits that follow each other are undone together, and no list opens at the cursor.
      view.dispatch({ changes: { from: found.from, to: found.to, insert } });
    });
    const bar = buildElement('p', { class: 'desk-block-bar' });
    bar.append(...buildBlockButtons(view, box, 'the picture'));
    box.append(field, bar);
    const addTools = () =>
      void import('./pictures.ts').then((pictures) => pictures.addPictureTools(view, box, findText));
    for (const type of ['focusin', 'pointerenter']) box.addEventListener(type, addTools, { once: true });
    this.#fill(view, box, field);
    return box;
  }

  /** Keeps the focus in a field whose words change or whose picture is known now, and a picture that is loaded. */
  override updateDOM(box: HTMLElement, view: EditorView): boolean {
    const field = box.querySelector<HTMLInputElement>('input[type="text"]');
    if (field === null || box.dataset['address'] !== this.address) return false;
    this.#fill(view, box, field);
    return true;
  }

  #fill(view: EditorView, box: HTMLElement, field: HTMLInputElement): void {
    const shown = field.previousElementSibling;
    if (shown === null || (shown.getAttribute('src') ?? '') !== this.src) {
      const image = this.src
        ? buildElement('img', { src: this.src, alt: '' })
        : buildElement('p', {}, 'Not a picture of the site.');
      image.addEventListener('load', () => view.requestMeasure());
      shown?.remove();
      field.before(image);
    }
    // While words are typed, the field has a space at their end.
    if (field.value.trim() !== this.alt.trim()) field.value = this.alt;
    field.disabled = this.isDecoration;
    field.placeholder = this.isDecoration ? 'Only decoration' : 'What does it show?';
    box.toggleAttribute('data-decoration', this.isDecoration);
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const BOX_HEIGHT = 160;

/** A shortcode as the site draws it. */
class SiteBlock extends WidgetType {
  readonly text: string;
  readonly known: KnownThings;

  constructor(text: string, known: KnownThings) {
    super();
    this.text = text;
    this.known = known;
  }

  override eq(other: SiteBlock): boolean {
    return other.text === this.text && other.known.version === this.known.version;
  }

  override get estimatedHeight(): number {
    return BOX_HEIGHT;
  }

  toDOM(view: EditorView): HTMLElement {
    const name = nameShortcode(this.text, this.known.products);
    const box = buildElement('div', { class: 'desk-block', role: 'group', 'aria-label': name });
    const drawn = buildElement('div');
    if (!this.known.draw(this.text, drawn))
      drawn.append(buildElement('p', { class: 'desk-waits' }, `${name} …`));
    const bar = buildElement('p', { class: 'desk-block-bar' }, name);
    bar.append(...buildBlockButtons(view, box, name));
    box.append(bar, drawn);
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** What is done with a block as a whole. Where it is, is looked up when a button is used: edits may have moved it. */
function buildBlockButtons(view: EditorView, box: HTMLElement, name: string): readonly HTMLElement[] {
  if (view.state.readOnly) return [];
  const build = (
    text: string,
    label: string,
    act: (menu: typeof import('./insert-menu.ts')) => StateCommand,
  ) => {
    const named = { type: 'button', class: 'desk-tool', 'aria-label': label };
    const button = buildElement('button', named, text);
    // A cell keeps the focus until the block is found: what was written in it is taken over then.
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', async () => {
      const command = act(await import('./insert-menu.ts'));
      const anchor = view.posAtDOM(box);
      view.focus();
      view.dispatch({ selection: { anchor } });
      command(view);
    });
    return button;
  };
  return [
    build('Up', `Move ${name} up`, (menu) => menu.movePart(-1)),
    build('Down', `Move ${name} down`, (menu) => menu.movePart(1)),
    build('Duplicate', `Duplicate ${name}`, (menu) => menu.duplicatePart),
    build('Remove', `Remove ${name}`, (menu) => menu.removePart),
  ];
}
