import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { history, undo } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import { EditorState, type Transaction } from 'prosemirror-state';
import { expect, it } from 'vitest';
import { IS_FULL_LENGTH } from '../../test/support/cases.ts';
import { createChance } from '../../test/support/chance.ts';
import { MarkdownText } from './codec.ts';
import { schema } from './desk/schema.ts';
import { mergeTexts } from './merge.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const { nodes, marks } = schema;

interface Sample {
  readonly file: string;
  readonly text: string;
}

const readSamples = (pattern: string, most: number): readonly Sample[] => {
  const files = globSync(pattern, { cwd: ROOT }).toSorted();
  const step = Math.max(1, Math.floor(files.length / most));
  return files
    .filter((_, index) => index % step === 0)
    .slice(0, most)
    .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));
};

const SHIPPED = readSamples('content/articles/*.md', 1_000).map(({ file, text }) => ({
  file,
  text: text.replace(/^---\n[\s\S]*?\n---\n/, ''),
}));
/** Texts that others wrote: what packages say of themselves. */
const readForeign = (most: number) =>
  readSamples('node_modules/**/*.md', most).filter(({ text }) => text.length < 150_000);
const FOREIGN = readForeign(IS_FULL_LENGTH ? 400 : 40);
/** Texts with what few writers use. */
const ODD: readonly string[] = [
  '',
  '\n',
  '\n\n\nWords.',
  '\uFEFF# Title\n\nWords.\n',
  'One.\r\n\r\nTwo\r\nlines.\r\n',
  'One.\n\nTwo.\r\n\r\nThree.\rFour.\r\n',
  'Words without a break at the end',
  'Title\n===\nWords\nSub\n---\n',
  '```js\nunclosed\n\n\n',
  '~~~~ info `x`\ncode\n~~~~\n',
  '    indented\n\n    code\n',
  '- [x] done\n- [ ] open\n\n* one\n* two\n+ three\n',
  '1) one\n2) two\n\n3. three\n',
  '1. one\n1. one\n1. one\n',
  '- loose\n\n- list\n\n  with a paragraph\n\n      and code\n',
  '-   wide\n    - nested\n\n    1. mixed\n',
  '> quote\nlazy\n> > nested\n\n> [!NOTE]\n> A note.\n',
  '| a | b |\n|:--|--:|\n| `x\\|y` | 2 \\| 3 |\n| 1 |\n',
  'a | b\n- | -\n1 | 2\n',
  '[a][b] [b] [c](<x y> "t") <https://x.org> https://y.org a@b.org\n\n[b]: https://z.org "title"\n',
  '[a\nb](x\n"t") ![c\nd](e.png)\n',
  '![](../images/x.png)<!-- decoration -->\n\n![words](x.png "t")\n',
  '__bold__ _it_ *a**b**c* ***both*** ~~no~~ `` `x` `` \\* &amp; &copy; &#8212; &sect;\n',
  'Two spaces  \nbreak\\\nbreak<br>html <b>x</b>\n',
  '<div>\n\n*x*\n\n</div>\n\n<!-- note -->\n',
  '{{product-box product="kit"}}\n\nIt costs {product:kit.price} [^1].\n\n{{ nothing\n',
  'هذا نص\n\n- عنصر **غامق**\n',
  'a\u00a0b\tc\u2028d\n\n\u00a0\n',
  '* * *\n\n***\n___\n- - -\n',
  '#\n\n## \n\n### x ###\n\n####### seven\n',
  '-\n- a\n-\n\n1.\n\n>\n',
  'a\n\n\n\n\n\nb\n \n\t\nc\n',
];

const open = (text: string) => {
  const file = new MarkdownText();
  return {
    file,
    state: EditorState.create({
      doc: file.open(text),
      plugins: [history({ newGroupDelay: 0, depth: 2_000 })],
    }),
  };
};

/** Where the blocks of a document begin. */
const listStarts = (doc: Node) => {
  const starts: number[] = [];
  doc.forEach((_, at) => {
    starts.push(at);
  });
  return starts;
};

/** The first words of a block, and where they begin in the document. */
function findWords(doc: Node, start: number) {
  const block = doc.nodeAt(start);
  let found: { readonly at: number; readonly text: string; readonly node: Node } | undefined;
  block?.descendants((node, at) => {
    if (found === undefined && node.isText && /\p{L}{3}/u.test(node.text ?? ''))
      found = { at: start + 1 + at, text: node.text ?? '', node };
    return found === undefined;
  });
  return found;
}

