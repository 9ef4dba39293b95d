import { expect, it } from 'vitest';
import { detectDecimalSign, parseReportAmount } from './parse-report-amount.ts';

it.each([
  ['$1,234.50', '.', 123_450],
  ['1.234,50 €', ',', 123_450],
  ['(12.00)', '.', -1_200],
  ['($12.00)', '.', -1_200],
  ['-$12', '.', -1_200],
  ['$-12', '.', -1_200],
  ['12.00-', '.', -1_200],
  ['\u221212.00', '.', -1_200],
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

it.each(['', '-', 'free', '12.00.1', '1,23.45', '(12', '12)', '--1', '$', '1 2 x', '(-12)x', '.'])(
  '%j is no amount',
  (text) => {
    expect(parseReportAmount(text, 'USD', '.')).toBeNull();
  },
);

it.each([
  [['1.00', '2.50'], '.'],
  [['1,00', '2,50'], ','],
  [['1.234,50'], ','],
  [['1,234.50'], '.'],
  [['1,234,567'], '.'],
  [['1.234.567'], ','],
  [['1,234'], '.'],
  [['12', '13'], '.'],
  [[], '.'],
  [['1,00', '2.00'], null],
] as const)('the values %j have the decimal sign %j', (values, sign) => {
  expect(detectDecimalSign(values)).toBe(sign);
});
