import { expect, it } from 'vitest';
import { createMemoryConsole } from '../../../test/support/memory-stores.ts';
import { compareTexts, countChangedLines, type DifferenceLine, readHistory } from './history.ts';

const show = (line: DifferenceLine | null) =>
  line === null
    ? ''
    : `${line.number} ${line.parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')}`;
const compare = (before: string, after: string, file = '') =>
  compareTexts(file, before, after).map((row) =>
    row === null ? '…' : `${row.isChanged ? '*' : ' '}${show(row.before)} | ${show(row.after)}`,
  );

it.each([
  ['the same text', 'a\nb', 'a\nb', []],
  [
    'a replaced word',
    'a\nThe red fox\nc',
    'a\nThe blue fox\nc',
    [' 1 a | 1 a', '*2 The [red] fox | 2 The [blue] fox', ' 3 c | 3 c'],
  ],
  ['a removed line', 'a\nb\nc', 'a\nc', [' 1 a | 1 a', '*2 [b] | ', ' 3 c | 2 c']],
  ['an added line', 'a\nc', 'a\nb\nc', [' 1 a | 1 a', '* | 2 [b]', ' 2 c | 3 c']],
  ['lines without a common word', 'one', 'other words', ['*1 [one] | 1 [other words]']],
  ['a line break', 'a\r\nb', 'a\nb', ['*1 a[␍] | 1 a', ' 2 b | 2 b']],
  [
    'two places',
    '1\n2\n3\n4\n5\n6\n7\n8',
    '0\n2\n3\n4\n5\n6\n7\n9',
    ['*1 [1] | 1 [0]', ' 2 2 | 2 2', ' 3 3 | 3 3', '…', ' 6 6 | 6 6', ' 7 7 | 7 7', '*8 [8] | 8 [9]'],
  ],
])('compares texts with %s', (_, before, after, wanted) => {
  expect(compare(before, after)).toEqual(wanted);
});

it.each([
  [
    'pages/a.yaml',
    'seoTitle: A\n',
    'seoTitle: B\n',
    '*1 Title in search results: [A] | 1 Title in search results: [B]',
  ],
  [
    'articles/a.md',
    '---\nseoTitle: A\n---\nsrc: a',
    '---\nseoTitle: A\n---\nsrc: b',
    '*4 src: [a] | 4 src: [b]',
  ],
  [
    'pages/a.yaml',
    '- prose: |\n    src: a\n  src: a',
    '- prose: |\n    src: b\n  src: b',
    '*2     src: [a] | 2     src: [b]',
  ],
  ['pages/a.yaml', 'a: {src: a}', 'a: {src: b}', '*1 A: {Image: [a]} | 1 A: {Image: [b]}'],
  ['site.yaml', 'Title: a', 'title: a', '*1 [Title]: a | 1 [title]: a'],
])(
  'names the fields of %s as its form does, and leaves texts as they are: %j',
  (file, before, after, wanted) => expect(compare(before, after, file)).toContain(wanted),
);

it('a gap begins where the same lines begin', () => {
  expect(compare('1\n2\n3\n4\n5', '1\n2\n3\n4\n6')[0]).toBe('…');
});

it('compares texts of two megabytes that have nothing in common in bounded time, as replaced', {
  tags: ['rest'],
  timeout: 20_000,
}, () => {
  const build = (name: string) =>
    Array.from({ length: 60_000 }, (_, index) => `${name} ${index} `.repeat(2)).join('\n');
  expect(countChangedLines(`first\n${build('a')}`, `first\n${build('b')}`)).toEqual({
    added: 60_000,
    removed: 60_000,
  });
  const long = compareTexts('', 'x '.repeat(500_000), 'y '.repeat(500_000));
  expect(long).toHaveLength(1);
});

it('reads each version with its lines, and the difference of the two that are chosen', async () => {
  const { versions } = createMemoryConsole();
  const texts = ['a\nb\n', 'a\nb\nc\n', 'a\nc\nd\n'];
  for (const [index, text] of texts.entries())
    await versions.add('site.yaml', { text, hash: text, operator: 'Ada', savedAt: index });
  const read = (search: string) => readHistory(versions, 'site.yaml', new URLSearchParams(search));
  const { rows, compared } = await read('');
  expect(rows.map(({ number, changes }) => [number, changes])).toEqual([
    [3, { added: 1, removed: 1 }],
    [2, { added: 1, removed: 0 }],
    [1, null],
  ]);
  expect([compared?.from.number, compared?.to.number]).toEqual([2, 3]);
  const chosen = await read('older=3&newer=1');
  expect([chosen.compared?.from.number, chosen.compared?.to.number]).toEqual([3, 1]);
  expect((await read('older=9&newer=x')).compared?.from.number).toBe(2);
  expect((await readHistory(versions, 'other.yaml', new URLSearchParams())).compared).toBeNull();
});

it('has 25 versions on a page, the oldest of it with what it has changed', async () => {
  const { versions } = createMemoryConsole();
  for (let index = 0; index < 30; index += 1)
    await versions.add('site.yaml', {
      text: `${index}\n`,
      hash: String(index),
      operator: 'Ada',
      savedAt: index,
    });
  const read = (search: string) => readHistory(versions, 'site.yaml', new URLSearchParams(search));
  const { rows, pages } = await read('');
  expect([rows.length, pages, rows.at(-1)]).toMatchObject([
    25,
    2,
    { number: 6, changes: { added: 1, removed: 1 } },
  ]);
  const later = await read('p=2');
  expect(later.rows.map(({ number, changes }) => [number, changes === null])).toEqual([
    ...[5, 4, 3, 2].map((number) => [number, false]),
    [1, true],
  ]);
});
