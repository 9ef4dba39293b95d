import {
  EditorSelection,
  type EditorState,
  type StateCommand,
  StateEffect,
  StateField,
  type TransactionSpec,
} from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { findAround, isGap, LINE_START, measureStart } from './write-keys.ts';

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
    effects: setTypedMark.of(mark),
    userEvent: 'input.type',
    scrollIntoView: true,
  };
}

/** Whether a mark is around what is selected, or will be around what is typed next. */
function hasMark(state: EditorState, mark: Mark): boolean {
  const { from, to } = state.selection.main;
  const around = findAround(state, from, MARK_NAMES[mark]);
  const isIn = around !== null && around.from <= from && (from === to ? around.to > to : around.to >= to);
  return state.field(typedMark, false) === mark || isIn;
}

/** Shows at the buttons of a bar which marks are on. */
export const showMarks = (bar: HTMLElement) =>
  EditorView.updateListener.of(({ state, transactions }) => {
    if (transactions.length === 0) return;
    for (const [name, mark] of [
      ['Bold', '**'],
      ['Italic', '*'],
      ['Code', '`'],
    ] as const)
      bar.querySelector(`[data-tool="${name}"]`)?.setAttribute('aria-pressed', String(hasMark(state, mark)));
  });

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