type Edit = (state: EditorState, start: number) => Transaction | null;

/** Does something to the first words of a block. */
const inWords =
  (act: (state: EditorState, from: number, to: number, node: Node) => Transaction): Edit =>
  (state, start) => {
    const found = findWords(state.doc, start);
    const word = /\p{L}{3,}/u.exec(found?.text ?? '');
    if (found === undefined || word === null) return null;
    const from = found.at + word.index;
    return act(state, from, from + word[0].length, found.node);
  };

const findInside = (state: EditorState, start: number, type: string) => {
  let found: { readonly at: number; readonly node: Node } | undefined;
  state.doc.nodeAt(start)?.descendants((node, at) => {
    if (node.type.name === type) found ??= { at: start + 1 + at, node };
    return found === undefined;
  });
  return found;
};

const EDITS: Readonly<Record<string, Edit>> = {
  letter: inWords((state, from) => state.tr.insertText('x', from + 2)),
  word: inWords((state, _, to) => state.tr.insertText(' added', to)),
  'deleted word': inWords((state, from, to) => state.tr.delete(from, to)),
  bold: (state, start) =>
    state.doc.nodeAt(start)?.type === nodes.fence
      ? null
      : inWords((own, from, to) => own.tr.addMark(from, to, marks.bold.create()))(state, start),
  row: (state, start) => {
    const found = findInside(state, start, 'row');
    if (found === undefined) return null;
    const cells = found.node.children.map(({ attrs }) => nodes.cell.create(attrs, schema.text('new')));
    return state.tr.insert(found.at + found.node.nodeSize, nodes.row.create(null, cells));
  },
  column: (state, start) => {
    const { tr } = state;
    const table = state.doc.nodeAt(start);
    if (table?.type !== nodes.table) return null;
    table.forEach((row, at) => {
      const cell = row.firstChild?.type === nodes.head ? nodes.head : nodes.cell;
      tr.insert(tr.mapping.map(start + 1 + at + row.nodeSize - 1), cell.create(null, schema.text('new')));
    });
    return tr;
  },
  item: (state, start) => {
    const found = findInside(state, start, 'item');
    const item = nodes.item.create(found?.node.attrs, nodes.paragraph.create(null, schema.text('new item')));
    return found === undefined ? null : state.tr.insert(found.at + found.node.nodeSize, item);
  },
  split: inWords((state, from) => {
    const { parent, depth } = state.doc.resolve(from);
    if (parent.type !== nodes.paragraph) return state.tr;
    return state.tr.split(from + 1, state.doc.resolve(from).node(depth - 1).type === nodes.item ? 2 : 1);
  }),
};

/** What is done to whole blocks; they are other blocks afterwards, and the rest keeps its bytes. */
const MOVES: Readonly<Record<string, (state: EditorState, start: number) => Transaction | null>> = {
  deleted: (state, start) => {
    const block = state.doc.nodeAt(start);
    return block === null || state.doc.childCount < 2 ? null : state.tr.delete(start, start + block.nodeSize);
  },
  moved: (state, start) => {
    const block = state.doc.nodeAt(start);
    const next = state.doc.nodeAt(start + (block?.nodeSize ?? 0));
    if (block === null || next === null) return null;
    return state.tr.delete(start, start + block.nodeSize).insert(start + next.nodeSize, block);
  },
  copied: (state, start) => {
    const block = state.doc.nodeAt(start);
    return block === null ? null : state.tr.insert(state.doc.content.size, block);
  },
};

interface Count {
  done: number;
  readonly failed: string[];
}

/** Does all of `acts` to blocks of texts, and asks what is wrong with what is written then; null: nothing. */
function countEdits(
  samples: readonly Sample[],
  most: number,
  acts: typeof EDITS,
  check: (made: Made) => string | null,
) {
  const counts: Record<string, Count> = Object.fromEntries(
    Object.keys(acts).map((name) => [name, { done: 0, failed: [] }]),
  );
  for (const { file: name, text } of samples) {
    const { file, state } = open(text);
    const starts = listStarts(state.doc);
    const step = Math.max(1, Math.ceil(starts.length / most));
    const places = file.place(state.doc);
    for (const [index, start] of starts.entries()) {
      if (index % step !== 0) continue;
      const { from, to } = places[index] ?? { from: 0, to: 0 };
      for (const [edit, act] of Object.entries(acts)) {
        const changed = act(state, start);
        const count = counts[edit];
        if (!changed?.docChanged || count === undefined) continue;
        const { doc } = state.apply(changed);
        const written = file.write(doc);
        const wrong = check({ edit, text, from, to, written, file, before: state.doc, doc, index });
        count.done += 1;
        if (wrong !== null) count.failed.push(`${name}, ${edit}, ${wrong}: ${text.slice(from, to)}`);
      }
    }
  }
  if (IS_FULL_LENGTH)
    console.log(
      Object.entries(counts).map(([edit, { done, failed }]) => `${edit} ${done - failed.length} of ${done}`),
    );
  return counts;
}

