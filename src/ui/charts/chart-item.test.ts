import { expect, it } from 'vitest';
import { formatChartValue } from './chart-item.ts';

it.each([
  [1_234_567, '$', '$1,234,567'],
  [56, '%', '56%'],
  [12.3456, '%', '12.3456%'],
  [1234.5678, '$', '$1,234.5678'],
] as const)('%d %s is shown as %s', (value, unit, text) => {
  expect(formatChartValue(value, unit)).toBe(text);
});
