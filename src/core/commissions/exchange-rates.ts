import { DAY_MS } from '../clock.ts';
import type { LedgerEntry } from './ledger/build-ledger.ts';
import type { CommissionStatus } from './ledger/commission-fact.ts';
import type { Commission } from './ledger/fold-commission.ts';
import type { RateDay } from './ledger/stored-money.schema.ts';
import { getOffsets, nameDay } from './local-time.ts';
import { getMinorDigits } from './money.ts';

/** Who said what a rate is: a file of the European Central Bank, or the operator, whose rate has priority. */
export const RATE_ORIGINS = ['ecb', 'operator'] as const;
export type RateOrigin = (typeof RATE_ORIGINS)[number];

/** An older rate is no rate: the central bank publishes none for up to four days around holidays. */
export const MAX_RATE_AGE_DAYS = 7;

/** The currency over which two others are converted. */
const PIVOT = 'EUR';

/** Whether a text is the price of a currency in another one: a plain decimal above 0, `1.0832`. */
export function isRate(text: string): boolean {
  return /^\d{1,9}(\.\d{1,9})?$/.test(text) && /[1-9]/.test(text);
}

/** The price of one currency in another one on a day, exactly. */
export class ExchangeRate {
  readonly from: string;
  readonly to: string;
  /** Day of the rate, of the older one if two were combined: `YYYY-MM-DD`. */
  readonly day: string;
  /** Minor units of `to` for `denominator` minor units of `from`. */
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** The same as numbers, with which most amounts are exact and much faster. */
  readonly #multiplier: number;
  readonly #divisor: number;

  /** `price` is a fraction above 0: major units of `to` for one of `from`. */
  constructor(from: string, to: string, day: string, [numerator, denominator]: Fraction) {
    this.from = from;
    this.to = to;
    this.day = day;
    const top = numerator * 10n ** BigInt(getMinorDigits(to));
    const bottom = denominator * 10n ** BigInt(getMinorDigits(from));
    const divisor = findCommonDivisor(top, bottom);
    this.numerator = top / divisor;
    this.denominator = bottom / divisor;
    this.#multiplier = Number(this.numerator);
    this.#divisor = Number(this.denominator);
  }

