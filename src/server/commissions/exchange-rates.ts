import { DAY_MS } from '../../core/clock.ts';
import {
  type ConvertedList,
  convertEntries,
  type ExchangeRate,
  MAX_RATE_AGE_DAYS,
  RateTable,
} from '../../core/commissions/exchange-rates.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import type { Ledger } from '../../stores/ledger.ts';

/**
 * Converts the commissions of a ledger into one currency. Rates and converted commissions are cached while they stay the
 * same, also when another process changes them. Every method rejects with `LedgerError`.
 */
export class EntryConverter {
  readonly #ledger: Ledger;
  readonly #timeZone: string;
  #needs: {
    readonly entries: readonly LedgerEntry[];
    readonly needs: ReturnType<typeof findRateNeeds>;
  } | null = null;
  #table: { readonly key: string; readonly table: RateTable } | null = null;
  #converted: (ConvertedList & { readonly table: RateTable }) | null = null;

  /** Days of bookings are those of `timeZone` (IANA name). */
  constructor(ledger: Ledger, timeZone: string) {
    this.#ledger = ledger;
    this.#timeZone = timeZone;
  }

  /** The currency in which the console shows totals; null without one. */
  async readReportingCurrency(): Promise<string | null> {
    return (await this.#ledger.readRateState()).reportingCurrency;
  }

  /** Converts into the reporting currency; the same list, and null, without one. */
  async convertToReporting(
    entries: readonly LedgerEntry[],
  ): Promise<{ readonly entries: readonly LedgerEntry[]; readonly currency: string | null }> {
    const { reportingCurrency: currency, version } = await this.#ledger.readRateState();
    return currency === null
      ? { entries, currency }
      : { entries: await this.#convert(entries, currency, version), currency };
  }

  /** The newest rate into the reporting currency, by currency; without those that have none. */
  async readNewestRates(entries: readonly LedgerEntry[]): Promise<ReadonlyMap<string, ExchangeRate>> {
    const { reportingCurrency, version } = await this.#ledger.readRateState();
    if (reportingCurrency === null) return new Map();
    const table = await this.#readTable(entries, reportingCurrency, version);
    return new Map(
      findRateNeeds(entries).currencies.flatMap((code) => {
        const day = table.findNewestDay(code);
        const rate = day === null ? null : table.findRate(code, day);
        return rate === null ? [] : [[code, rate] as const];
      }),
    );
  }

  /** Converts into a currency (ISO 4217); the same list while entries and rates are the same. */
  async convert(entries: readonly LedgerEntry[], currency: string): Promise<readonly LedgerEntry[]> {
    return this.#convert(entries, currency, (await this.#ledger.readRateState()).version);
  }

  async #convert(entries: readonly LedgerEntry[], currency: string, version: string) {
    const table = await this.#readTable(entries, currency, version);
    const known = this.#converted?.table === table ? this.#converted : null;
    if (known?.entries === entries) return known.list;
    const list = convertEntries(entries, table, this.#timeZone, known);
    this.#converted = { entries, table, list };
    return list;
  }

  async #readTable(entries: readonly LedgerEntry[], currency: string, version: string): Promise<RateTable> {
    const needs = this.#needs?.entries === entries ? this.#needs.needs : findRateNeeds(entries);
    this.#needs = { entries, needs };
    const key = JSON.stringify([version, currency, needs]);
    const known = this.#table;
    if (known?.key === key) return known.table;
    const currencies = [...new Set([currency, 'EUR', ...needs.currencies])];
    const table = new RateTable(await this.#ledger.readRates(needs.from, currencies), currency);
    // Another request may have read the same rates meanwhile; what was converted with them stays valid.
    if (this.#table?.key === key) return this.#table.table;
    this.#table = { key, table };
    return table;
  }
}

/**
 * Of which currencies rates are needed, and from which day on: from the beginning of a year, so that rates are not read
 * again for each earlier commission.
 */
function findRateNeeds(entries: readonly LedgerEntry[]) {
  const currencies = new Set<string>();
  let first = Number.MAX_SAFE_INTEGER;
  for (const { commission } of entries) {
    currencies.add(commission.currency);
    first = Math.min(first, commission.eventTime);
  }
  if (entries.length === 0) return { currencies: [], from: '9999' };
  const year = new Date(first - (MAX_RATE_AGE_DAYS + 1) * DAY_MS).getUTCFullYear();
  return { currencies: [...currencies].sort(), from: `${year}-01-01` };
}
