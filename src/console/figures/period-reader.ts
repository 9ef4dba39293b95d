import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../../core/clock.ts';
import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { buildClickCurve, type MaturityCurve } from '../../core/commissions/maturity.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';
import { yieldToEventLoop } from '../../server/commissions/yield-to-event-loop.ts';
import type { RollupReader } from '../../stores/rollup-reader.ts';
import { type ApprovalRates, buildApprovalRates } from './build-period-figures.ts';
import type { ConsoleQuery } from './console-query.ts';
import { findCountedDimension } from './find-counted-dimension.ts';
import { listCurrencies } from './list-currencies.ts';
import { passesCounts } from './passes-counts.ts';
import { PeriodCounts } from './period-counts.ts';
import { selectEntries } from './select-entries.ts';

/** What the views about money read. */
export interface PeriodReaderOptions {
  /** Every commission with its journey. Rejects with `CommissionStoreError`. */
  readonly readEntries: () => Promise<readonly LedgerEntry[]>;
  readonly rollups: RollupReader;
  readonly timeZone: string;
  /** ms since 1970. */
  readonly now: () => number;
}

interface History {
  readonly rates: ApprovalRates;
  /** How long commissions take; null while too few are known. */
  readonly curve: MaturityCurve | null;
}

/** Commissions of a period, and what is known beyond it. */
export interface MoneyPeriod extends History {
  readonly query: ConsoleQuery;
  readonly currency: string;
  /** Those of the period that count and pass the filters, in the currency; the same list while nothing changes. */
  readonly entries: readonly LedgerEntry[];
  readonly all: readonly LedgerEntry[];
  readonly counts: PeriodCounts;
}

/** Reads money and counts of a period. Every method rejects with `CommissionStoreError` or `EventStoreError`. */
export class PeriodReader {
  readonly #options: PeriodReaderOptions;
  /** Selected commissions by what they were selected by, of each list of all commissions. */
  readonly #getSelected = memoizeByKey(
    (_all: readonly LedgerEntry[]) => new LRUCache<string, readonly LedgerEntry[]>({ max: MAX_SELECTED }),
  );
  #history: {
    readonly all: readonly LedgerEntry[];
    readonly currency: string;
    readonly day: number;
    readonly history: History;
  } | null = null;

  constructor(options: PeriodReaderOptions) {
    this.#options = options;
  }

  /** Reads the commissions of a query. Of several currencies it is the one with the most money. */
  async readPeriod(query: ConsoleQuery): Promise<MoneyPeriod> {
    const { readEntries, rollups, now } = this.#options;
    const all = await readEntries();
    const currency = query.currency ?? listCurrencies(all)[0] ?? 'USD';
    const history = this.#readHistory(all, currency);
    await yieldToEventLoop();
    return {
      query,
      currency,
      all,
      ...history,
      entries: this.selectEntries({ all, currency }, query),
      counts: new PeriodCounts({ query, curve: history.curve, rollups, now: now() }),
    };
  }

  /** What all commissions of a currency say; the list is the same while nothing has changed. */
  #readHistory(all: readonly LedgerEntry[], currency: string): History {
    const { now } = this.#options;
    const day = Math.floor(now() / DAY_MS);
    const cached = this.#history;
    if (cached?.all === all && cached.currency === currency && cached.day === day) return cached.history;
    const since = now() - CURVE_MS;
    const known = all.filter(
      ({ isCounted, journey, commission }) =>
        isCounted && journey !== null && journey.clickTime >= since && commission.currency === currency,
    );
    const history = {
      rates: buildApprovalRates(all, currency),
      curve: buildClickCurve(known, { now: now() }),
    };
    this.#history = { all, currency, day, history };
    return history;
  }

  /** The commissions of another query in the currency of a period, that of its comparison for example. */
  selectEntries(
    { all, currency }: Pick<MoneyPeriod, 'all' | 'currency'>,
    query: ConsoleQuery,
  ): readonly LedgerEntry[] {
    const { from, to, clock, model, filters } = query;
    const key = JSON.stringify([from, to, clock, model, filters, currency]);
    const known = this.#getSelected(all).get(key);
    if (known !== undefined) return known;
    const selected = selectEntries(all, { ...query, currency }, this.#options.timeZone);
    const counted = selected.filter(({ isCounted }) => isCounted);
    this.#getSelected(all).set(key, counted);
    return counted;
  }

  /** Counts the clicks of each day; null where they cannot be counted for the filters. */
  async readClicksByDay(query: ConsoleQuery): Promise<ReadonlyMap<string, number> | null> {
    // There are few partners, so that their counts are the fastest ones to sum.
    const dimension = findCountedDimension(query, 'partner');
    if (dimension === null) return null;
    const { from, to, filters } = query;
    const { rollups } = this.#options;
    const isFiltered = filters.some((filter) => filter.dimension !== 'status');
    const groups = isFiltered ? await rollups.readByKey({ dimension, from, to }) : [];
    const keys = groups.map(({ key }) => key).filter((key) => passesCounts(key, dimension, filters));
    if (isFiltered && keys.length === 0) return new Map();
    const days = await rollups.readByDay({ dimension, from, to, keys: isFiltered ? keys : undefined });
    return new Map(days.map(({ key, clicks }) => [key[0] ?? '', clicks]));
  }
}

/** Older clicks say little about how long commissions take now. */
const CURVE_MS = 53 * 7 * DAY_MS;
/** A view selects at most four times; each list has up to as many entries as the ledger. */
const MAX_SELECTED = 8;
