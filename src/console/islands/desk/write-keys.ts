import { syntaxTree } from '@codemirror/language';
import {
  EditorSelection,
  type EditorState,
  type StateCommand,
  StateEffect,
  StateField,
  type Text,
  type TransactionSpec,
} from '@codemirror/state';
import { EditorView, type KeyBinding } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';

/** Whether a line is the space between two paragraphs, and not a paragraph that is still empty. */
export function isGap(doc: Text, number: number): boolean {
  let first = number;
  while (first >= 1 && doc.line(first).length === 0) first -= 1;
  // Before the first paragraph every second line from the start is one.
  return first !== number && first > 0 && (number - first) % 2 === 1 && number < doc.lines;
}

/** What a line begins with: spaces, then marks of quotations, lists and headings. */
const LINE_START = /^[ \t]*(?:>[ \t]?)*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+|#{1,6}[ \t]+)?/;

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

export function readPicture(doc: Text, node: SyntaxNode) {
  const found = readLink(doc, node);
  return (
    found && { src: found.href, alt: doc.sliceString(found.from, found.to).replace(/\\([[\]\\])/g, '$1') }
  );
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
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, '|'));

const setTypedMark = StateEffect.define<string>();

/** The mark around what is typed next, as after Ctrl B between two words; empty: none. */
export const typedMark = StateField.define<string>({
  create: () => '',
  update(mark, transaction) {
    const set = transaction.effects.find((effect) => effect.is(setTypedMark));
    if (set !== undefined) return set.value;
    const isElsewhere = transaction.docChanged || transaction.selection !== undefined;
    return isElsewhere && !transaction.isUserEvent('input.type.compose') ? '' : mark;
  },
  provide: () => [
    EditorView.inputHandler.of((view, from, to, text) => !view.composing && typeMarked(view, from, to, text)),
    // A word that a phone's keyboard composes is marked when it is complete.
    EditorView.domEventHandlers({
      compositionend: ({ data }, view) => {
        setTimeout(() => {
          const { head } = view.state.selection.main;
          const from = head - data.length;
          if (data !== '' && view.state.sliceDoc(from, head) === data) typeMarked(view, from, head, data);
        });
      },
    }),
  ],
});

const MARK_NAMES = { '**': 'StrongEmphasis', '*': 'Emphasis', '`': 'InlineCode' } as const;
type Mark = keyof typeof MARK_NAMES;

function typeMarked(view: EditorView, from: number, to: number, text: string): boolean {
  const typed = planTyped(view.state, from, to, text);
  if (typed !== null) view.dispatch(typed);
  return typed !== null;
}

/** Puts what is typed between the marks, and a space at their end behind them, where it does not end their meaning. */
export function planTyped(
  state: EditorState,
  from: number,
  to: number,
  text: string,
): TransactionSpec | null {
  const mark = state.field(typedMark);
  if (mark === '') return null;
  const spaces = /\s*$/.exec(state.sliceDoc(state.doc.lineAt(from).from, from))?.[0] ?? '';
  const end = from - spaces.length;
  const isSpace = text.trim() === '';
  const isOpen = findAround(state, end, MARK_NAMES[mark as Mark])?.to === end;
  const marked = isOpen
    ? [
        { from: end - mark.length, insert: spaces + text },
        { from: end, to },
      ]
    : [{ from, to, insert: mark + text + mark }];
  const added = isSpace || isOpen ? 0 : 2 * mark.length;
  return {
    changes: isSpace ? [{ from, to, insert: text }] : marked,
    selection: EditorSelection.cursor(from + text.length + added),
    ...{ effects: setTypedMark.of(mark), userEvent: 'input.type', scrollIntoView: true },
  };
}

/** Whether a mark is around what is selected, or will be around what is typed next. */
export function hasMark(state: EditorState, mark: Mark): boolean {
  const { from, to } = state.selection.main;
  const around = findAround(state, from, MARK_NAMES[mark]);
  const isIn = around !== null && around.from <= from && (from === to ? around.to > to : around.to >= to);
  return state.field(typedMark, false) === mark || isIn;
}

