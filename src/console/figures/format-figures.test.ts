import { expect, it } from 'vitest';
import { formatChange, formatChosenPeriod, formatShare } from './format-figures.ts';

it.each([
  [null, '–'],
  [0, '0%'],
  [0.0001, '< 0.1%'],
  [0.0312, '3.1%'],
  [0.2, '20%'],
  [0.954, '95%'],
  [0.995, '99.5%'],
  [0.999_99, '99.9%'],
  [1, '100%'],
])('the share %d is %s: nothing and all only where it is so', (share, text) => {
  expect(formatShare(share)).toBe(text);
});

it('a change of more than ten times has no percentage', () => {
  expect([formatChange(150, 100), formatChange(50, 100), formatChange(72_821, 912)]).toEqual([
    '+50%',
    '−50%',
    null,
  ]);
});

it('a period of chosen days has its year, one that ends now does not', () => {
  const days = { from: '2024-01-01', to: '2024-01-31' };
  expect(formatChosenPeriod({ range: 'custom', ...days })).toBe('Jan 1 – Jan 31, 2024');
  expect(formatChosenPeriod({ range: '28d', ...days })).toBe('Jan 1 – Jan 31');
});
