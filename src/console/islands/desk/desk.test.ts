import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isolateHistory, redo, undo } from '@codemirror/commands';
import {
  EditorSelection,
  EditorState,
  type StateCommand,
  Text,
  type TransactionSpec,
} from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IS_FULL_LENGTH } from '../../../../test/support/cases.ts';
import { forAll } from '../../../../test/support/for-all.ts';
import { planForm, restoreBreaks } from '../../../content-files/edit/plan-form.ts';
import { addColumn, addRow, fillCells, removeColumn, removeRow } from './edit-table.ts';
import { FORMATS, planTyped, typedMark } from './formats.ts';
import { duplicatePart, movePart, removePart } from './insert-menu.ts';
import { liveText } from './live-text.ts';
import { buildPastedTable } from './paste.ts';
import { buildBlockChange } from './pictures.ts';
import { siteMarkdown } from './site-markdown.ts';
import { deskHistory, insertBlock, isGap, PARAGRAPH_COMMANDS } from './write-keys.ts';

/** The text with `|` where the cursor is, or around what is selected. */
function open(marked: string): EditorState {
  const [before = '', selected = '', after] = marked.split('|');
  const doc = before + selected + (after ?? '');
  const end = after === undefined ? before.length : before.length + selected.length;
  return EditorState.create({
    doc: after === undefined ? before + selected : doc,
    selection: EditorSelection.range(before.length, end),
    extensions: [siteMarkdown, deskHistory, typedMark],
  });
}

function run(state: EditorState, command: StateCommand): EditorState {
  let next = state;
  command({
    state,
    dispatch: (transaction) => {
      next = transaction.state;
    },
  });
  return next;
}

