import { parseDecimalAmount } from './money.ts';

/** How a report writes numbers: which sign separates the decimals. */
export type DecimalSign = '.' | ',';

/**
 * Parses an amount as reports write them into minor units: currency signs and codes, group separators, a sign in
 * front or behind, parentheses for negative amounts. Null for anything that is not one number.
 */
export function parseReportAmount(text: string, currency: string, decimal: DecimalSign): number | null {
  const compact = text.replace(/[\s\u00a0\u202f'’]/g, '').replace(/\u2212/g, '-');
  const match = /^(\()?([+-]?)(?:[A-Z]{3}|\p{Sc})?([+-]?)([\d.,]+)(?:[A-Z]{3}|\p{Sc})?(-?)(\))?$/u.exec(
    compact,
  );
  if (match === null) return null;
  const [, open, before = '', after = '', digits = '', behind = '', close] = match;
  if ((open === undefined) !== (close === undefined)) return null;
  const signs = before + after + behind;
  if (signs.length > 1) return null;
  const group = decimal === '.' ? ',' : '.';
  const grouped = new RegExp(`^(\\d{1,3}(\\${group}\\d{3})+|\\d+)?(\\${decimal}\\d*)?$`);
  if (!grouped.test(digits) || !/\d/.test(digits)) return null;
  const plain = digits.replaceAll(group, '').replace(decimal, '.');
  const isNegative = open !== undefined || signs === '-';
  const amount = parseDecimalAmount(plain.startsWith('.') ? `0${plain}` : plain, currency);
  return amount === null || !isNegative || amount === 0 ? amount : -amount;
}

/**
 * Detects the decimal sign of a column from its values. A sign that is followed by three digits only can separate
 * groups or decimals; it decides nothing. Null when the values contradict each other.
 */
export function detectDecimalSign(values: readonly string[]): DecimalSign | null {
  let sign: DecimalSign | undefined;
  for (const value of values) {
    const found = findDecimalSign(value);
    if (found === undefined) continue;
    if (sign !== undefined && sign !== found) return null;
    sign = found;
  }
  return sign ?? '.';
}

function findDecimalSign(value: string): DecimalSign | undefined {
  const digits = value.replace(/[^\d.,]/g, '');
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (last < 0) return undefined;
  const sign = digits.charAt(last) === '.' ? '.' : ',';
  const other = sign === '.' ? ',' : '.';
  if (digits.includes(other)) return sign;
  const isRepeated = digits.indexOf(sign) !== last;
  if (isRepeated) return other;
  return digits.length - last - 1 === 3 ? undefined : sign;
}