/** The words of the selected lines, without what the lines begin with and the spaces at the edges. */
function listSelectedWords(state: EditorState) {
  const { from, to } = state.selection.main;
  const { doc } = state;
  const parts: { readonly from: number; readonly to: number }[] = [];
  for (let line = doc.lineAt(from); line.from < to; line = doc.line(line.number + 1)) {
    const start = Math.max(from, line.from + measureStart(line.text));
    const text = doc.sliceString(start, Math.min(to, line.to));
    const isBlock = /^(?:\||\{\{|!\[)/.test(line.text) && to > line.to;
    if (text.trim() !== '' && !isBlock)
      parts.push({
        from: start + text.length - text.trimStart().length,
        to: start + text.trimEnd().length,
      });
    if (line.number === doc.lines) break;
  }
  return parts;
}

/**
 * Puts a mark around the selected words, or around the word in which the cursor is; takes it away where it is. Between words
 * it is put around what is typed next.
 */
const toggleMark =
  (mark: Mark): StateCommand =>
  ({ state, dispatch }) => {
    const { main } = state.selection;
    const find = (from: number, to: number) => {
      const around = findAround(state, from, MARK_NAMES[mark]);
      const [first, last] = [around?.firstChild, around?.lastChild];
      return around && first && last && last.from > first.from && around.to >= to
        ? { around, first, last }
        : null;
    };
    const type = (next: string, at = main.head) => {
      dispatch(state.update({ effects: setTypedMark.of(next), selection: EditorSelection.cursor(at) }));
      return true;
    };
    const inner = main.empty ? find(main.head, main.head) : null;
    if (inner !== null && main.head === inner.last.from) return type('', inner.around.to);
    const word = main.empty && inner === null ? state.wordAt(main.head) : null;
    const isInWord = word !== null && main.head > word.from && main.head < word.to;
    if (main.empty && !isInWord && (inner === null || main.head === inner.around.to))
      return type(state.field(typedMark, false) === mark ? '' : mark);
    const parts = isInWord ? [word] : inner === null ? listSelectedWords(state) : [inner.around];
    const marked = parts.map(({ from, to }) => find(from, to));
    const isOn = marked.every((one) => one !== null);
    const changes = parts.flatMap(({ from, to }, index): { from: number; to?: number; insert?: string }[] => {
      const found = marked[index];
      if (isOn) return found ? [found.first, found.last].map((one) => ({ from: one.from, to: one.to })) : [];
      return found
        ? []
        : [
            { from, insert: mark },
            { from: to, insert: mark },
          ];
    });
    const set = state.changes(changes);
    // The words stay selected, and not the marks.
    const selection = EditorSelection.range(
      set.mapPos(main.empty ? main.head : (parts[0]?.from ?? main.from), 1),
      set.mapPos(main.empty ? main.head : (parts.at(-1)?.to ?? main.to), main.empty ? 1 : -1),
    );
    if (parts.length > 0) dispatch(state.update({ changes: set, selection, userEvent: 'input.format' }));
    return true;
  };

/** Begins the selected lines with a mark, or takes it away where all have it. Another mark of the same place is replaced. */
const toggleLines =
  (mark: (position: number) => string, isMarked: RegExp): StateCommand =>
  ({ state, dispatch }) => {
    const { doc, selection } = state;
    const first = doc.lineAt(selection.main.from).number;
    const last = doc.lineAt(selection.main.to).number;
    const lines = Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index)).filter(
      ({ length, number }) => length > 0 || (first === last && !isGap(doc, number)),
    );
    const isOn = lines.length > 0 && lines.every(({ text }) => isMarked.test(text));
    const changes = lines.map(({ from, text }, position) => {
      const [start] = LINE_START.exec(text) ?? [''];
      return { from, to: from + start.length, insert: isOn ? '' : mark(position) };
    });
    // Below a paragraph a list or a quotation needs a blank line only where the line above is text of its own.
    dispatch(state.update({ changes, userEvent: 'input.format', scrollIntoView: true }));
    return true;
  };

export const FORMATS = {
  bold: toggleMark('**'),
  italic: toggleMark('*'),
  code: toggleMark('`'),
  heading: toggleLines(() => '## ', /^##[ \t]/),
  subheading: toggleLines(() => '### ', /^###[ \t]/),
  quote: toggleLines(() => '> ', /^>/),
  list: toggleLines(() => '- ', /^[-*+][ \t]/),
  numbers: toggleLines((position) => `${position + 1}. `, /^\d{1,9}[.)][ \t]/),
} as const;

const isIn = (state: EditorState, at: number, names: RegExp) => {
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, -1); node; node = node.parent)
    if (names.test(node.name)) return true;
  return false;
};

export const isInCode = (state: EditorState, at: number) =>
  isIn(state, at, /^(?:FencedCode|CodeBlock|HTMLBlock)$/);

/** Enter makes a paragraph; in a list the next item, in code a line. An item without text ends its list. */
const startParagraph: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.from);
  if (isInCode(state, main.from)) return false;
  const [start] = LINE_START.exec(line.text) ?? [''];
  const isHeading = /#/.test(start);
  const insert = (text: string, from = main.from) => {
    dispatch(
      state.update({
        changes: { from, to: main.to, insert: text },
        selection: EditorSelection.cursor(from + text.length),
        ...{ scrollIntoView: true, userEvent: 'input' },
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
        ...{ changes: { from, to, insert }, selection },
        ...{ scrollIntoView: true, userEvent: 'delete.backward' },
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

/** The keys of writing. None has Ctrl and Alt together, which types characters on many layouts. */
export const WRITE_KEYS: readonly KeyBinding[] = [
  { key: 'Mod-b', run: FORMATS.bold, preventDefault: true },
  { key: 'Mod-i', run: FORMATS.italic, preventDefault: true },
  { key: 'Mod-e', run: FORMATS.code, preventDefault: true },
  { key: 'Mod-Shift-7', run: FORMATS.numbers, preventDefault: true },
  { key: 'Mod-Shift-8', run: FORMATS.list, preventDefault: true },
];

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

/** Puts a block between blank lines at the cursor: in place of an empty paragraph, else below the line. */
export function insertBlock(view: EditorView, block: string, from?: number): void {
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
    ...{ scrollIntoView: true, userEvent: 'input.block' },
  });
  view.focus();
}
