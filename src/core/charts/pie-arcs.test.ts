import { describe, expect, it } from 'vitest';
import { formatValue } from './format-value.ts';
import { buildPieArcs, PIE_SHAPE } from './pie-arcs.ts';

describe('the ring', () => {
  it('has inner radius 60, outer radius 100 and gaps of 5 degrees', () => {
    expect(PIE_SHAPE).toEqual({ inner: 60, outer: 100, padding: 5 });
  });

  it('begins at the top and goes clockwise', () => {
    const [first] = buildPieArcs([1, 1], { inner: 60, outer: 100, padding: 0 });
    expect(first).toBe('M0 -100A100 100 0 0 1 0 100L0 60A60 60 0 0 0 0 -60Z');
  });

  it('marks the arc of more than half as the large one', () => {
    const [large, small] = buildPieArcs([73, 27], PIE_SHAPE);
    expect(large).toContain('A100 100 0 1 1');
    expect(small).toContain('A100 100 0 0 1');
  });

  it('leaves a gap after each sector', () => {
    const [first, second] = buildPieArcs([1, 1], { inner: 60, outer: 100, padding: 10 });
    expect(first?.startsWith('M0 -100')).toBe(true);
    // The second sector begins 180 degrees on: half of the room and one gap.
    expect(second?.startsWith('M0 100')).toBe(true);
  });
});

it.each([
  [2400, '$', '$2,400'],
  [297, '$', '$297'],
  [73, '%', '73%'],
  [1234567, '$', '$1,234,567'],
  [12.5, '%', '12.5%'],
] as const)('%d with %s reads %s', (value, unit, text) => {
  expect(formatValue(value, unit)).toBe(text);
});
