import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import {
  allocateAmount,
  detectCurrencySign,
  formatDecimalAmount,
  parseDecimalAmount,
  parseReportAmount,
} from './money.ts';

it.each([
  ['12.34', 'USD', 1_234],
  [' -0.5 ', 'EUR', -50],
  ['+7', 'USD', 700],
  ['0.005', 'USD', 1],
  ['0.0049', 'USD', 0],
  ['-0', 'USD', 0],
  ['1500', 'JPY', 1_500],
  ['1.2345', 'KWD', 1_235],
  ['90071992547409.91', 'USD', 9_007_199_254_740_991],
])('the amount %j in %s is %d minor units', (text, currency, amount) => {
  expect(Object.is(parseDecimalAmount(text, currency), amount)).toBe(true);
});

it.each(['', ' ', '.5', '1e3', '1,5', '$1', '--1', 'NaN', '0x10', '99999999999999999', '90071992547409.92'])(
  'the text %j is no amount',
  (text) => expect(parseDecimalAmount(text, 'USD')).toBeNull(),
);

it('an amount that was formatted is parsed as the same amount', () =>
  forAll(1, [fc.maxSafeInteger(), fc.constantFrom('USD', 'JPY', 'KWD')], (amount, currency) => {
    expect(parseDecimalAmount(formatDecimalAmount(amount, currency), currency)).toBe(
      amount === 0 ? 0 : amount,
    );
  }));

it.each([
  [100, [1, 1, 1], [34, 33, 33]],
  [-100, [1, 1, 1], [-34, -33, -33]],
  [1, [1, 1], [1, 0]],
  [0, [1, 2], [0, 0]],
  [10, [0, 1], [0, 10]],
  [100, [40, 20, 40], [40, 20, 40]],
])('%d by the weights %j is %j', (amount, weights, parts) => {
  expect(allocateAmount(amount, weights)).toEqual(parts);
});

it('the parts sum to the amount, and no part is off its exact share by a whole unit', async () => {
  const weights = fc
    .array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 12 })
    .filter((list) => list.some((weight) => weight > 0));
  await forAll(1, [fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), weights], (amount, list) => {
    const parts = allocateAmount(amount, list);
    const total = list.reduce((sum, weight) => sum + weight, 0);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount);
    parts.forEach((part, index) => {
      expect(Math.abs(part - (amount * (list[index] ?? 0)) / total)).toBeLessThan(1);
    });
  });
});

it.each([[[]], [[0, 0]]])('the weights %j cannot divide an amount', (weights) =>
  expect(() => allocateAmount(1, weights)).toThrow(RangeError),
);

it.each([
  ['$1,234.50', '.', 123_450],
  ['1.234,50 €', ',', 123_450],
  ['(12.00)', '.', -1_200],
  ['US$12.50', '.', 1_250],
  ['-US$ 12.50', '.', -1_250],
  ['$(12.50)', '.', -1_250],
  ['1,23,456.78', '.', 12_345_678],
  ['12,34,567', '.', 123_456_700],
  ['($12.00)', '.', -1_200],
  ['-$12', '.', -1_200],
  ['$-12', '.', -1_200],
  ['12.00-', '.', -1_200],
  ['\u221212.00', '.', -1_200],
  ['\u201312.00', '.', -1_200],
  ['12,-', ',', 1_200],
  ['12.-', '.', 1_200],
  ['€ 12,-', ',', 1_200],
  ['12,- €', ',', 1_200],
  ['12,--', ',', 1_200],
  ['1.200,\u2013', ',', 120_000],
  ["CHF 1'200.\u2014", '.', 120_000],
  ['12,\u2212', ',', 1_200],
  ['-12,-', ',', -1_200],
  ['(12,-)', ',', -1_200],
  ['12,-EUR', ',', 1_200],
  ['12-', ',', -1_200],
  ['12,50-', ',', -1_250],
  ['12,50\u2212', ',', -1_250],
  ['USD 12', '.', 1_200],
  ['12 USD', '.', 1_200],
  ["1'234.50", '.', 123_450],
  ['1\u00a0234,5', ',', 123_450],
  ['.99', '.', 99],
  ['0', '.', 0],
  ['(0)', '.', 0],
  ['1234567.89', '.', 123_456_789],
] as const)('%j with the decimal sign %j is %d', (text, decimal, amount) => {
  expect(Object.is(parseReportAmount(text, 'USD', decimal), amount)).toBe(true);
});

it.each([
  '',
  '-',
  'free',
  '12.00.1',
  '1,23.45',
  '(12',
  '1,2,345',
  '12,34',
  'USS$12.50',
  '12)',
  '--1',
  '$',
  '1 2 x',
  '(-12)x',
  '.',
  '12.-5',
  '12.---',
  '.-',
])('%j is no amount', (text) => expect(parseReportAmount(text, 'USD', '.')).toBeNull());

it.each([
  [['1.00', '2.50'], '.'],
  [['1,00', '2,50'], ','],
  [['1.234,50'], ','],
  [['1,234.50'], '.'],
  [['1,234,567'], '.'],
  [['1.234.567'], ','],
  [['1,234'], 'ask'],
  [['12', '13'], 'unknown'],
  [[], 'unknown'],
  [['1,00', '2.00'], null],
] as const)('the values %j have the decimal sign %j', (values, sign) => {
  expect(detectCurrencySign(values, 'USD')).toBe(sign);
});