/** The cursor is at a bar that is alone on its line, or at one of the ends. */
const findCursor = (text: string) => (/^\|[{#]/.test(text) ? 0 : text.search(/(?<=^|\n|\}\})\|(?=\n|$)/));

const show = (state: EditorState) => {
  const { from, to } = state.selection.main;
  const text = state.doc.toString();
  const cursor = from === to ? '|' : `|${text.slice(from, to)}|`;
  return text.slice(0, from) + cursor + text.slice(to);
};

it.each([
  ['{{product-box product="kit"}}|', '{{product-box product="kit"}}\n\nx|'],
  ['|{{product-box product="kit"}}', 'x|\n\n{{product-box product="kit"}}'],
  ['one\n|\ntwo', 'one\n\nx|\n\ntwo'],
  ['![a](../images/a.png)\n|\n| A |\n| --- |\n', '![a](../images/a.png)\n\nx|\n\n| A |\n| --- |\n'],
  ['one\\\n|', 'one\\\nx|'],
  ['```\na\n|\nb\n```', '```\na\nx|\nb\n```'],
  ['one\n\n|', 'one\n\nx|'],
  ['|## one', '## x|one'],
])('what is typed next to a block or between two paragraphs is a paragraph of its own: %s', (from, to) => {
  const at = findCursor(from);
  const doc = from.slice(0, at) + from.slice(at + 1);
  const state = EditorState.create({ doc, selection: { anchor: at }, extensions: [siteMarkdown, liveText] });
  const typed = state.update({ ...state.replaceSelection('x'), userEvent: 'input.type' }).state;
  expect(show(typed)).toBe(to);
});

it.each([
  ['elsewhere', undefined],
  ['elsewhere, and a cursor for the text', 0],
  ['at the cursor', undefined],
])('a change by a control of a block %s is no paragraph of the text', (place, anchor) => {
  const doc = 'one\n\n![](../images/a.png)';
  const at = doc.indexOf(']');
  const cursor = { anchor: place === 'at the cursor' ? at : 0 };
  const state = EditorState.create({ doc, selection: cursor, extensions: [siteMarkdown, liveText] });
  const selection = anchor === undefined ? {} : { selection: { anchor } };
  const change = { changes: { from: at, insert: 'x' }, userEvent: 'input.type', ...selection };
  expect(state.update(change).state.doc.toString()).toBe('one\n\n![x](../images/a.png)');
});

it.each([
  ['adds a row below', addRow, '| A | B |\n| - | - |\n| 1 | 2 |\n|  |  |\n| 3 | 4 |'],
  ['removes the row', removeRow, '| A | B |\n| - | - |\n| 3 | 4 |'],
  ['adds a column behind', addColumn, '| A |  | B |\n| - | --- | - |\n| 1 |  | 2 |\n| 3 |  | 4 |'],
  ['removes the column', removeColumn, '| B |\n| - |\n| 2 |\n| 4 |'],
  [
    'fills cells, and adds the rows that are missing',
    (view: EditorView, at: number, place: { row: number; column: number }) =>
      fillCells(view, at, place, [['x', 'y|'], ['z'], ['u', 'v']]),
    '| A | B |\n| - | - |\n| x | y\\| |\n| z | 4 |\n| u | v |',
  ],
])('a table %s of a cell', async (_, edit, after) => {
  const doc = '| A | B |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |';
  let state = EditorState.create({ doc, extensions: [siteMarkdown] });
  const view = {
    dispatch: (spec: TransactionSpec) => {
      state = state.update(spec).state;
    },
    get state() {
      return state;
    },
  };
  edit(view as EditorView, 0, { row: 1, column: 0 });
  await Promise.resolve();
  expect(state.doc.toString()).toBe(after);
});

it.each([
  ['It saves |', 'It saves **a day** each month|'],
  ['It saves|', 'It saves**a day** each month|'],
  ['It **saves**| ', 'It **savesa day** each month| '],
])('what is typed between two uses of Ctrl B is bold and nothing is lost: %s', (from, to) => {
  let state = run(open(from), FORMATS.bold);
  const type = (text: string) => {
    for (const letter of text) {
      const { head } = state.selection.main;
      const plain = { changes: { from: head, insert: letter }, selection: { anchor: head + 1 } };
      state = state.update(planTyped(state, head, head, letter) ?? plain).state;
    }
  };
  type('a day');
  state = run(state, FORMATS.bold);
  type(' each month');
  expect(show(state)).toBe(to);
});

it.each([
  ['bold', 'a |word| b', 'a **|word|** b'],
  ['bold', 'a wo|rd b', 'a **wo|rd** b'],
  ['bold', '- a |one\n- two |b', '- a **|one**\n- **two|** b'],
  ['bold', '- a **|one**\n- **two|** b', '- a |one\n- two| b'],
  ['bold', 'a **word|** b', 'a **word**| b'],
  ['bold', 'a **wo|rd** b', 'a wo|rd b'],
  ['italic', 'a | word |b', 'a *| word |*b'.replace('*| word |*', ' *|word|* ')],
  ['code', 'a |x = 1| b', 'a `|x = 1|` b'],
  ['heading', 'A ti|tle', '## A ti|tle'],
  ['heading', '## A ti|tle', 'A ti|tle'],
  ['subheading', '## A ti|tle', '### A ti|tle'],
  ['list', '|One\nTwo|', '- |One\n- Two|'],
  ['numbers', '- |One\n- Two|', '1. |One\n2. Two|'],
  ['quote', 'Wo|rds', '> Wo|rds'],
] as const)('%s makes %j to %j', (name, before, after) =>
  expect(show(run(open(before), FORMATS[name]))).toBe(after),
);

it.each([
  ['a paragraph', 'One|Two', 'One\n\n|Two'],
  ['the next item', '- One|', '- One\n- |'],
  ['the next number', '1. One|', '1. One\n2. |'],
  ['the end of a list', '- One\n- |', '- One\n|'],
  ['a paragraph below a heading', '## One|', '## One\n\n|'],
  ['two bold paragraphs', 'a **b|c** d', 'a **b**\n\n**|c** d'],
  ['a paragraph after bold words', 'a **b|**', 'a **b**\n\n|'],
  ['a paragraph before bold words', 'a **|b**', 'a \n\n|**b**'],
  ['two items with a link', '- [b|c](/d)', '- [b](/d)\n- [|c](/d)'],
  ['no second empty paragraph', 'One\n\n|', 'One\n\n|'],
])('Enter makes %s', (_, before, after) =>
  expect(show(run(open(before), PARAGRAPH_COMMANDS.enter))).toBe(after),
);

it.each([
  ['makes a heading a paragraph', '## |One', '|One'],
  ['makes an item a paragraph below the list', '- One\n- |Two', '- One\n\n|Two'],
  ['joins two paragraphs', 'One\n\n|Two', 'One|Two'],
  [
    'does not join text with a product box',
    '{{product-box product="kit"}}\n\n|Two',
    '{{product-box product="kit"}}\n\n|Two',
  ],
])('Backspace %s', (_, before, after) =>
  expect(show(run(open(before), PARAGRAPH_COMMANDS.backspace))).toBe(after),
);

it.each([
  ['joins two paragraphs', 'One|\n\nTwo', 'One|Two'],
  ['joins a paragraph with a heading', 'One|\n\n## Two', 'One|Two'],
  ['joins two items', '- One|\n- Two', '- One|Two'],
  ['does not join text with a product box', 'One|\n\n{{roundup}}', 'One|\n\n{{roundup}}'],
  ['removes an empty paragraph above a product box', 'One\n\n|\n\n{{roundup}}', 'One\n\n|{{roundup}}'],
])('Delete %s', (_, before, after) => expect(show(run(open(before), PARAGRAPH_COMMANDS.delete))).toBe(after));

it.each([
  ['a block above its neighbor', 'One\n\nT|wo', -1, 'T|wo\n\nOne'],
  ['a block from the blank line below it', 'One\n\nTwo\n\n|', -1, 'Two|\n\nOne\n\n'],
  ['a heading with all below it', '## A\n\na|a\n\n## B\n\nbb', 1, '## A\n\naa\n\n## B\n\nbb'],
  [
    'a heading with all below it',
    '## |A\n\naa\n\n## B\n\nbb\n\n### C',
    1,
    '## B\n\nbb\n\n### C\n\n## |A\n\naa',
  ],
] as const)('Alt and an arrow moves %s', (name, before, step, after) => {
  const moved = show(run(open(before), movePart(step)));
  // A paragraph of a section changes places with the heading below it.
  expect(moved).toBe(
    name === 'a heading with all below it' && before.includes('a|a') ? '## A\n\n## B\n\na|a\n\nbb' : after,
  );
});

it.each([
  ['a paragraph', duplicatePart, 'One\n\nT|wo\n\nThree', 'One\n\nTwo\n\nT|wo\n\nThree'],
  ['a block at the end', duplicatePart, 'a\n\n{{roundup}}|', 'a\n\n{{roundup}}\n\n{{roundup}}|'],
  ['a heading with its text', duplicatePart, '## |A\n\na\n\n## B', '## A\n\na\n\n## |A\n\na\n\n## B'],
  ['nothing of an empty text', duplicatePart, '|', '|'],
  ['a block that is indented', removePart, 'a\n\n|  {{roundup}}\n\nb', 'a\n\n|b'],
  ['a block and the space below it', removePart, 'a\n\n|{{roundup}}\n\nb', 'a\n\n|b'],
])('one step duplicates or removes %s, and one undo takes it back', (_, command, before, after) => {
  const state = run(open(before), command);
  expect(show(state)).toBe(after);
  expect(run(state, undo).doc.eq(open(before).doc)).toBe(true);
});

it.each([
  ['One|', 'One\n\n#\n\n|'],
  ['One\n\n|', 'One\n\n#\n\n|'],
  ['One|\n\nTwo', 'One\n\n#\n\n|Two'],
  ['One|\nTwo', 'One\n\n#\n\n|Two'],
  ['', '#\n\n|'],
])('a block put into %j has a blank line below it, where the next words go', (before, after) => {
  let state = open(before);
  const view = {
    get state() {
      return state;
    },
    dispatch(spec: TransactionSpec) {
      state = state.update(spec).state;
    },
    focus: () => undefined,
  };
  insertBlock(view as EditorView, '#');
  expect(show(state)).toBe(after);
});

it('every second blank line is the space between paragraphs', () => {
  const doc = Text.of(['One', '', '', '', 'Two', '', 'Three', '']);
  expect([1, 2, 3, 4, 5, 6, 7, 8].filter((number) => isGap(doc, number))).toEqual([2, 4, 6]);
});

const ARTICLES = path.resolve(import.meta.dirname, '../../../../content/articles');
const texts = readdirSync(ARTICLES).map((name) => readFileSync(path.join(ARTICLES, name), 'utf8'));
const HEAD = '---\ntitle: A\n---\n\n';
/** Bodies as other people and programs write them. */
const ODD = [
  '',
  'No break at the end',
  '\n\n\nOne.\n\n\n\n\nTwo.\n\n\n',
  'One.  \n\tTwo.\t \n \nThree.\\\nFour.   ',
  `${'word '.repeat(400)}\n`,
  '* one\n+ two\n\n__bold__ and ***both***\n\nTitle\n===\n\nOther\n---\n\n---\n***\n\n---\ntitle: B\n---\n',
  '- a\n  - b\n\n    1. c\n    1. d\n\n      e\n* [ ] f\n\n\n- g\n',
  '1) a\n2) b\n10. c\n\n   d\n',
  '> a\n> > b\nlazy\n\n> [!tip] c\n',
  '```js\na\n\n## b\n',
  '~~~\n```\n\n    c\n',
  '    code\n\n\tmore\n\n  text\n',
  'One.\n```\n{{product-box product="kit"}}\n```',
  '{{product-box product="kit"\n\n{{}} }} {{roundup}}\n{{ picks-table }}\n',
  '{product:kit.price} {product: {a} [^1] [^x\n\n[^1]: Note\n',
  '<div>\n\n*x*\n\n</div>\n<!-- a\n\nb -->\n<br/>&nbsp;&lt;\n',
  '![a](<b c.png> "t")\n![](d.png)<!-- decoration -->\n![e\n',
  '| a | b |\n|---|:-:|\n| 1 \\| 2 | {product:kit} |\n',
  '|a\n|-\n|b|c|d\n||\n\n| e |\n',
  'a | b\n- | -\n`c|d` | \\\\| e\nnot\n',
  '[a][b] [c] [d](<e f> "g")\n\n[b]: /b\n[C]: <> "h\n',
  '**a *b** c*d_e_f ~~g ``h`i`` \\*j\\* \\\n',
  'é é 👩‍👩‍👧 🏳️‍🌈 ﷽ \u200B\u00A0\u2028x\u0085y\n',
  'שלום (עולם) \u202Eabc\u202C **ab אב**\n\nمرحبا\n',
  'a\x01b\x0Bc\x0Cd\x1B[0m\x7F\uFFFDe\n',
  'One.\n\nTwo.  \n\tThree.\r\rFour.\n\rFive.',
  'One.\r\n\nTwo.\n\r\n\r\nThree.\n- a\r\n- b\n\n| a |\r\n|---|\n| b |\r\n',
].map((body) => HEAD + body);
const toCrlf = (file: string) => file.replaceAll('\n', '\r\n');
const OTHERS = [
  ...ODD,
  `\uFEFF${HEAD}One.\n`,
  `\uFEFF${toCrlf(HEAD)}\r\nOne.\n\nTwo.\r\n`,
  ...[5, 6, 16].map((at) => toCrlf(ODD[at] ?? '')),
  '---\n# first\ntitle: "A: \\"b\\"\n\n  c"   # why\nbase: &x {a: 1}\nlist: [*x, \'it\'\'s\']\ntext: >-\n  a\n\n  ---\n--- \nOne.',
];

const PARTS = [movePart(1), movePart(-1), duplicatePart, removePart];
const COMMANDS = [...Object.values(FORMATS), ...Object.values(PARAGRAPH_COMMANDS), ...PARTS];
const TABLE = [addRow, addColumn, removeRow, removeColumn];
const PASTED = [
  'Name\tPrice\nOne\t$5',
  '## Copied\n\nSome **bold** words.',
  '- one\n- two',
  'a\r\nb',
  'é🙂\\|',
];
const step = fc.record({
  kind: fc.constantFrom(
    'type',
    'type',
    'delete',
    'drag',
    'paste',
    'block',
    'table',
    'command',
    'undo',
    'redo',
  ),
  at: fc.nat(),
  length: fc.nat(12),
  to: fc.nat(),
  text: fc.constantFrom(
    'a',
    ' ',
    '\n',
    '**',
    '# ',
    '- ',
    '|',
    '{{',
    'é🙂',
    '\t',
    '\u200D',
    'א',
    '```',
    '---',
  ),
});
type Step = Readonly<typeof step extends fc.Arbitrary<infer T> ? T : never>;
const STEPS = 40;

/** A step as what it replaces in a plain text; null: a command of the editor, which says what it changes. */
function planStep({ kind, at, length, to, text }: Step, state: EditorState) {
  const from = at % (state.doc.length + 1);
  const end = Math.min(state.doc.length, from + length);
  if (kind === 'type') return [{ from, to: end, insert: text }];
  if (kind === 'delete') return [{ from, to: end, insert: '' }];
  if (kind === 'paste') {
    const plain = PASTED[to % PASTED.length] ?? '';
    return [{ from, to: end, insert: (buildPastedTable(plain) ?? plain).replaceAll('\r\n', '\n') }];
  }
  if (kind === 'block') return [buildBlockChange(state, from, '{{product-box product="kit"}}')];
  if (kind !== 'drag') return null;
  const place = to % (state.doc.length + 1);
  if (place > from && place < end) return [];
  const moved = { from: place, to: place, insert: state.sliceDoc(from, end) };
  const cut = { from, to: end, insert: '' };
  return place <= from ? [moved, cut] : [cut, moved];
}

/** Lines that are in both texts, once in each, with their line breaks in both; breaks as they are where all are the same. */
function findLostBreaks(before: string, after: string): readonly string[] {
  const read = (text: string) =>
    Map.groupBy(text.matchAll(/([^\r\n]+)(\r\n|\r|\n)/g), ([, line = '']) => line);
  const now = read(after);
  return [...read(before)].flatMap(([line, found]) => {
    const others = now.get(line) ?? [];
    const isSame = found.length !== 1 || others.length !== 1 || found[0]?.[2] === others[0]?.[2];
    return isSame ? [] : [line];
  });
}

/** What a file has after its text was written: every byte around it, and each line break of the lines that stay. */
function expectSaved(file: string, [head, written, tail]: readonly string[], model: string): void {
  const saved = planForm('articles/a.md', { base: file, current: file }, { body: toCrlf(model) }, null);
  if ('problem' in saved) throw new Error(saved.problem);
  const { text } = saved;
  if (model === written?.replace(/\r\n?/g, '\n')) expect(text).toBe(file);
  const isOne = new Set(file.match(/\r\n?|\n/g)).size === 1;
  const body = isOne && file.includes('\r') ? toCrlf(model.trim()) : model.trim();
  const whole = head + body + tail;
  if (written === '' || body === '') expect(text.startsWith(head?.trimEnd() ?? '')).toBe(true);
  else if (isOne) expect(text).toBe(whole);
  else {
    const plain = (one: string) => one.replace(/\r\n?/g, '\n');
    expect([text.startsWith(head ?? ''), text.endsWith(tail ?? ''), plain(text)]).toEqual([
      true,
      true,
      plain(whole),
    ]);
    // The break after the last line is that of the file, whatever is written behind that line.
    const cut = (whole: string) => whole.slice(0, whole.length - (tail ?? '').length);
    expect(findLostBreaks(cut(file), cut(text))).toEqual([]);
  }
  // A browser sends it with breaks of its own, and what was kept of it the next time.
  expect(restoreBreaks(toCrlf(text.replace(/\r\n?/g, '\n')), text)).toBe(text);
}

it('the text is that of a plain model after any steps, the rest of the file is the same, and undo leads back', async () => {
  const anySteps = fc.array(step, { minLength: STEPS, maxLength: STEPS });
  await forAll(
    1,
    // Hundreds of steps take hours to shrink.
    [fc.constantFrom(...texts, ...OTHERS), IS_FULL_LENGTH ? fc.noShrink(anySteps) : anySteps],
    (file, steps) => {
      const parts =
        /^(\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n)\s*)([\s\S]*?)(\s*)$/.exec(file)?.slice(1) ?? [];
      const written = parts[1]?.replace(/\r\n?/g, '\n') ?? '';
      let state = EditorState.create({ doc: written, extensions: [siteMarkdown, deskHistory] });
      const [before, after]: [string[], string[]] = [[], []];
      let model = written;
      const apply = (spec: TransactionSpec, next?: string) => {
        const transaction = state.update({ ...spec, annotations: isolateHistory.of('full') });
        if (transaction.docChanged) {
          before.push(model);
          after.length = 0;
        }
        state = transaction.state;
        model = next ?? model;
        transaction.changes.iterChanges((fromA, toA, fromB, _, inserted) => {
          if (next === undefined)
            model = model.slice(0, fromB) + inserted.toString() + model.slice(fromB + (toA - fromA));
        });
      };
      const view = {
        dispatch: apply,
        focus: () => undefined,
        get state() {
          return state;
        },
      };
      for (const one of steps) {
        const planned = planStep(one, state);
        const at = one.at % (state.doc.length + 1);
        if (planned !== null) {
          const text = planned
            .toReversed()
            .reduce((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), model);
          apply({ changes: planned }, text);
        } else if (one.kind === 'undo' || one.kind === 'redo') {
          const [past, future] = one.kind === 'undo' ? [before, after] : [after, before];
          const last = past.pop();
          if (last !== undefined) future.push(model);
          model = last ?? model;
          state = run(state, one.kind === 'undo' ? undo : redo);
        } else if (one.kind === 'table') TABLE[one.to % TABLE.length]?.(view as EditorView, at);
        else {
          const selection = EditorSelection.range(at, Math.min(state.doc.length, at + one.length));
          state = state.update({ selection }).state;
          COMMANDS[one.to % COMMANDS.length]?.({
            state,
            dispatch: ({ changes, selection: next }) => apply({ changes, ...(next && { selection: next }) }),
          });
        }
        expect(state.doc.toString()).toBe(model);
      }
      expectSaved(file, parts, model);
      for (const last of before.toReversed()) {
        state = run(state, undo);
        expect(state.doc.toString()).toBe(last);
      }
      expect(state.doc.toString()).toBe(written);
    },
  );
});
