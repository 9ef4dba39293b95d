import { syntaxTree } from '@codemirror/language';
import { EditorSelection, type EditorState, type StateCommand, type Text } from '@codemirror/state';
import type { Command, EditorView, KeyBinding } from '@codemirror/view';
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

/** Puts a mark around the selected words, or around the word of the cursor; takes it away where it is. */
const toggleMark =
  (mark: string, name: string): StateCommand =>
  ({ state, dispatch }) => {
    const { main } = state.selection;
    const around = findAround(state, main.from, name);
    if (around !== null && around.to >= main.to) {
      const first = around.firstChild;
      const last = around.lastChild;
      if (first === null || last === null || first.from === last.from) return false;
      dispatch(
        state.update({
          changes: [first, last].map(({ from, to }) => ({ from, to })),
          userEvent: 'input.format',
        }),
      );
      return true;
    }
    const word = main.empty ? state.wordAt(main.head) : main;
    if (word === null) return true;
    // Spaces at the edges of a selection would end the mark before it begins; marks of lines stay outside.
    const text = state.sliceDoc(word.from, word.to);
    const from = word.from + text.length - text.trimStart().length;
    const to = word.to - (text.length - text.trimEnd().length);
    if (from >= to || text.includes('\n')) return true;
    dispatch(
      state.update({
        changes: [
          { from, insert: mark },
          { from: to, insert: mark },
        ],
        selection: EditorSelection.range(from + mark.length, to + mark.length),
        userEvent: 'input.format',
      }),
    );
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
  bold: toggleMark('**', 'StrongEmphasis'),
  italic: toggleMark('*', 'Emphasis'),
  code: toggleMark('`', 'InlineCode'),
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

/** Enter makes a paragraph; in a list the next item, in code a line. An item without text ends its list. */
const startParagraph: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.from);
  if (isIn(state, main.from, /^(?:FencedCode|CodeBlock|HTMLBlock)$/)) return false;
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
  if (!main.empty || isIn(state, main.from, /^(?:FencedCode|CodeBlock|HTMLBlock)$/)) return false;
  const line = state.doc.lineAt(main.head);
  const [start] = LINE_START.exec(line.text) ?? [''];
  if (main.head > line.from + start.length) return false;
  const remove = (from: number, to: number) => {
    dispatch(
      state.update({ changes: { from, to }, ...{ scrollIntoView: true, userEvent: 'delete.backward' } }),
    );
    return true;
  };
  if (start !== '') return remove(line.from, line.from + start.length);
  if (main.head !== line.from || line.number < 3 || !isGap(state.doc, line.number - 1)) return false;
  const above = state.doc.line(line.number - 2);
  // What is drawn as a block is not joined with text; an empty paragraph below it goes.
  if (isIn(state, above.to, /^(?:Shortcode|Table|Image|HorizontalRule|FencedCode|HTMLBlock)$/))
    return line.length === 0 ? remove(above.to, line.to) : true;
  return remove(above.to, line.from);
};

/** Goes up or down once more from the space between two paragraphs. */
const passGap =
  (step: 1 | -1): Command =>
  (view) => {
    const { doc, selection } = view.state;
    const { head } = selection.main;
    if (!selection.main.empty) return false;
    const moved = view.moveVertically(selection.main, step > 0);
    const line = doc.lineAt(moved.head);
    if (moved.head === head || !isGap(doc, line.number)) return false;
    const next = line.number + step;
    if (next < 1 || next > doc.lines) return false;
    const target = view.moveVertically(moved, step > 0);
    view.dispatch({
      selection: EditorSelection.single(target.head),
      scrollIntoView: true,
      userEvent: 'select',
    });
    return true;
  };

/** The parts of the text that move as one: a heading with all below it, or a block between blank lines. */
function findPart(state: EditorState, at: number) {
  const { doc } = state;
  const blocks: SyntaxNode[] = [];
  for (let node = syntaxTree(state).topNode.firstChild; node; node = node.nextSibling) blocks.push(node);
  const index = blocks.findLastIndex(({ from }) => from <= at);
  const level = (node: SyntaxNode | undefined) =>
    Number(/^(?:ATX|Setext)Heading(\d)/.exec(node?.name ?? '')?.[1] ?? 7);
  const first = blocks[index];
  if (first === undefined) return null;
  const own = level(first);
  const findEnd = (start: number, top: number) => {
    if (top === 7) return start + 1;
    let end = start + 1;
    while (end < blocks.length && level(blocks[end]) > top) end += 1;
    return end;
  };
  const end = findEnd(index, own);
  // A heading changes places with the part of its level above it or below it, a block with its neighbor.
  let before = index - 1;
  if (own < 7) while (before > 0 && level(blocks[before]) > own) before -= 1;
  const after = end < blocks.length ? findEnd(end, Math.min(own, 7)) : end;
  const cut = (from: number, to: number) => {
    const [one, other] = [blocks[from], blocks[to - 1]];
    return one === undefined || other === undefined
      ? null
      : { from: doc.lineAt(one.from).from, to: other.to };
  };
  return {
    part: cut(index, end),
    above: before < 0 ? null : cut(before, index),
    below: end < blocks.length ? cut(end, after) : null,
  };
}

/** Moves the part of the cursor up or down: it changes places with its neighbor. */
export const movePart =
  (step: 1 | -1): StateCommand =>
  ({ state, dispatch }) => {
    const { head } = state.selection.main;
    const found = findPart(state, head);
    const other = step < 0 ? found?.above : found?.below;
    if (!found?.part || !other) return true;
    const [first, second] = step < 0 ? [other, found.part] : [found.part, other];
    const between = state.sliceDoc(first.to, second.from);
    const insert = state.sliceDoc(second.from, second.to) + between + state.sliceDoc(first.from, first.to);
    const moved = step < 0 ? first.from : first.from + (second.to - second.from) + between.length;
    dispatch(
      state.update({
        changes: { from: first.from, to: second.to, insert },
        selection: EditorSelection.cursor(moved + Math.min(head, found.part.to) - found.part.from),
        ...{ scrollIntoView: true, userEvent: 'move.part' },
      }),
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
  { key: 'Alt-ArrowUp', run: movePart(-1), preventDefault: true },
  { key: 'Alt-ArrowDown', run: movePart(1), preventDefault: true },
];

export const PARAGRAPH_COMMANDS = { enter: startParagraph, shiftEnter: breakLine, backspace: joinBackward };

/** What differs where marks are hidden. */
export const PARAGRAPH_KEYS: readonly KeyBinding[] = [
  { key: 'Enter', run: PARAGRAPH_COMMANDS.enter, shift: PARAGRAPH_COMMANDS.shiftEnter },
  { key: 'Backspace', run: PARAGRAPH_COMMANDS.backspace },
  { key: 'ArrowUp', run: passGap(-1) },
  { key: 'ArrowDown', run: passGap(1) },
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
