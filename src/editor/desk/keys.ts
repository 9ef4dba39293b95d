import {
  chainCommands,
  createParagraphNear,
  joinBackward,
  joinForward,
  liftEmptyBlock,
  newlineInCode,
  selectNodeBackward,
  setBlockType,
  splitBlock,
  toggleMark,
  wrapIn,
} from 'prosemirror-commands';
import { closeHistory, redo, undo } from 'prosemirror-history';
import type { MarkType, Node, NodeType } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, type EditorState, Plugin, TextSelection, type Transaction } from 'prosemirror-state';
import { schema } from './schema.ts';
import { moveCell } from './table.ts';

const { nodes, marks } = schema;

/** The kind of a node around the selection, the innermost first; null: none. */
export function findDepth(
  { selection: { $from } }: EditorState,
  ...types: readonly NodeType[]
): number | null {
  for (let depth = $from.depth; depth > 0; depth -= 1)
    if (types.includes($from.node(depth).type)) return depth;
  return null;
}

export const isInside = (state: EditorState, ...types: readonly NodeType[]) =>
  findDepth(state, ...types) !== null;

/** Enter makes a paragraph, in a list an item, in code a line; what is empty leaves what it is in. */
const startParagraph: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  // A second empty paragraph would not be in the file.
  if (empty && $from.depth === 1 && $from.parent.type === nodes.paragraph && $from.parent.content.size === 0)
    return true;
  if (isInside(state, nodes.head, nodes.cell)) return moveCell('down')(state, dispatch);
  const item = findDepth(state, nodes.item);
  const isTask = item !== null && $from.node(item).attrs['checked'] !== null;
  const split = splitListItem(nodes.item, { checked: isTask ? false : null });
  const next = isInside(state, nodes.item) ? chainCommands(split, liftListItem(nodes.item)) : splitBlock;
  return chainCommands(
    newlineInCode,
    createParagraphNear,
    isInside(state, nodes.item) ? next : liftEmptyBlock,
    next,
  )(state, dispatch);
};

const breakLine: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.type.contentMatch.matchType(nodes.break)) return true;
  dispatch?.(state.tr.replaceSelectionWith(nodes.break.create()).scrollIntoView());
  return true;
};

/** Backspace at the start of a heading, an item or a quotation makes a paragraph. */
const leaveBlock: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset > 0) return false;
  const { type } = $from.parent;
  if (type === nodes.heading || type === nodes.fence) return setBlockType(nodes.paragraph)(state, dispatch);
  if ($from.depth > 1 && $from.node(-1).type === nodes.item && $from.index(-1) === 0)
    return liftListItem(nodes.item)(state, dispatch);
  return false;
};

const toggleBlock =
  (type: NodeType, attrs: Readonly<Record<string, unknown>> = {}): Command =>
  (state, dispatch) => {
    const { parent } = state.selection.$from;
    const isOn =
      parent.type === type && Object.entries(attrs).every(([name, value]) => parent.attrs[name] === value);
    return isOn
      ? setBlockType(nodes.paragraph)(state, dispatch)
      : setBlockType(type, { ...attrs, key: parent.attrs['key'] ?? null })(state, dispatch);
  };

const toggleList =
  (type: NodeType): Command =>
  (state, dispatch) => {
    const depth = findDepth(state, nodes.list, nodes.numbers);
    if (depth === null) return wrapInList(type)(state, dispatch);
    const { $from } = state.selection;
    if ($from.node(depth).type === type) return liftListItem(nodes.item)(state, dispatch);
    dispatch?.(
      state.tr.setNodeMarkup($from.before(depth), type, { tight: $from.node(depth).attrs['tight'] }),
    );
    return true;
  };

const toggleQuote: Command = (state, dispatch) => {
  const depth = findDepth(state, nodes.quote);
  if (depth === null) return wrapIn(nodes.quote)(state, dispatch);
  const { $from } = state.selection;
  const quote = $from.node(depth);
  dispatch?.(state.tr.replaceWith($from.before(depth), $from.after(depth), quote.content));
  return true;
};