interface Made {
  readonly edit: string;
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly written: string | null;
  readonly file: MarkdownText;
  readonly before: Node;
  readonly doc: Node;
  readonly index: number;
}

const readWords = (doc: Node) =>
  doc
    .textBetween(0, doc.content.size, ' ', ({ attrs }) => attrs['raw'] ?? attrs['alt'] ?? ' ')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function checkEdit({ edit, text, from, to, written, doc }: Made): string | null {
  if (written === null) return 'not written';
  const isEmptied = edit === 'deleted word' && /^\S+$/.test(text.slice(from, to).trim());
  if (!isEmptied && !(written.startsWith(text.slice(0, from)) && written.endsWith(text.slice(to))))
    return 'bytes outside';
  // The address of a link that was its own text, or its own reference, stays beside the text.
  const hasAddress = /https?:|@|\[[^\]]*\](?:\[\]|(?![([:]))/.test(text.slice(from, to));
  if (edit === 'letter' && !hasAddress && written.length !== text.length + 1) return 'more than a letter';
  return readWords(doc).join() === readWords(new MarkdownText().open(written)).join() ? null : 'other words';
}

/** Whether two lists of one kind touch: they become one. */
const touches = (doc: Node) =>
  doc.children.some(
    (one, index) =>
      ['list', 'numbers'].includes(one.type.name) && one.type === doc.maybeChild(index + 1)?.type,
  );

function checkMove({ text, written, file, before, doc, index }: Made): string | null {
  const hasDefinition = /^ {0,3}\[[^\]]+\]:/m.test(before.child(index).attrs['raw'] ?? '');
  if (touches(doc) || hasDefinition) return written === null ? 'not written' : null;
  if (written === null) return 'not written';
  const { file: opened, state } = open(text);
  const bytes = new Map(opened.place(state.doc).map(({ from, to }, key) => [key, text.slice(from, to)]));
  const moved = before.child(index);
  // Code that is indented would go on a list.
  const isIndented = (source = '') => /^(?: {4}|\t)/.test(source);
  const kept = file
    .place(doc)
    .every(
      ({ from, to }, at) =>
        doc.child(at).attrs['key'] === moved.attrs['key'] ||
        isIndented(bytes.get(doc.child(at).attrs['key'])) ||
        bytes.get(doc.child(at).attrs['key']) === written.slice(from, to),
    );
  return kept ? null : 'bytes of another block';
}

/** How many blocks of a text are edited. */
const SOME = 2;
const ODD_SAMPLES = ODD.map((text) => ({ file: JSON.stringify(text), text }));
const expectKept = (counts: ReturnType<typeof countEdits>) =>
  expect(Object.values(counts).flatMap(({ failed }) => failed)).toEqual([]);

it('texts of every kind are opened with their words and written byte for byte', () => {
  const samples = [...SHIPPED, ...FOREIGN, ...ODD_SAMPLES];
  const failed = samples.filter(({ text }) => {
    const { file, state } = open(text);
    state.doc.check();
    const isShown = readWords(state.doc).length > 0 || !/[\p{L}\p{N}]/u.test(text);
    return file.write(state.doc) !== text || !isShown;
  });
  expect(failed.map(({ file }) => file)).toEqual([]);
});

it('an edit of a shipped article changes no byte outside of its block, and a letter is one letter', () =>
  expectKept(countEdits(SHIPPED, SOME, EDITS, checkEdit)));

it('an edit of a text by somebody else changes no byte outside of its block', () =>
  expectKept(countEdits([...FOREIGN, ...ODD_SAMPLES], SOME, EDITS, checkEdit)));

it('a block that is deleted, moved or copied changes no byte of another one', () =>
  expectKept(countEdits([...SHIPPED, ...FOREIGN], SOME, MOVES, checkMove)));

it('every edit of every block of every shipped article keeps the rest', { tags: ['rest'] }, () => {
  expectKept(countEdits(SHIPPED, 1_000, EDITS, checkEdit));
  expectKept(countEdits(SHIPPED, 1_000, MOVES, checkMove));
});

