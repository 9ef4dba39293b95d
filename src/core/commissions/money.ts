/** Currencies whose minor unit is not a hundredth (ISO 4217). */
const WITHOUT_DIGITS = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
);
const WITH_THREE_DIGITS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/** Number of digits after the decimal point of a currency (ISO 4217 code), for example 2 for USD and 0 for JPY. */
function getMinorDigits(currency: string): number {
  if (WITHOUT_DIGITS.has(currency)) return 0;
  return WITH_THREE_DIGITS.has(currency) ? 3 : 2;
}

/**
 * Parses a decimal amount (`12.34`, `-0.5`, `1e3` is refused) into minor units of a currency. Digits beyond the
 * currency's precision are rounded half away from zero. Null for anything that is not a plain decimal number or
 * that is too large to be exact.
 */
export function parseDecimalAmount(text: string, currency: string): number | null {
  const match = /^([+-]?)(\d{1,16})(?:\.(\d{0,12}))?$/.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = ''] = match;
  const digits = getMinorDigits(currency);
  const exact = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  const rounded = exact + (Number(fraction.charAt(digits) || 0) >= 5 ? 1n : 0n);
  const amount = Number(rounded);
  if (!Number.isSafeInteger(amount)) return null;
  return sign === '-' && amount !== 0 ? -amount : amount;
}

/** Formats minor units as a plain decimal, for example `1234` in USD as `12.34`. */
export function formatDecimalAmount(amount: number, currency: string): string {
  const digits = getMinorDigits(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${amount < 0 ? '-' : ''}${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`}`;
}

/**
 * Splits an amount in minor units by weights so that the parts sum to it exactly (largest remainder): each part is
 * rounded down, and the units that are left go to the largest fractions, the earlier part first among equal ones. A
 * negative amount is split like its opposite. Weights are integers of at least 0 with a positive sum.
 */
export function allocateAmount(amount: number, weights: readonly number[]): number[] {
  const total = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  if (weights.length === 0 || total <= 0n)
    throw new RangeError('An amount needs at least one positive weight.');
  if (weights.every((weight) => weight === weights[0])) return splitEqually(amount, weights.length);
  const size = BigInt(Math.abs(amount));
  const parts = weights.map((weight, index) => {
    const share = size * BigInt(weight);
    return { index, units: share / total, remainder: share % total };
  });
  let left = size - parts.reduce((sum, { units }) => sum + units, 0n);
  const byRemainder = [...parts].sort((one, other) =>
    one.remainder === other.remainder ? one.index - other.index : one.remainder > other.remainder ? -1 : 1,
  );
  for (const part of byRemainder) {
    if (left === 0n) break;
    part.units += 1n;
    left -= 1n;
  }
  return parts.map(({ units }) => (amount < 0 && units !== 0n ? -Number(units) : Number(units)));
}

/** The same for equal weights, without big integers: reports split every commission. */
function splitEqually(amount: number, count: number): number[] {
  const size = Math.abs(amount);
  const units = Math.floor(size / count);
  const left = size - units * count;
  const sign = amount < 0 ? -1 : 1;
  return Array.from({ length: count }, (_, index) => sign * (units + (index < left ? 1 : 0)) + 0);
}
