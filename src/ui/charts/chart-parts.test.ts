import { expect, it } from 'vitest';
import { formatChartValue } from './chart-item.ts';
import { buildPieArcs, PIE_SHAPE } from './pie-ring.tsx';

it.each([
  [1_234_567, '$', '$1,234,567'],
  [56, '%', '56%'],
  [12.3456, '%', '12.3456%'],
  [1234.5678, '$', '$1,234.5678'],
] as const)('%d %s is shown as %s', (value, unit, text) => expect(formatChartValue(value, unit)).toBe(text));

it('draws rings with inner radius 60, outer radius 100 and gaps of 5 degrees', () =>
  expect(PIE_SHAPE).toEqual({ inner: 60, outer: 100, padding: 5 }));

it('starts a ring at the top and continues clockwise', () => {
  const [first] = buildPieArcs([1, 1], { inner: 60, outer: 100, padding: 0 });
  expect(first).toBe('M0 -100A100 100 0 0 1 0 100L0 60A60 60 0 0 0 0 -60Z');
});

it('marks an arc of more than half a ring as the large arc', () => {
  const [large, small] = buildPieArcs([73, 27], PIE_SHAPE);
  expect(large).toContain('A100 100 0 1 1');
  expect(small).toContain('A100 100 0 0 1');
});

it('leaves a gap after each sector of a ring', () => {
  const [first, second] = buildPieArcs([1, 1], { inner: 60, outer: 100, padding: 10 });
  expect(first?.startsWith('M0 -100')).toBe(true);
  // Half of the degrees without gaps plus one gap: the second sector starts at 180 degrees.
  expect(second?.startsWith('M0 100')).toBe(true);
});

it.each([
  [2400, '$', '$2,400'],
  [297, '$', '$297'],
  [73, '%', '73%'],
  [1234567, '$', '$1,234,567'],
  [12.5, '%', '12.5%'],
] as const)('formats %d with the unit %s as %s', (value, unit, text) => {
  expect(formatChartValue(value, unit)).toBe(text);
});
