import { findTwoAmounts } from '../commissions/money.ts';

/** The largest figure that a calculator works with, in hundredths: a million dollars, or a million tools. */
export const LARGEST_HUNDREDTHS = 100_000_000;

const MAX_TEXT_LENGTH = 400;
const PLAIN = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const GROUPED = /^\d{1,3}(?:[,' \u00a0\u2009\u202f’_]\d{3})+(?:\.\d*)?$/;
const DECIMAL_COMMA = /^\d+,\d{1,2}$/;

/**
 * Reads whatever was typed, pasted or linked, as hundredths (whole cents for dollars), by one rule:
 * full-width characters count as their plain ones; a `$` in front, blanks around and thousands separators
 * (`1,000`, `1 000`) are dropped; a comma before one or two last digits is a decimal comma; `1.234` can be two numbers and is refused; a
 * number below 0 counts as 0 and one above `LARGEST_HUNDREDTHS` as that; anything else is not a number: null.
 */
export function parseAmount(text: string): number | null {
  if (text.length > MAX_TEXT_LENGTH) return null;
  const plain = text
    .replace(/[\uff01-\uff5e]/g, toAscii)
    .replace(/[\u3000\ufeff]/g, ' ')
    .trim();
  const match = /^([+\-\u2212]?)\s*\$?\s*(.+)$/.exec(plain);
  const digits = toDigits(match?.[2] ?? '');
  if (digits === null) return null;
  if (match?.[1] === '-' || match?.[1] === '\u2212') return 0;
  return Math.round(Math.min(shiftTwoPlaces(digits), LARGEST_HUNDREDTHS));
}

/** Writes hundredths in plain digits, as number fields need them: `150`, `99.5`. */
export function formatHundredths(hundredths: number): string {
  return String(hundredths / 100);
}

function toAscii(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) - 0xfee0);
}

function toDigits(text: string): string | null {
  // A point before three digits separates thousands in half of the world.
  if (text.includes('.') && findTwoAmounts(text, 'USD', 'unknown') !== null) return null;
  if (PLAIN.test(text)) return text;
  if (GROUPED.test(text)) return text.replace(/[^\d.]/g, '');
  return DECIMAL_COMMA.test(text) ? text.replace(',', '.') : null;
}

/** A hundred times the number, shifted in the decimal text: 1.005 × 100 would be 100.49999999999999. */
function shiftTwoPlaces(digits: string): number {
  const [mantissa = '', exponent = '0'] = digits.toLowerCase().split('e');
  return Number(`${mantissa}e${Number(exponent) + 2}`);
}

/** Writes whole cents as people write dollars: `$1,195`, `$99.50`, `−$47`. */
export function formatDollars(cents: number): string {
  const [whole = '0', rest = '00'] = (Math.abs(cents) / 100).toFixed(2).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0 ? '\u2212' : ''}$${grouped}${rest === '00' ? '' : `.${rest}`}`;
}
