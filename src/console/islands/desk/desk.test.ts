import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { history, undo } from '@codemirror/commands';
import {
  EditorSelection,
  EditorState,
  type StateCommand,
  Text,
  type TransactionSpec,
} from '@codemirror/state';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IS_FULL_LENGTH } from '../../../../test/support/cases.ts';
import { planForm } from '../../../content-files/edit/plan-form.ts';
import { siteMarkdown } from './site-markdown.ts';
import { FORMATS, isGap, movePart, PARAGRAPH_COMMANDS } from './write-keys.ts';

/** The text with `|` where the cursor is, or around what is selected. */
function open(marked: string): EditorState {
  const [before = '', selected = '', after] = marked.split('|');
  const doc = before + selected + (after ?? '');
  const end = after === undefined ? before.length : before.length + selected.length;
  return EditorState.create({
    doc: after === undefined ? before + selected : doc,
    selection: EditorSelection.range(before.length, end),
    extensions: [siteMarkdown, history()],
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

const show = (state: EditorState) => {
  const { from, to } = state.selection.main;
  const text = state.doc.toString();
  const cursor = from === to ? '|' : `|${text.slice(from, to)}|`;
  return text.slice(0, from) + cursor + text.slice(to);
};

it.each([
  ['bold', 'a |word| b', 'a **|word|** b'],
  ['bold', 'a wo|rd b', 'a **|word|** b'],
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
  ['no second empty paragraph', 'One\n\n|', 'One\n\n|'],
])('Enter makes %s', (_, before, after) =>
  expect(show(run(open(before), PARAGRAPH_COMMANDS.enter))).toBe(after),
);

it.each([
  ['makes a heading a paragraph', '## |One', '|One'],
  ['ends an item', '- One\n- |Two', '- One\n|Two'],
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

it('every second blank line is the space between paragraphs', () => {
  const doc = Text.of(['One', '', '', '', 'Two', '', 'Three', '']);
  expect([1, 2, 3, 4, 5, 6, 7, 8].filter((number) => isGap(doc, number))).toEqual([2, 4, 6]);
});

const ARTICLES = path.resolve(import.meta.dirname, '../../../../content/articles');
const texts = readdirSync(ARTICLES).map((name) => readFileSync(path.join(ARTICLES, name), 'utf8'));
const HEAD = '---\ntitle: A\n---\n\n';
const OTHERS = [
  `${HEAD}* one\n+ two\n\n__bold__ and ***both***\n\nTitle\n===\n`,
  `${HEAD.replaceAll('\n', '\r\n')}One.\r\n\r\nTwo.\r\n`,
  `${HEAD}One.\r\n\nTwo.\n\r\nThree.  \n\tFour.`,
  `${HEAD}<div>\n\n*x*\n\n</div>\n\n| a | b |\n|---|:-:|\n| 1 \\| 2 | {product:kit} |\n`,
];

const COMMANDS = [...Object.values(FORMATS), ...Object.values(PARAGRAPH_COMMANDS), movePart(1), movePart(-1)];
const step = fc.record({
  at: fc.nat(),
  length: fc.nat(12),
  kind: fc.nat(COMMANDS.length + 4),
  text: fc.constantFrom('a', ' ', '\n', '**', '# ', '- ', '|', '{{', 'é🙂'),
});
/** Steps in a run; the full length is 100,000. */
const RUNS = IS_FULL_LENGTH ? 2_000 : 100;

it('the text is that of a plain model after any edits, the rest of the file is the same, and undo leads back', () => {
  fc.assert(
    fc.property(fc.constantFrom(...texts, ...OTHERS), fc.array(step, { maxLength: 50 }), (file, steps) => {
      const [, head = '', body = ''] =
        /^(---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n)+)([\s\S]*)$/.exec(file) ?? [];
      const written = body.trim().replace(/\r\n?/g, '\n');
      let state = EditorState.create({
        doc: written,
        extensions: [siteMarkdown, history({ newGroupDelay: 0 })],
      });
      let model = written;
      const apply = (spec: TransactionSpec) => {
        const transaction = state.update(spec);
        transaction.changes.iterChanges((fromA, toA, fromB, _, inserted) => {
          model = model.slice(0, fromB) + inserted.toString() + model.slice(fromB + (toA - fromA));
        });
        state = transaction.state;
      };
      for (const { at, length, kind, text } of steps) {
        const from = at % (state.doc.length + 1);
        const to = Math.min(state.doc.length, from + length);
        const command = COMMANDS[kind];
        if (command === undefined)
          apply({ changes: { from, to, insert: kind % 2 === 0 ? text : '' }, userEvent: 'input' });
        else {
          state = state.update({ selection: EditorSelection.range(from, to) }).state;
          command({
            state,
            dispatch: (transaction) =>
              apply({ changes: transaction.changes, selection: transaction.selection }),
          });
        }
      }
      expect(state.doc.toString()).toBe(model);
      const saved = planForm('articles/a.md', { base: file, current: file }, { body: model }, null);
      if ('problem' in saved) throw new Error(saved.problem);
      if (model === written) expect(saved.text).toBe(file);
      expect(saved.text.startsWith(head.trimEnd())).toBe(true);
      expect(saved.text.replace(/\r\n?/g, '\n')).toContain(model.trim());
      for (let count = 0; count <= steps.length; count += 1) state = run(state, undo);
      expect(state.doc.toString()).toBe(written);
    }),
    { numRuns: RUNS },
  );
});
