import { DAY_MS } from '../../core/clock.ts';
import {
  convertEntries,
  convertSums,
  type ExchangeRate,
  MAX_RATE_AGE_DAYS,
  type MoneySum,
  RateTable,
} from '../../core/commissions/exchange-rates.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import type { SumRates } from '../../stores/commission-sums.ts';
import type { Ledger } from '../../stores/ledger.ts';

/**
 * Converts the commissions of a ledger into one currency. Rates and what was converted are cached while they stay the same,
 * also when another process changes them. Every method rejects with `LedgerError`.
 */
export class EntryConverter {
  readonly #ledger: Ledger;
  readonly #timeZone: string;
  #table: ({ readonly key: string; readonly table: RateTable } & RateNeeds) | null = null;
  readonly #converted = new WeakMap<
    object,
    { readonly table: RateTable; readonly list: readonly unknown[] }
  >();

  readonly #rates = new WeakMap<object, { readonly table: RateTable; readonly rates: SumRates }>();
  #keys = 0;
  /** By the currency of totals: equal rates have the same key, whatever commissions are new. */
  readonly #latest = new Map<string, SumRates>();

  /** Days of bookings are those of `timeZone` (IANA name). */
  constructor(ledger: Ledger, timeZone: string) {
    this.#ledger = ledger;
    this.#timeZone = timeZone;
  }

  /** The currency in which the console shows totals; null without one. */
  async readReportingCurrency(): Promise<string | null> {
    return (await this.#ledger.readRateState()).reportingCurrency;
  }

  /** The newest rate into the reporting currency, by currency; without those that have none. */
  async readNewestRates(all: readonly Dated[]): Promise<ReadonlyMap<string, ExchangeRate>> {
    const { reportingCurrency } = await this.#ledger.readRateState();
    if (reportingCurrency === null) return new Map();
    const needs = findRateNeeds(all);
    const table = await this.#readTable(needs, reportingCurrency);
    return new Map(
      [...needs.currencies].flatMap((code) => {
        const day = table.findNewestDay(code);
        const rate = day === null ? null : table.findRate(code, day);
        return rate === null ? [] : [[code, rate] as const];
      }),
    );
  }

  /** Converts into a currency (ISO 4217). */
  async convert<Entry extends LedgerEntry>(
    entries: readonly Entry[],
    currency: string,
  ): Promise<readonly Entry[]> {
    const dated = entries.map(({ commission }) => ({
      currency: commission.currency,
      booked: commission.eventTime,
    }));
    return convertEntries(entries, await this.#readTable(findRateNeeds(dated), currency), this.#timeZone);
  }

  /** Converts sums into a currency; the same list for the same sums while rates are the same. `getDay`: as in `convertSums`. */
  async convertSums<Sum extends MoneySum>(
    sums: readonly Sum[],
    currency: string,
    getDay: (sum: Sum) => number | null,
  ): Promise<readonly Sum[]> {
    const dated = sums.flatMap((sum) => {
      const day = sum.currency === currency ? null : getDay(sum);
      return day === null ? [] : [{ currency: sum.currency, booked: day * DAY_MS }];
    });
    if (dated.length === 0) return sums;
    const table = await this.#readTable(findRateNeeds(dated), currency);
    const known = this.#converted.get(sums);
    if (known?.table === table) return known.list as readonly Sum[];
    const list = convertSums(sums, table, getDay);
    this.#converted.set(sums, { table, list });
    return list;
  }

  /** The rates into a currency of sums that were booked on days; null where all of them are of the currency. */
  async readRates(sums: readonly Dated[], currency: string): Promise<SumRates | null> {
    const foreign = sums.filter((sum) => sum.currency !== currency);
    if (foreign.length === 0) return null;
    const table = await this.#readTable(findRateNeeds(foreign), currency);
    const known = this.#rates.get(sums);
    if (known?.table === table) return known.rates;
    const found = new Map<string, string>();
    for (const { currency: code, booked } of foreign) {
      const day = Math.floor(booked / DAY_MS);
      const rate = table.findRate(code, day);
      if (rate !== null) found.set(`"${code}",${day}`, `${rate.numerator},${rate.denominator},"${rate.day}"`);
    }
    const list = `[${[...found].map(([key, rate]) => `[${key},${rate}]`).join(',')}]`;
    const last = this.#latest.get(currency);
    if (last?.list !== list) this.#keys += 1;
    const rates = last?.list === list ? last : { key: this.#keys, list };
    this.#latest.set(currency, rates);
    this.#rates.set(sums, { table, rates });
    return rates;
  }

  /** Reads what was needed before as well, so that reads in turn keep one table, and what was converted with it. */
  async #readTable(needs: RateNeeds, currency: string): Promise<RateTable> {
    const { version } = await this.#ledger.readRateState();
    const key = JSON.stringify([version, currency]);
    const find = () => {
      const known = this.#table?.key === key ? this.#table : null;
      const has = (code: string) => known?.currencies.has(code) === true;
      const isCovered = known !== null && known.from <= needs.from && [...needs.currencies].every(has);
      return { known, covering: isCovered ? known.table : null };
    };
    const { known, covering } = find();
    if (covering !== null) return covering;
    const from = known !== null && known.from < needs.from ? known.from : needs.from;
    const currencies = new Set([currency, 'EUR', ...needs.currencies, ...(known?.currencies ?? [])]);
    const table = new RateTable(await this.#ledger.readRates(from, [...currencies]), currency);
    // Another request may have read the same rates meanwhile; what was converted with them stays valid.
    const meanwhile = find().covering;
    if (meanwhile !== null) return meanwhile;
    this.#table = { key, table, currencies, from };
    return table;
  }
}

/** Of which currencies rates are needed, and from which day on (`2026-01-01`). */
interface RateNeeds {
  readonly currencies: ReadonlySet<string>;
  readonly from: string;
}

/** Money of a currency that was booked at a time, ms since 1970. */
interface Dated {
  readonly currency: string;
  readonly booked: number;
}

/** From the beginning of a year, so that rates are not read again for each earlier commission. */
function findRateNeeds(all: readonly Dated[]): RateNeeds {
  const currencies = new Set<string>();
  let first = Number.MAX_SAFE_INTEGER;
  for (const { currency, booked } of all) {
    currencies.add(currency);
    first = Math.min(first, booked);
  }
  if (all.length === 0) return { currencies, from: '9999' };
  const year = new Date(first - (MAX_RATE_AGE_DAYS + 1) * DAY_MS).getUTCFullYear();
  return { currencies, from: `${year}-01-01` };
}
