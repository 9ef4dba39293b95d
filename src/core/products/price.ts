import { DAY_MS } from '../clock.ts';
import {
  detectCurrencySign,
  findForeignSign,
  getMinorDigits,
  parseReportAmount,
} from '../commissions/money.ts';
import type { Billing, Fact, Offer, Product } from './product.ts';

/** Shown instead of a price that was checked too long ago. */
export const SEE_PRICE = 'see price';

/**
 * Whether an offer has no price, or one that was checked longer ago than its product says: it is not shown. A charge of that age is shown
 * with its day. A fact without a source, and one that is no amount of money, does not age. `now`: ms since 1970; undefined:
 * nothing does.
 */
export function isAged({ maxAgeDays }: Product, figure: Offer | Fact, now?: number): boolean {
  if (figure.source === undefined) return 'amount' in figure;
  if (figure.source.checked === '') return 'amount' in figure;
  if (now === undefined) return false;
  if (!('amount' in figure) && figure.micros === undefined) return false;
  return getAgeDays(figure.source.checked, now) > maxAgeDays;
}

/** Whole days from a day such as `2026-11-21` to `now` (ms since 1970). */
export function getAgeDays(checked: string, now: number): number {
  return Math.floor((now - Date.parse(checked)) / DAY_MS);
}

/** Writes minor units as a price: `$1,195`, `$99.50`, `€349`. */
export function formatPrice(amount: number, currency: string): string {
  const digits = getMinorDigits(currency);
  return formatMoney(amount / 10 ** digits, currency, amount % 10 ** digits === 0 ? 0 : digits);
}

/** Parses a price as it is typed or pasted into minor units: `$1,299`, `479,95 €`, `free`. Null unless it is exact. */
export function parsePrice(text: string, currency: string): number | null {
  if (/^\s*free\s*$/i.test(text)) return 0;
  const sign = detectCurrencySign([text], currency) ?? 'ask';
  // Of a currency with two decimals three digits behind a comma are a group: `1,299`.
  if (sign === 'ask' && getMinorDigits(currency) > 2) return null;
  const decimal = sign === ',' ? ',' : '.';
  const decimals = (decimal === ',' ? /,(\d+)\D*$/ : /\.(\d+)\D*$/).exec(text)?.[1] ?? '';
  const amount = parseReportAmount(text, currency, decimal);
  const isExact = decimals.length <= getMinorDigits(currency) && findForeignSign(text, currency) === null;
  return isExact && amount !== null && amount >= 0 ? amount : null;
}

/** Writes millionths of a currency's unit with the decimals that they have: `$0.0083`, `$45`. */
export function formatMicros(micros: number, currency: string): string {
  const decimals = String(micros % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '').length;
  const least = decimals === 0 ? 0 : Math.max(decimals, getMinorDigits(currency));
  return formatMoney(micros / 1_000_000, currency, least);
}

/** By currency and digits: to create one takes a hundred times as long as to use it. */
const FORMATTERS = new Map<string, Intl.NumberFormat>();

function formatMoney(value: number, currency: string, digits: number): string {
  const key = `${currency} ${digits}`;
  const known = FORMATTERS.get(key);
  const formatter =
    known ??
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  if (known === undefined) FORMATTERS.set(key, formatter);
  return formatter.format(value).replace('-', '\u2212');
}

const PERIODS: Readonly<Record<Billing, string>> = { once: '', monthly: 'per month', yearly: 'per year' };

/** What a price is per: `per month`, `per seat per month`, empty for a price that is paid once. */
export function describeUnit({ billed, per, amount }: Offer): string {
  if (amount === 0) return '';
  return [per === undefined ? '' : `per ${per}`, PERIODS[billed]].filter(Boolean).join(' ');
}

/** A price with its unit, such as `$39 per month`; `see price` for one that is too old. */
export function describePrice(product: Product, offer: Offer, now?: number): string {
  if (isAged(product, offer, now)) return SEE_PRICE;
  if (offer.amount === 0) return 'Free';
  return [formatPrice(offer.amount, offer.currency), describeUnit(offer)].filter(Boolean).join(' ');
}
