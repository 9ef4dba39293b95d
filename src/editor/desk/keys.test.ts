import { history, undo } from 'prosemirror-history';
import { type Command, EditorState, TextSelection } from 'prosemirror-state';
import { expect, it } from 'vitest';
import { MarkdownText } from '../codec.ts';
import { findAll } from './find.tsx';
import { duplicatePart, FORMATS, joinLists, listDeskKeys, movePart, removePart } from './keys.ts';
import { changeTable, fillCells } from './table.ts';

/** A text with the cursor behind the first of some words; `do` returns what is written after a command. */
function open(text: string, words: string) {
  const file = new MarkdownText();
  let state = EditorState.create({ doc: file.open(text), plugins: [history(), joinLists] });
  const [found] = findAll(state.doc, { words, isExact: true });
  const { from = 0, to = 0 } = found ?? {};
  const cursor = /^\w+$/.test(words) ? from + 1 : to;
  state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, cursor)));
  const run = (command: Command) => {
    command(state, (transaction) => {
      state = state.apply(transaction);
    });
    return file.write(state.doc);
  };
  return { run, readState: () => state };
}

const said: string[] = [];
const say = (text: string) => said.push(text);
const key = (name: string): Command => listDeskKeys(say)[name] ?? (() => false);

const PARTS = '## One\n\nFirst.\n\n## Two\n\nSecond.\n';

it.each([
  [
    'a heading with what is below it',
    PARTS,
    'One',
    movePart(1, say),
    '## Two\n\nSecond.\n\n## One\n\nFirst.\n',
  ],
  ['a block', PARTS, 'First', movePart(-1, say), 'First.\n\n## One\n\n## Two\n\nSecond.\n'],
  ['a block twice', 'One.\n\nTwo.\n', 'One', duplicatePart(say), 'One.\n\nOne.\n\nTwo.\n'],
  ['a block away', 'One.\n\nTwo.\n', 'One', removePart(say), 'Two.\n'],
  ['lists together', '- a\n\nmiddle\n\n* b\n', 'middle', removePart(say), '- a\n- b\n'],
  ['words in bold', 'One two.\n', 'two', FORMATS.bold, 'One **two**.\n'],
  ['bold words', 'One __two__.\n', 'two', FORMATS.bold, 'One two.\n'],
  ['a paragraph to a heading', 'One *two*.\n', 'One', FORMATS.heading, '## One *two*.\n'],
  ['a paragraph to a list', 'One.\n', 'One', FORMATS.numbers, '1. One.\n'],
  ['a list to a paragraph', '* One.\n', 'One', FORMATS.list, 'One.\n'],
  ['a list to numbers', '* One.\n* Two.\n', 'One', FORMATS.numbers, '1. One.\n2. Two.\n'],
  ['a quotation to a paragraph', '> One.\n', 'One', FORMATS.quote, 'One.\n'],
  ['a paragraph in two', 'One two.\n', 'One ', key('Enter'), 'One\n\ntwo.\n'],
  ['an item in two', '* One two.\n', 'One ', key('Enter'), '* One\n* two.\n'],
  ['a line in two', 'One two.\n', 'One ', key('Shift-Enter'), 'One\\\ntwo.\n'],
] as const)('changes %s', (_, text, words, command, expected) => {
  const { run } = open(text, words);
  expect(run(command)).toBe(expected);
  expect(run(undo)).toBe(text);
});

const TABLE = '| a  | b |\n|:---|---|\n| c  | d |\n';

it.each([
  ['addRow', '| a  | b |\n|:---|---|\n| c  | d |\n|  |  |\n'],
  ['removeRow', '| a  | b |\n|:---|---|\n'],
  ['addColumn', '| a  |  | b |\n|:---|---| --- |\n| c  |  | d |\n'],
  ['removeColumn', '| b |\n|---|\n| d |\n'],
] as const)('%s changes a table and nothing else of it', (act, expected) => {
  const { run } = open(TABLE, 'c');
  const written = run((state, dispatch) => {
    const changed = changeTable(state, 0, act);
    if (changed !== null) dispatch?.(changed);
    return changed !== null;
  });
  expect(written?.replace(/ +/g, ' ')).toBe(expected.replace(/ +/g, ' '));
  expect(run(undo)).toBe(TABLE);
});

it('a sheet fills cells from the one of the cursor on, and adds rows', () => {
  const { run } = open(TABLE, 'd');
  const written = run((state, dispatch) => {
    const changed = fillCells(state, [['1', 'beyond'], ['2']]);
    if (changed !== null) dispatch?.(changed);
    return true;
  });
  expect(written).toBe('| a  | b |\n|:---|---|\n| c  | 1 |\n|  | 2 |\n');
});

it('a part that has no neighbor stays, which is said', () => {
  const { run } = open('One.\n', 'One');
  expect(run(movePart(-1, say))).toBe('One.\n');
  expect(said.at(-1)).toBe('There is nothing to change places with.');
});
