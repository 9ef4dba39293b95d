import { expect, it } from 'vitest';
import { buildDayLabels, buildFlags, buildTicks } from './chart-shapes.ts';

const WEEKS = [
  { from: '2026-03-02', to: '2026-03-08' },
  { from: '2026-03-09', to: '2026-03-15' },
];
const getX = (index: number) => index * 100;

it('a flag is on the column that contains its day, with the number of its annotation', () => {
  const annotations = [
    { day: '2026-01-01', text: 'before the period' },
    { day: '2026-03-15', text: 'the last day of a column' },
  ];
  const shapes = buildFlags(annotations, WEEKS, { getX, dotY: 10, top: 20, bottom: 200 });
  expect(shapes).toHaveLength(3);
  expect(shapes).toContainEqual(expect.objectContaining({ kind: 'line', x1: 100, y1: 20, y2: 200 }));
  expect(shapes).toContainEqual(expect.objectContaining({ kind: 'text', text: '2', x: 100, y: 14 }));
});

it('flags that would lie on top of each other share their numbers', () => {
  const days = ['2026-03-02', '2026-03-03', '2026-03-09'].map((day) => ({ day, text: day }));
  const shapes = buildFlags(days, WEEKS, { getX: (index) => index * 100, dotY: 10, top: 20, bottom: 200 });
  const numbers = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []));
  expect(numbers).toEqual(['1–2', '3']);
  expect(shapes.filter(({ kind }) => kind === 'line')).toHaveLength(2);
});

it('labels of days leave out those that have no room', () => {
  const days = Array.from({ length: 10 }, () => WEEKS[0] ?? { from: '', to: '' });
  expect(buildDayLabels(days, { getX, y: 0, width: 780 })).toHaveLength(10);
  expect(buildDayLabels(days, { getX, y: 0, width: 390 })).toHaveLength(5);
});

it.each([
  [0, [0]],
  [1, [0, 1]],
  [199, [0, 50, 100, 150]],
  [330_000, [0, 100_000, 200_000, 300_000]],
  [56_500, [0, 20_000, 40_000]],
  [2_640, [0, 1_000, 2_000]],
  [1_000, [0, 500, 1_000]],
])('the steps of an axis to %i are %j', (max, ticks) => expect(buildTicks(max)).toEqual(ticks));