it('edits of 400 texts by others keep the rest', { tags: ['rest'] }, () => {
  const counts = countEdits(readForeign(400), IS_FULL_LENGTH ? 8 : 2, EDITS, checkEdit);
  // Bold that ends beside a letter and a mark, as in `code`s, cannot be said in Markdown: the desk says so.
  const failed = Object.values(counts).flatMap((count) => count.failed);
  expect(failed.filter((line) => !line.includes('bold, not written'))).toEqual([]);
});

it('a row leaves all others as they are', () => {
  const text = '| a    | b |\n|:-----|--:|\n| 1    | 2 |\n| 3    | 4 |\n';
  const { file, state } = open(text);
  const changed = EDITS['row']?.(state, 0);
  const written = file.write(changed?.doc ?? state.doc);
  expect(written).toBe('| a    | b |\n|:-----|--:|\n| new | new |\n| 1    | 2 |\n| 3    | 4 |\n');
});

it('a column adds one cell to each row, and its removal takes it away', () => {
  const text = 'Before.\n\n| a    | b |\n|:-----|--:|\n| 1    | 2 |\n| __3__ | 4 |\n';
  const { file, state } = open(text);
  const start = listStarts(state.doc)[1] ?? 0;
  const changed = state.apply(EDITS['column']?.(state, start) ?? state.tr);
  const written = file.write(changed.doc);
  expect(written?.split('\n').map((line) => line.split('|').length)).toEqual([1, 1, 5, 5, 5, 5, 1]);
  expect(written).toContain('__3__');
  const { tr } = changed;
  changed.doc.nodeAt(start)?.forEach((row, at) => {
    const end = tr.mapping.map(start + 1 + at + row.nodeSize - 1);
    tr.delete(end - (row.lastChild?.nodeSize ?? 0), end);
  });
  expect(file.write(tr.doc)).toBe(text);
});

it('hundreds of random edits that are all undone leave the first text', () => {
  const chance = createChance(76);
  const acts = Object.values({ ...EDITS, ...MOVES });
  const pick = <Value>(list: readonly Value[]) => list[Math.floor(chance() * list.length)];
  let count = 0;
  for (const { text } of [...SHIPPED, ...FOREIGN].slice(0, IS_FULL_LENGTH ? 125 : 6)) {
    let { file, state } = open(text);
    for (let turn = 0; turn < (IS_FULL_LENGTH ? 2_000 : 100); turn += 1) {
      const changed = pick(acts)?.(state, pick(listStarts(state.doc)) ?? 0);
      if (!changed?.docChanged) continue;
      state = state.apply(changed);
      count += 1;
    }
    while (
      undo(state, (back) => {
        state = state.apply(back);
      })
    );
    expect(file.write(state.doc)).toBe(text);
  }
  expect(count).toBeGreaterThan(IS_FULL_LENGTH ? 100_000 : 200);
  if (IS_FULL_LENGTH) console.log(`${count} edits undone`);
});

it('changes of two tabs in different blocks are joined, and those of one word are not', () => {
  let [joined, shown] = [0, 0];
  for (const { text } of SHIPPED.slice(0, IS_FULL_LENGTH ? 25 : 6)) {
    const { file, state } = open(text);
    const starts = listStarts(state.doc).filter((start) => findWords(state.doc, start) !== undefined);
    for (const [index, start] of starts.slice(0, IS_FULL_LENGTH ? 100 : 6).entries()) {
      const mine = EDITS['word']?.(state, start);
      const other = starts[(index + 3) % starts.length] ?? 0;
      const theirs = EDITS['letter']?.(state, other);
      if (!mine?.docChanged || !theirs?.docChanged || other === start) continue;
      const both = EDITS['word']?.(state.apply(theirs), theirs.mapping.map(start));
      const [one, two, all] = [mine.doc, theirs.doc, both?.doc ?? state.doc].map(
        (doc) => file.write(doc) ?? '',
      );
      expect(mergeTexts(text, two ?? '', one ?? '', 'none')).toBe(all);
      joined += 1;
      const same = EDITS['letter']?.(state, start);
      const gone = EDITS['deleted word']?.(state, start);
      if (!same?.docChanged || !gone?.docChanged) continue;
      expect(mergeTexts(text, file.write(same.doc) ?? '', file.write(gone.doc) ?? '', 'none')).toBeNull();
      shown += 1;
    }
  }
  expect(Math.min(joined, shown)).toBeGreaterThan(10);
  if (IS_FULL_LENGTH) console.log(`joined ${joined}, shown ${shown}`);
});