/** A word with the cursor in it takes a mark as if it were selected. */
const toggleWord =
  (mark: MarkType): Command =>
  (state, dispatch) => {
    const { $from, empty, from } = state.selection;
    if (!empty || isInside(state, nodes.fence))
      return toggleMark(mark, null, { removeWhenPresent: false })(state, dispatch);
    const { text = '' } = $from.parent.maybeChild($from.index()) ?? {};
    const at = $from.textOffset;
    const before = at === 0 ? '' : (/[\p{L}\p{N}'’]+$/u.exec(text.slice(0, at))?.[0] ?? '');
    const behind = at === 0 ? '' : (/^[\p{L}\p{N}'’]+/u.exec(text.slice(at))?.[0] ?? '');
    if (before === '' || behind === '') return toggleMark(mark)(state, dispatch);
    const [start, end] = [from - before.length, from + behind.length];
    const { tr } = state;
    dispatch?.(
      mark.isInSet($from.marks()) ? tr.removeMark(start, end, mark) : tr.addMark(start, end, mark.create()),
    );
    return true;
  };

export const FORMATS = {
  bold: toggleWord(marks.bold),
  italic: toggleWord(marks.italic),
  code: toggleWord(marks.code),
  struck: toggleWord(marks.struck),
  heading: toggleBlock(nodes.heading, { level: 2 }),
  subheading: toggleBlock(nodes.heading, { level: 3 }),
  quote: toggleQuote,
  list: toggleList(nodes.list),
  numbers: toggleList(nodes.numbers),
} as const satisfies Readonly<Record<string, Command>>;

/** Where blocks of the text begin: positions in the document, and the end. */
const listStarts = (doc: Node): readonly number[] => {
  const starts = [0];
  for (const child of doc.children) starts.push((starts.at(-1) ?? 0) + child.nodeSize);
  return starts;
};

const readLevel = (block: Node | null) => (block?.type === nodes.heading ? Number(block.attrs['level']) : 7);

/** The parts that move as one: a heading with all below it, or a block; numbers of blocks. */
function findPart({ doc, selection }: EditorState) {
  const first = selection.$from.index(0);
  const level = readLevel(doc.maybeChild(first));
  const findEnd = (start: number, top: number) => {
    let end = start + 1;
    if (top < 7) while (end < doc.childCount && readLevel(doc.child(end)) > top) end += 1;
    return end;
  };
  const end = findEnd(first, level);
  let before = first - 1;
  if (level < 7) while (before > 0 && readLevel(doc.child(before)) > level) before -= 1;
  return { first, end, before, below: end < doc.childCount ? findEnd(end, level) : end };
}

/** Says what was done to a part. */
export type Announce = (text: string) => void;

const nameBlock = (block: Node | null) => {
  const text = block?.attrs['raw'] ?? block?.attrs['alt'] ?? block?.textContent ?? '';
  return text
    .replace(/\w+=|[{}"]/g, '')
    .replaceAll('-', ' ')
    .trim()
    .slice(0, 60);
};

function changePart(
  done: string,
  say: Announce,
  build: (
    state: EditorState,
    part: ReturnType<typeof findPart>,
    starts: readonly number[],
  ) => Transaction | null,
): Command {
  return (state, dispatch) => {
    const part = findPart(state);
    const words = nameBlock(state.doc.maybeChild(part.first));
    const changed = build(state, part, listStarts(state.doc));
    if (dispatch === undefined) return true;
    say(changed === null ? 'There is nothing to change places with.' : `${done}: ${words}.`);
    if (changed !== null) dispatch(closeHistory(changed).scrollIntoView());
    return true;
  };
}

/** Keeps the cursor where it is in its part, which begins somewhere else now. */
function keepCursor(changed: Transaction, state: EditorState, moved: number): Transaction {
  const { anchor, head } = state.selection;
  const at = (position: number) => changed.doc.resolve(Math.min(position + moved, changed.doc.content.size));
  return changed.setSelection(TextSelection.between(at(anchor), at(head)));
}

/** The part of the cursor changes places with its neighbor. */
export const movePart = (step: 1 | -1, say: Announce): Command =>
  changePart(step < 0 ? 'Moved up' : 'Moved down', say, (state, { first, end, before, below }, starts) => {
    const [from, middle, to] = step < 0 ? [before, first, end] : [first, end, below];
    if (from < 0 || middle === to) return null;
    const [start = 0, parted = 0, stop = 0] = [starts[from], starts[middle], starts[to]];
    const { doc, tr } = state;
    tr.replaceWith(start, stop, [...doc.children.slice(middle, to), ...doc.children.slice(from, middle)]);
    return keepCursor(tr, state, step < 0 ? start - parted : stop - parted);
  });

export const duplicatePart = (say: Announce): Command =>
  changePart('Duplicated', say, (state, { first, end }, starts) => {
    const [start = 0, stop = 0] = [starts[first], starts[end]];
    return keepCursor(state.tr.insert(stop, state.doc.children.slice(first, end)), state, stop - start);
  });

export const removePart = (say: Announce): Command =>
  changePart('Removed', say, (state, { first }, starts) => {
    const [start = 0, stop = 0] = [starts[first], starts[first + 1]];
    return state.doc.childCount === 1
      ? state.tr.replaceWith(start, stop, nodes.paragraph.create())
      : state.tr.delete(start, stop);
  });

export const listDeskKeys = (say: Announce): Readonly<Record<string, Command>> => ({
  Enter: startParagraph,
  'Shift-Enter': breakLine,
  Backspace: chainCommands(leaveBlock, joinBackward, selectNodeBackward),
  Delete: joinForward,
  'Mod-z': undo,
  'Mod-y': redo,
  'Shift-Mod-z': redo,
  'Mod-b': FORMATS.bold,
  'Mod-i': FORMATS.italic,
  'Mod-e': FORMATS.code,
  'Mod-Shift-7': FORMATS.numbers,
  'Mod-Shift-8': FORMATS.list,
  'Mod-]': sinkListItem(nodes.item),
  'Mod-[': liftListItem(nodes.item),
  Tab: moveCell('next'),
  'Shift-Tab': moveCell('back'),
  'Alt-ArrowUp': movePart(-1, say),
  'Alt-ArrowDown': movePart(1, say),
  'Shift-Alt-ArrowDown': duplicatePart(say),
});

const isList = ({ type }: Node) => type === nodes.list || type === nodes.numbers;
const listTouching = (doc: Node) =>
  doc.children.flatMap((one, index) => {
    const next = doc.maybeChild(index + 1);
    return next !== null && isList(one) && one.type === next.type ? [{ index, one, next }] : [];
  });

/** Two lists of one kind that come to touch are one list: they are so for everybody who reads the file. */
export const joinLists = new Plugin({
  appendTransaction(changes, before, { doc, tr }) {
    if (!changes.some(({ docChanged }) => docChanged)) return null;
    const touching = listTouching(doc);
    if (touching.length === 0) return null;
    const old = new Set(
      listTouching(before.doc).map(({ one, next }) => `${one.attrs['key']} ${next.attrs['key']}`),
    );
    const starts = listStarts(doc);
    for (const { index, one, next } of touching.toReversed())
      if (!old.has(`${one.attrs['key']} ${next.attrs['key']}`)) tr.join(starts[index + 1] ?? 0);
    return tr.docChanged ? tr : null;
  },
});
