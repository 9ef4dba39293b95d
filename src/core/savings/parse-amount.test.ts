import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { formatDollars, formatHundredths, LARGEST_HUNDREDTHS, parseAmount } from './parse-amount.ts';

it.each([
  ['150', 150_00],
  ['0', 0],
  ['99.5', 99_50],
  ['.5', 50],
  ['7.', 7_00],
  ['0.005', 1],
  ['1.0049', 1_00],
  ['1,000', 1_000_00],
  ['1,234,567.8', 100_000_000],
  ['12,345.67', 12_345_67],
  ['1 000', 1_000_00],
  ['1\u00a0000', 1_000_00],
  ["1'000", 1_000_00],
  ['99,50', 99_50],
  ['$1,000', 1_000_00],
  ['  42 ', 42_00],
  ['+5', 5_00],
  ['５', 5_00],
  ['１，０００．５', 1_000_50],
  ['1e2', 100_00],
  ['1e308', LARGEST_HUNDREDTHS],
  ['1e999', LARGEST_HUNDREDTHS],
  ['1e-400', 0],
  ['-5', 0],
  ['−5', 0],
  ['-0', 0],
  ['-1e999', 0],
])('%j is %d hundredths', (text, hundredths) => expect(parseAmount(text)).toBe(hundredths));

it.each([
  [''],
  ['   '],
  ['abc'],
  ['-'],
  ['$'],
  ['.'],
  ['e5'],
  ['1,00,000'],
  ['1.000.000'],
  ['1.234'],
  ['$999.500'],
  ['１．０００'],
  ['-1.005'],
  ['0x10'],
  ['0b1'],
  ['NaN'],
  ['Infinity'],
  ['-Infinity'],
  ['5 tools'],
  ['<b>5</b>'],
  ['5²'],
  ['½'],
  ['1_'],
  ['1\u00005'],
  ['9'.repeat(401)],
])('%j is not a number', (text) => expect(parseAmount(text)).toBeNull());

it('reads what it writes, for every whole cent', () =>
  forAll(1, [fc.integer({ min: 0, max: LARGEST_HUNDREDTHS })], (hundredths) => {
    expect(parseAmount(formatHundredths(hundredths))).toBe(hundredths);
    expect(parseAmount(formatDollars(hundredths))).toBe(hundredths);
  }));

it.each([
  [0, '$0'],
  [297_00, '$297'],
  [1_492_00, '$1,492'],
  [14_340_00, '$14,340'],
  [1_234_567_89, '$1,234,567.89'],
  [99_50, '$99.50'],
  [-47_00, '−$47'],
])('%d cents are written %s', (cents, text) => expect(formatDollars(cents)).toBe(text));
