import { history } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import { EditorSelection, type EditorState, type StateCommand, type Text } from '@codemirror/state';
import type { EditorView, KeyBinding } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';

/** What can be undone: by default the library forgets all but about a hundred steps. */
export const deskHistory = history({ minDepth: 2_000 });

/** Whether a line is the space between two paragraphs, and not a paragraph that is still empty. */
export function isGap(doc: Text, number: number): boolean {
  let first = number;
  while (first >= 1 && doc.line(first).length === 0) first -= 1;
  // Before the first paragraph every second line from the start is one.
  return first !== number && first > 0 && (number - first) % 2 === 1 && number < doc.lines;
}

/** What a line begins with: spaces, then marks of quotations, lists and headings. */
export const LINE_START = /^[ \t]*(?:>[ \t]?)*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+|#{1,6}[ \t]+)?/;

export const measureStart = (line: string) => LINE_START.exec(line)?.[0].length ?? 0;

/** The innermost node of a kind around a position. */
export function findAround(state: EditorState, at: number, name: string): SyntaxNode | null {
  for (const side of [-1, 1] as const)
    for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, side); node; node = node.parent)
      if (node.name === name) return node;
  return null;
}

/** Where a link leads and where its words are; null for a link by reference. */
export function readLink(doc: Text, node: SyntaxNode) {
  const [open, close] = node.getChildren('LinkMark');
  const address = node.getChild('URL');
  if (open === undefined || close === undefined || address === null) return null;
  return { href: doc.sliceString(address.from, address.to), from: open.to, to: close.from };
}

/** What a picture shows and where it is; empty for a picture by reference. */
export function readPicture(doc: Text, node: SyntaxNode) {
  const { href, from, to } = readLink(doc, node) ?? { href: '', from: 0, to: 0 };
  return { src: href, alt: doc.sliceString(from, to).replace(/\\([[\]\\])/g, '$1') };
}

/** Addresses of pictures that were added since the page was opened, by the address that the Markdown has. */
export const addedPictures = new Map<string, string>();

/** Where a picture is that is drawn: all of it, its words, and its address. */
export function findPicture(view: EditorView, box: HTMLElement) {
  const { doc } = view.state;
  const image = findAround(view.state, view.posAtDOM(box), 'Image');
  const place = image && readLink(doc, image);
  const address = image?.getChild('URL');
  if (!image || !place || !address) return null;
  return { ...place, address, start: image.from, end: doc.lineAt(image.to).to };
}

/** The texts of the cells of a row, without the spaces around them. */
export const splitRow = (row: string) =>
  row
    .trim()
    .replace(/^\||(?<!(?<!\\)\\(?:\\\\)*)\|$/g, '')
    .split(/(?<!(?<!\\)\\(?:\\\\)*)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, '|'));

const isIn = (state: EditorState, at: number, names: RegExp) => {
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, -1); node; node = node.parent)
    if (names.test(node.name)) return true;
  return false;
};

export const isInCode = (state: EditorState, at: number) =>
  isIn(state, at, /^(?:FencedCode|CodeBlock|HTMLBlock)$/);

const MARKED = /^(?:StrongEmphasis|Emphasis|InlineCode|Strikethrough|Link)$/;

/** What ends the marks around a position, and begins them again: bold words stay bold on both sides of a break. */
function splitMarks(state: EditorState, at: number) {
  let [from, close, open] = [at, '', ''];
  for (const side of [-1, 1] as const)
    for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(from, side); node; node = node.parent) {
      const marks = node.getChildren(node.name === 'Link' ? 'LinkMark' : (node.firstChild?.name ?? ''));
      const [first, last] = [marks[0], marks[1]];
      if (!MARKED.test(node.name) || !first || !last || node.from >= from || node.to <= from) continue;
      if (from >= last.from) from = node.to;
      else if (from <= first.to) from = node.from;
      else if (side === 1) {
        close += state.sliceDoc(last.from, node.to);
        open = state.sliceDoc(first.from, first.to) + open;
      }
    }
  return { from, close, open };
}

/** Enter makes a paragraph; in a list the next item, in code a line. An item without text ends its list. */
const startParagraph: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.from);
  if (isInCode(state, main.from)) return false;
  const [start] = LINE_START.exec(line.text) ?? [''];
  const isHeading = /#/.test(start);
  const split = main.empty ? splitMarks(state, main.from) : { from: main.from, close: '', open: '' };
  const insert = (text: string, from?: number) => {
    const [at, whole] = from === undefined ? [split.from, split.close + text + split.open] : [from, text];
    dispatch(
      state.update({
        changes: { from: at, to: from === undefined && main.empty ? at : main.to, insert: whole },
        selection: EditorSelection.cursor(at + whole.length),
        scrollIntoView: true,
        userEvent: 'input',
      }),
    );
    return true;
  };
  const isMarked = start.trim() !== '' && !isHeading;
  if (isMarked && line.text.length === start.length) return insert('', line.from);
  if (isMarked && start.includes('>')) return insert(`\n${start.trimEnd()}\n${start}`);
  if (isMarked) return insert(`\n${start.replace(/\d+/, (number) => String(Number(number) + 1))}`);
  // A second blank paragraph would not be seen by readers.
  if (line.text.trim() === '' && main.empty) return true;
  return insert('\n\n');
};

