import { formatLongDate } from '../articles/article-copy.ts';
import { getMinorDigits } from '../commissions/money.ts';
import type { SavingsSettings } from '../savings/calculators.schema.ts';
import { formatPrice, isAged, SEE_PRICE } from './price.ts';
import { findOldestCheck, type Product } from './product.ts';

/** One line of a sum: a price or a charge, and how often it is paid. */
export interface TotalLine {
  /** `product.offer`, `product.fact` or `product.offer.fact`; undefined: `amount` is the line's. */
  readonly figure?: string | undefined;
  /** Of an example, in units of the currency of the other lines. */
  readonly amount?: number | undefined;
  /** Below 0: subtracted. */
  readonly times: number;
  /** What is counted, where copy names the volumes of the sum. */
  readonly unit?: string | undefined;
}

const VOLUME_LIST = new Intl.ListFormat('en-US', { type: 'conjunction' });

/** An amount of money of a product. */
export type Amount = NonNullable<ReturnType<typeof findAmount>>;

/** Finds the amount of money that a line names; null when it names no amount. */
export function findAmount(figure: string, products: ReadonlyMap<string, Product>, now?: number) {
  const [key = '', ...path] = figure.split('.');
  const product = products.get(key);
  const offer = product?.offers.find((one) => one.key === path[0]);
  if (product === undefined) return null;
  if (offer !== undefined && path.length === 1) {
    const { amount, currency, source } = offer;
    if (source === undefined) return null;
    const micros = Math.round((amount * 1_000_000) / 10 ** getMinorDigits(currency));
    const label = `${product.name}, ${offer.name}`;
    const aged = isAged(product, offer, now);
    return { micros, currency, checked: source.checked, isAged: aged, isPrice: true, label };
  }
  const fact = (offer?.facts ?? product.facts).find((one) => one.key === path.at(-1));
  if (fact?.micros === undefined || fact.source === undefined) return null;
  const { micros, currency } = fact;
  const label = `${product.name}, ${fact.label}`;
  const aged = isAged(product, fact, now);
  return { micros, currency, checked: fact.source.checked, isAged: aged, isPrice: false, label };
}

/**
 * Builds the figures of a sum by the end of their names: the sum, `.rounded` to whole units of the currency, `.checked`,
 * the oldest day of its lines, and `.volumes` of those with a unit. `see price` when the price of an offer is too old. Empty
 * when a line names no amount, or amounts of several currencies.
 */
export function buildTotalFigures(
  lines: readonly TotalLine[],
  products: ReadonlyMap<string, Product>,
  now?: number,
): readonly [string, string][] {
  const sum = addUp(lines, products, now);
  if (sum === null) return [];
  const { micros, amounts, currency } = sum;
  const show = (digits: number) => {
    const minor = 10 ** getMinorDigits(currency);
    const rounded = Math.round(micros / 10 ** (6 - digits)) / 10 ** digits;
    return amounts.some((amount) => amount.isAged && amount.isPrice)
      ? SEE_PRICE
      : // Never a zero with a minus sign.
        formatPrice(Math.round(rounded * minor) || 0, currency);
  };
  const checked = findOldestCheck(amounts);
  const volumes = lines.flatMap(({ times, unit }) =>
    unit === undefined ? [] : `${times.toLocaleString('en-US')} ${unit}`,
  );
  return [
    ['', show(getMinorDigits(currency))],
    ['.rounded', show(0)],
    ...(checked === '' ? [] : [['.checked', formatLongDate(checked)] as [string, string]]),
    ...(volumes.length === 0 ? [] : [['.volumes', VOLUME_LIST.format(volumes)] as [string, string]]),
  ];
}

/**
 * Adds up lines, in millionths; null as `buildTotalFigures` is empty. As on a receipt, each line is rounded to the minor unit, half
 * away from 0, and not the sum: so a saving and the costs that it leaves out always add up.
 */
export function addUp(lines: readonly TotalLine[], products: ReadonlyMap<string, Product>, now?: number) {
  const named = lines.flatMap(({ figure }) => figure ?? []);
  const amounts = named.flatMap((figure) => findAmount(figure, products, now) ?? []);
  // A sum of an example's own amounts is in dollars, as the calculators are.
  const currency = amounts[0]?.currency ?? 'USD';
  if (amounts.length < named.length) return null;
  if (amounts.some((amount) => amount.currency !== currency)) return null;
  const minor = 10 ** (6 - getMinorDigits(currency));
  const micros = lines.reduce((sum, { figure, amount = 0, times }) => {
    const each = figure === undefined ? amount * 1_000_000 : (findAmount(figure, products)?.micros ?? 0);
    // Three decimals of a cent: fractions that files write with seven digits are off by less.
    const units = Math.round(Number(((Math.abs(times) * each) / minor).toFixed(3)));
    return sum + Math.sign(times) * units * minor;
  }, 0);
  return { micros, amounts, currency };
}

/** In how many months a saving of a month earns back a cost, with one decimal; `see price` when a price is too old. */
export function countMonths(
  cost: readonly TotalLine[],
  saving: readonly TotalLine[],
  products: ReadonlyMap<string, Product>,
  now?: number,
): string {
  const [paid, saved] = [addUp(cost, products, now), addUp(saving, products, now)];
  if (paid === null || saved === null || saved.micros <= 0) return 'never';
  const isAged = [...paid.amounts, ...saved.amounts].some((amount) => amount.isAged && amount.isPrice);
  return isAged ? SEE_PRICE : (paid.micros / saved.micros).toFixed(1);
}

/**
 * Compares the stack with a plan, a month and in whole cents, which can be below 0. `people`: of a team of another size, which
 * changes the lines with seats. `netCents`: the saving with usage, the one figure that every page prints beside `savingCents`.
 */
export function compareStack({ stack, stackUsage }: SavingsSettings, planCents: number, people?: number) {
  const totalCents = stack.reduce((sum, { monthlyCents, seats }) => {
    const share = seats === undefined || people === undefined ? 1 : people / seats;
    return sum + Math.round(monthlyCents * share);
  }, 0);
  const usageCents = stackUsage?.cents ?? 0;
  const savingCents = totalCents - planCents;
  return { totalCents, savingCents, usageCents, netCents: savingCents - usageCents };
}