  /**
   * Converts minor units of `from` to minor units of `to`, rounded half away from zero. Null when the result is too large
   * to be exact.
   */
  convert(amount: number): number | null {
    const size = Math.abs(amount);
    const product = size * this.#multiplier;
    const units =
      product <= MAX_EXACT && this.#divisor <= MAX_EXACT
        ? divideRounded(product, this.#divisor)
        : Number((2n * BigInt(size) * this.numerator + this.denominator) / (2n * this.denominator));
    if (!Number.isSafeInteger(units)) return null;
    return amount < 0 && units !== 0 ? -units : units;
  }

  /** The price of one unit as a decimal with six significant digits: `1.0832`. */
  format(): string {
    const scale = 10 ** (getMinorDigits(this.from) - getMinorDigits(this.to));
    return String(Number(((this.#multiplier / this.#divisor) * scale).toPrecision(6)));
  }
}

type Fraction = readonly [numerator: bigint, denominator: bigint];

/** Twice as much is still a safe integer. */
const MAX_EXACT = Number.MAX_SAFE_INTEGER / 2;

function divideRounded(product: number, divisor: number): number {
  const rest = product % divisor;
  return (product - rest) / divisor + (2 * rest >= divisor ? 1 : 0);
}

function findCommonDivisor(one: bigint, other: bigint): bigint {
  return other === 0n ? one : findCommonDivisor(other, one % other);
}

const toDayNumber = (day: string) => Date.parse(day) / DAY_MS;

/** Before every day. */
const NEVER = Number.MIN_SAFE_INTEGER;

/** A price as a fraction, with the number of its day. */
interface Price {
  readonly day: number;
  readonly price: Fraction;
}

/** Finds the rates at which amounts are converted into one currency. */
export class RateTable {
  readonly currency: string;
  /** Prices by `base quote` and the number of the day. */
  readonly #prices = new Map<string, Map<number, Fraction>>();
  /** What was found, by currency and number of the day: many commissions have the same. */
  readonly #found = new Map<string, Map<number, ExchangeRate | null>>();

  constructor(days: readonly RateDay[], currency: string) {
    this.currency = currency;
    const byPriority = days.toSorted(
      (one, other) => RATE_ORIGINS.indexOf(one.origin) - RATE_ORIGINS.indexOf(other.origin),
    );
    for (const { day, base, rates } of byPriority) {
      for (const [quote, text] of Object.entries(rates)) {
        if (!isRate(text)) continue;
        const key = `${base} ${quote}`;
        const prices = this.#prices.get(key) ?? new Map<number, Fraction>();
        this.#prices.set(key, prices);
        prices.set(toDayNumber(day), parseFraction(text));
      }
    }
  }

  /**
   * Finds the rate of a currency on a day (`YYYY-MM-DD`, or its number since 1970), or the last one of the seven days
   * before; null without one. Two currencies without a price in each other are converted over the euro.
   */
  findRate(from: string, day: string | number): ExchangeRate | null {
    const number = typeof day === 'number' ? day : toDayNumber(day);
    const found = this.#found.get(from) ?? new Map<number, ExchangeRate | null>();
    this.#found.set(from, found);
    const known = found.get(number);
    if (known !== undefined) return known;
    const price = this.#findPrice(from, number);
    const rate =
      price === null ? null : new ExchangeRate(from, this.currency, nameDay(price.day), price.price);
    found.set(number, rate);
    return rate;
  }

  /** The newest day (`YYYY-MM-DD`) with a rate of another currency, for the pair or over the euro; null without one. */
  findNewestDay(from: string): string | null {
    if (from === this.currency) return null;
    const find = (one: string, other: string) =>
      [...(this.#prices.get(`${one} ${other}`)?.keys() ?? [])].reduce(
        (newest, day) => Math.max(newest, day),
        NEVER,
      );
    const findPair = (one: string, other: string) => Math.max(find(one, other), find(other, one));
    const legs = [from, this.currency].filter((code) => code !== PIVOT).map((code) => findPair(PIVOT, code));
    const newest = Math.max(findPair(from, this.currency), Math.min(...legs));
    return newest === NEVER ? null : nameDay(newest);
  }

  #findPrice(from: string, day: number): Price | null {
    const to = this.currency;
    if (from === to) return { day, price: [1n, 1n] };
    const direct = this.#findPair(from, to, day);
    if (from === PIVOT || to === PIVOT) return direct;
    const first = this.#findPair(from, PIVOT, day);
    const second = this.#findPair(PIVOT, to, day);
    if (first === null || second === null) return direct;
    const crossDay = Math.min(first.day, second.day);
    if (direct !== null && direct.day >= crossDay) return direct;
    const [[one, per], [other, by]] = [first.price, second.price];
    return { day: crossDay, price: [one * other, per * by] };
  }

  /** The newest price of a pair, in whichever direction it was stated. */
  #findPair(from: string, to: string, day: number): Price | null {
    const stated = this.#prices.get(`${from} ${to}`);
    const reverse = this.#prices.get(`${to} ${from}`);
    for (let at = day; at >= day - MAX_RATE_AGE_DAYS; at -= 1) {
      const price = stated?.get(at);
      if (price !== undefined) return { day: at, price };
      const other = reverse?.get(at);
      if (other !== undefined) return { day: at, price: [other[1], other[0]] };
    }
    return null;
  }
}

function parseFraction(text: string): Fraction {
  const [whole = '', fraction = ''] = text.split('.');
  return [BigInt(whole + fraction), 10n ** BigInt(fraction.length)];
}

/** What a converted commission was reported as, in minor units of its own currency. */
export interface OriginalMoney
  extends Pick<Commission, 'amount' | 'reversedAmount' | 'saleAmount' | 'currency'> {
  readonly rate: ExchangeRate;
}

/**
 * Converts commissions into the currency of a table, each amount once, at the rate of the day on which it was booked in a
 * time zone. Those of the currency itself stay as they are. Those without a rate do too, with `original` null: they are
 * in another currency still, and in no sum of this one.
 */
export function convertEntries<Entry extends LedgerEntry>(
  entries: readonly Entry[],
  table: RateTable,
  timeZone: string,
): readonly Entry[] {
  const { currency } = table;
  const isForeign = ({ commission }: LedgerEntry) => commission.currency !== currency;
  if (!entries.some(isForeign)) return entries;
  const getDay = createDayNumbers(entries, timeZone);
  return entries.map((entry) => (isForeign(entry) ? convertEntry(entry, table, getDay) : entry));
}

function convertEntry<Entry extends LedgerEntry>(
  entry: Entry,
  table: RateTable,
  getDay: (time: number) => number,
): Entry {
  const { currency, eventTime } = entry.commission;
  const rate = table.findRate(currency, getDay(eventTime));
  const converted = rate === null ? null : convertAt(entry, rate, table.currency);
  return converted ?? { ...entry, original: null };
}

/** Null where an amount is beyond the safe integers. */
function convertAt<Entry extends LedgerEntry>(entry: Entry, rate: ExchangeRate, total: string): Entry | null {
  const { commission } = entry;
  const { amount, reversedAmount, saleAmount, currency } = commission;
  const converted = rate.convert(amount);
  const reversed = rate.convert(reversedAmount);
  if (converted === null || reversed === null) return null;
  return {
    ...entry,
    commission: {
      ...commission,
      amount: converted,
      reversedAmount: reversed,
      saleAmount: saleAmount === null ? null : rate.convert(saleAmount),
      currency: total,
    },
    original: { amount, reversedAmount, saleAmount, currency, rate },
  };
}

/**
 * Converts sums of money as `convertEntries` does commissions; `getDay`: the number of the day of the booking, null where
 * commissions of several days were not to be converted.
 */
export function convertSums<Sum extends MoneySum>(
  sums: readonly Sum[],
  table: RateTable,
  getDay: (sum: Sum) => number | null,
): readonly Sum[] {
  return sums.map((sum) => {
    const { amount, reversedAmount, currency } = sum;
    const day = getDay(sum);
    if (currency === table.currency || day === null) return sum;
    const rate = table.findRate(currency, day);
    const [converted, reversed] = [rate?.convert(amount) ?? null, rate?.convert(reversedAmount) ?? null];
    if (rate === null || converted === null || reversed === null) return { ...sum, original: null };
    const original = { amount, reversedAmount, currency, rate };
    return { ...sum, amount: converted, reversedAmount: reversed, currency: table.currency, original };
  });
}

/** The number since 1970 of the local day of bookings; asking the time zone for each would take most of the time. */
function createDayNumbers(entries: readonly LedgerEntry[], timeZone: string): (time: number) => number {
  let [first, last] = [Number.MAX_SAFE_INTEGER, 0];
  for (const { commission } of entries) {
    first = Math.min(first, commission.eventTime);
    last = Math.max(last, commission.eventTime);
  }
  const spans = getOffsets(first, last, timeZone);
  return (time) => {
    const offset = spans.find(({ until }) => time < until)?.offset ?? 0;
    return Math.floor((time + offset) / DAY_MS);
  };
}

/** What a commission is worth as it was reported, in minor units of its own currency. */
export function getReportedMoney({ commission, original }: LedgerEntry) {
  const { amount, reversedAmount, currency } = original ?? commission;
  return { amount, reversedAmount, currency };
}

/** Money of one currency that a total in another one has, or has not. */
export interface ForeignMoney {
  readonly currency: string;
  /** Approved, paid and pending, in minor units of `currency`. */
  readonly amount: number;
  readonly reversed: number;
  /** What of it is in the total, in minor units of the currency of the total; null when nothing is. */
  readonly converted: number | null;
  /** The newest day of its rates; null when it is not converted. */
  readonly day: string | null;
}

/**
 * Sums the money of other currencies than that of a total, of commissions that count: what is converted, and what is not,
 * the largest amounts first. A currency is in both lists when only some of its days have a rate.
 */
export function sumForeignMoney(
  sums: readonly MoneySum[],
  currency: string | null,
): { readonly converted: readonly ForeignMoney[]; readonly missing: readonly ForeignMoney[] } {
  const converted = new Map<string, Writable<ForeignMoney>>();
  const missing = new Map<string, Writable<ForeignMoney>>();
  for (const { original, ...money } of sums) {
    const isConverted = original !== undefined && original !== null;
    if (money.currency === currency && !isConverted) continue;
    const own = original ?? money;
    const all = isConverted ? converted : missing;
    const sum = all.get(own.currency) ?? { ...NO_MONEY, currency: own.currency };
    all.set(own.currency, sum);
    sum.reversed += own.reversedAmount;
    if (money.status !== 'unknown') sum.amount += own.amount;
    if (!isConverted) continue;
    if (money.status !== 'unknown') sum.converted = (sum.converted ?? 0) + money.amount;
    if (sum.day === null || original.rate.day > sum.day) sum.day = original.rate.day;
  }
  const list = (all: ReadonlyMap<string, ForeignMoney>) =>
    [...all.values()]
      .filter(({ amount, reversed }) => amount !== 0 || reversed !== 0)
      .sort((one, other) => getSize(other) - getSize(one) || (one.currency < other.currency ? -1 : 1));
  return { converted: list(converted), missing: list(missing) };
}

/** Money of commissions that count; `original` as in `LedgerEntry`. Amounts: minor units. */
export interface MoneySum {
  readonly status: CommissionStatus;
  readonly currency: string;
  readonly amount: number;
  readonly reversedAmount: number;
  readonly original?:
    | (Omit<OriginalMoney, 'saleAmount' | 'rate'> & { readonly rate: { readonly day: string } })
    | null;
}

/** The money of entries that count. */
export const listMoney = (entries: readonly LedgerEntry[]): readonly MoneySum[] =>
  entries
    .filter(({ isCounted }) => isCounted)
    .map(({ commission, original }) => ({ ...commission, ...(original !== undefined && { original }) }));

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const NO_MONEY = { currency: '', amount: 0, reversed: 0, converted: null, day: null } as const;

const getSize = ({ amount, converted, reversed }: ForeignMoney) =>
  Math.abs(converted ?? amount) + Math.abs(reversed);
