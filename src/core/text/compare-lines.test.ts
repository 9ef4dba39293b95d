import { expect, it } from 'vitest';
import { compareLines } from './compare-lines.ts';

const MARKS = { same: ' ', removed: '-', added: '+' } as const;
const compare = (before: string, after: string) =>
  compareLines(before, after)
    .map(({ kind, text }) => MARKS[kind] + text)
    .join('|');

it.each([
  ['a\nb\nc', 'a\nb\nc', ' a| b| c'],
  ['a\nb\nc', 'a\nx\nc', ' a|-b|+x| c'],
  ['a\nb\nc\nd', 'a\nc\nd\ne', ' a|-b| c| d|+e'],
  ['', 'a', '-|+a'],
  ['a\na\na', 'a\na', ' a| a|-a'],
])('compares %j with %j', (before, after, wanted) => {
  expect(compare(before, after)).toBe(wanted);
});

it('shows a part that is too large to compare as replaced', () => {
  const build = (name: string) => Array.from({ length: 1_100 }, (_, index) => `${name} ${index}`).join('\n');
  const lines = compareLines(`first\n${build('a')}`, `first\n${build('b')}`);
  expect([lines.length, lines[0]?.kind, lines[1]?.kind, lines.at(-1)?.kind]).toEqual([
    2_201,
    'same',
    'removed',
    'added',
  ]);
});
