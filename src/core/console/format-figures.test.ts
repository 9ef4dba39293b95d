import { expect, it } from 'vitest';
import { formatShare } from './format-figures.ts';

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