const breakLine: StateCommand = ({ state, dispatch }) => {
  dispatch(state.update(state.replaceSelection('\\\n'), { scrollIntoView: true, userEvent: 'input' }));
  return true;
};

/** Backspace at the start of a heading, an item or a quotation makes a paragraph; at the start of a paragraph it joins two. */
const joinBackward: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection;
  if (!main.empty || isInCode(state, main.from)) return false;
  const line = state.doc.lineAt(main.head);
  const [start] = LINE_START.exec(line.text) ?? [''];
  if (main.head > line.from + start.length) return false;
  const remove = (from: number, to: number, insert = '') => {
    const selection = EditorSelection.cursor(from + insert.length);
    dispatch(
      state.update({
        changes: { from, to, insert },
        selection,
        scrollIntoView: true,
        userEvent: 'delete.backward',
      }),
    );
    return true;
  };
  // Right below another item it would still be one with it.
  const isBelow = /[-*+>\d]/.test(start) && line.number > 1 && state.doc.line(line.number - 1).length > 0;
  if (start !== '') return remove(line.from, line.from + start.length, isBelow ? '\n' : '');
  if (main.head !== line.from || line.number < 3 || !isGap(state.doc, line.number - 1)) return false;
  const above = state.doc.line(line.number - 2);
  // What is drawn as a block is not joined with text; an empty paragraph below it goes.
  if (isIn(state, above.to, BLOCKS)) return line.length === 0 ? remove(above.to, line.to) : true;
  return remove(above.to, line.from);
};

const BLOCKS = /^(?:Shortcode|Table|Image|HorizontalRule|FencedCode|HTMLBlock)$/;

/** Delete at the end of a paragraph joins it with the next one, which loses its mark; a block below it stays a block. */
const joinForward: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection;
  const { doc } = state;
  const line = doc.lineAt(main.head);
  if (!main.empty || main.head !== line.to || line.number === doc.lines || isInCode(state, line.to))
    return false;
  const number = line.number + (isGap(doc, line.number + 1) ? 2 : 1);
  if (number > doc.lines) return false;
  const below = doc.line(number);
  const isBlock = isIn(state, below.to, BLOCKS);
  if (isBlock && line.length > 0) return true;
  const start = measureStart(below.text);
  const to = line.length === 0 ? below.from : below.from + start;
  dispatch(
    state.update({ changes: { from: line.to, to }, userEvent: 'delete.forward', scrollIntoView: true }),
  );
  return true;
};

export const PARAGRAPH_COMMANDS = {
  enter: startParagraph,
  shiftEnter: breakLine,
  backspace: joinBackward,
  delete: joinForward,
};

/** What differs where marks are hidden. */
export const PARAGRAPH_KEYS: readonly KeyBinding[] = [
  { key: 'Enter', run: PARAGRAPH_COMMANDS.enter, shift: PARAGRAPH_COMMANDS.shiftEnter },
  { key: 'Backspace', run: PARAGRAPH_COMMANDS.backspace },
  { key: 'Delete', run: PARAGRAPH_COMMANDS.delete },
];

/** Puts a block between blank lines at the cursor: in place of an empty paragraph, else below the line. Returns where it is. */
export function insertBlock(view: EditorView, block: string, from?: number): number {
  const { doc, selection } = view.state;
  const line = doc.lineAt(from ?? selection.main.head);
  const start = from ?? line.to;
  const isEmpty = doc.sliceString(line.from, start).trim() === '';
  const at = isEmpty ? line.from : start;
  const end = from === undefined ? line.to : selection.main.head;
  const before =
    at === 0 || doc.sliceString(Math.max(0, at - 2), at) === '\n\n' ? '' : isEmpty ? '\n' : '\n\n';
  // Below it stands a blank line: what is written there next is a paragraph of its own.
  const present = /^\n{0,2}/.exec(doc.sliceString(end, end + 2))?.[0].length ?? 0;
  const insert = `${before}${block}${'\n'.repeat(2 - present)}`;
  view.dispatch({
    changes: { from: at, to: end, insert },
    selection: EditorSelection.cursor(at + before.length + block.length + 2),
    scrollIntoView: true,
    userEvent: 'input.block',
  });
  view.focus();
  return at + before.length;
}
