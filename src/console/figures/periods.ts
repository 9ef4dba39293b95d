import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../../core/clock.ts';
import { buildClickKey } from '../../core/commissions/build-click-key.ts';
import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { getWeekMaturity, type MatureClicks } from '../../core/commissions/build-ranking.ts';
import { buildCampaignName } from '../../core/commissions/credit.ts';
import { buildClickCurve, type MaturityCurve } from '../../core/commissions/maturity.ts';
import type { RollupDimension } from '../../core/events/rollup.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';
import type { Rollups, WeightedDays, WeightedRollupGroup } from '../../stores/rollups.ts';
import type { ValueCounts } from './breakdown.ts';
import { type ApprovalRates, buildApprovalRates, listCurrencies } from './period-figures.ts';
import type { ConsoleDimension, ConsoleFilter, ConsoleQuery } from './query.ts';
import { addDays, getWeekStart } from './range.ts';
import { selectEntries } from './select-entries.ts';

/** Dimensions of counted clicks that filters of the console can be applied to. */
export type CountedDimension = Extract<RollupDimension, 'page' | 'placement' | 'campaign' | 'partner'>;

/**
 * The dimension whose counts answer a query by a dimension: counts are by one dimension each, so that campaigns cannot
 * be combined with pages, places and partners. Null when no dimension has all filters; the status belongs to
 * commissions alone.
 */
export function findCountedDimension(
  { filters }: Pick<ConsoleQuery, 'filters'>,
  by: CountedDimension,
): CountedDimension | null {
  const used = filters.map(({ dimension }) => dimension).filter((dimension) => dimension !== 'status');
  if (used.length === 0) return by;
  const isWithin = (...known: readonly string[]) => used.every((dimension) => known.includes(dimension));
  if (by === 'campaign') return isWithin('campaign') ? 'campaign' : null;
  if (isWithin(by) && by !== 'placement') return by;
  if (isWithin('page') && by !== 'placement') return 'page';
  return isWithin('page', 'placement', 'partner') ? 'placement' : null;
}

/**
 * Whether something passes filters: in each dimension it has one of the values that are asked for, if any are, and
 * none of the excluded ones. `has` says whether it has the value of a filter.
 */
export function passesValues(
  filters: readonly ConsoleFilter[],
  has: (filter: ConsoleFilter) => boolean,
): boolean {
  const wanted = new Map<ConsoleDimension, boolean>();
  for (const filter of filters) {
    const isFound = has(filter);
    if (filter.isNot && isFound) return false;
    if (!filter.isNot) wanted.set(filter.dimension, isFound || wanted.get(filter.dimension) === true);
  }
  return [...wanted.values()].every((isFound) => isFound);
}

/**
 * Whether counted events with a key of a dimension pass the filters, as far as the key says it. The status belongs to
 * commissions alone.
 */
export function passesCounts(
  key: readonly string[],
  dimension: RollupDimension,
  filters: readonly ConsoleFilter[],
): boolean {
  const values = listValues(key, dimension);
  const known = filters.filter((filter) => values[filter.dimension] !== undefined);
  return passesValues(known, (filter) => values[filter.dimension] === filter.value);
}

function listValues(
  [first = '', second = '', third = '']: readonly string[],
  dimension: RollupDimension,
): Partial<Record<ConsoleFilter['dimension'], string>> {
  switch (dimension) {
    case 'page':
      return { page: first };
    case 'placement':
      return { page: first, placement: `${first} ${second || '(none)'}`, partner: third };
    case 'campaign':
      return {
        campaign: buildCampaignName({ utm_source: first, utm_medium: second, utm_campaign: third }),
      };
    case 'partner':
      return { partner: first };
    default:
      return {};
  }
}

/** The dimensions that a breakdown has rows of. */
export type BreakdownDimension = Exclude<CountedDimension, 'partner'>;

export interface PeriodCountsOptions {
  readonly query: ConsoleQuery;
  /** How long commissions take; null while too few are known. */
  readonly curve: MaturityCurve | null;
  readonly rollups: Rollups;
  /** ms since 1970. */
  readonly now: number;
}

/** Counts of the events of a period, each read once for all that a view shows. Rejects with `EventStoreError`. */
export class PeriodCounts {
  readonly #options: PeriodCountsOptions;
  readonly #reads = new Map<CountedDimension, Promise<readonly WeightedRollupGroup[]>>();

  constructor(options: PeriodCountsOptions) {
    this.#options = options;
  }

  /** Counts views and clicks by the values of a dimension; null where they cannot be counted for the filters. */
  async readCounts(by: BreakdownDimension): Promise<ReadonlyMap<string, ValueCounts> | null> {
    const { query } = this.#options;
    const dimension = findCountedDimension(query, by);
    if (dimension === null) return null;
    // Counts by placement have no views: they are those of the page, for every partner.
    const [groups, pages] = await Promise.all([
      this.#readFiltered(dimension, query.filters),
      dimension === 'placement' ? this.#readFiltered('page', query.filters) : [],
    ]);
    const pageViews = new Map(pages.map((group) => [group.key[0], group.views]));
    const counts = new Map<string, { views: number; clicks: number }>();
    for (const group of groups) {
      const key = getCountKey(group, by);
      const sum = counts.get(key) ?? { views: 0, clicks: 0 };
      counts.set(key, sum);
      if (dimension === 'placement') sum.views = pageViews.get(group.key[0]) ?? 0;
      else sum.views += group.views;
      sum.clicks += group.clicks;
    }
    return counts;
  }

  /** Counts the clicks of each value that others are compared with: filters by the dimension itself do not apply. */
  async readMatureClicks(by: BreakdownDimension): Promise<readonly MatureClicks[]> {
    const { query } = this.#options;
    const dimension = findCountedDimension(query, by);
    if (dimension === null) return [];
    const groups = await this.#readFiltered(dimension, dropFilters(query, by).filters);
    const sums = new Map<string, { clicks: number; matureClicks: number }>();
    for (const group of groups) {
      if (group.clicks === 0) continue;
      const key = getCountKey(group, by);
      const sum = sums.get(key) ?? { clicks: 0, matureClicks: 0 };
      sums.set(key, sum);
      sum.clicks += group.clicks;
      sum.matureClicks += group.weightedClicks;
    }
    return [...sums].map(([key, sum]) => ({ key, ...sum }));
  }

  /** Reads the counts of campaigns down to their contents; empty where they cannot be counted for the filters. */
  async readCampaignGroups(): Promise<readonly WeightedRollupGroup[]> {
    const dimension = findCountedDimension(this.#options.query, 'campaign');
    return dimension === null ? [] : this.#readFiltered(dimension, this.#options.query.filters);
  }

  /** Counts the clicks of pages in each of several periods within this one, by path. */
  async readPageSeries(
    paths: ReadonlySet<string>,
    periods: readonly Pick<WeightedDays, 'from' | 'to'>[],
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    const { query, rollups } = this.#options;
    const dimension = findCountedDimension(query, 'page');
    if (dimension === null || paths.size === 0) return new Map();
    const groups = await this.#readFiltered(dimension, query.filters);
    const keys = groups.map(({ key }) => key).filter(([path = '']) => paths.has(path));
    const series = new Map<string, number[]>();
    for (const { key, period, clicks } of await rollups.readClicks({ dimension, keys, periods })) {
      const [path = ''] = key;
      const values = series.get(path) ?? periods.map(() => 0);
      series.set(path, values);
      values[period] = (values[period] ?? 0) + clicks;
    }
    return series;
  }

  async #readFiltered(dimension: CountedDimension, filters: ConsoleQuery['filters']) {
    const { query, curve, rollups, now } = this.#options;
    const reading =
      this.#reads.get(dimension) ?? rollups.readWeighted({ dimension, days: listWeeks(query, curve, now) });
    this.#reads.set(dimension, reading);
    const groups = await reading;
    return filters.length === 0 ? groups : groups.filter(({ key }) => passesCounts(key, dimension, filters));
  }
}

/** A query without its filters by one dimension. */
export function dropFilters(query: ConsoleQuery, by: BreakdownDimension): ConsoleQuery {
  return { ...query, filters: query.filters.filter(({ dimension }) => dimension !== by) };
}

/** The weeks of a period; a click of each weighs the share of its commissions that has usually arrived. */
function listWeeks(
  { from, to }: Pick<ConsoleQuery, 'from' | 'to'>,
  curve: MaturityCurve | null,
  now: number,
): readonly WeightedDays[] {
  if (curve === null) return [{ from, to, weight: 1 }];
  const weeks: WeightedDays[] = [];
  for (let monday = getWeekStart(from, 'monday'); monday <= to; monday = addDays(monday, 7)) {
    const last = addDays(monday, 6);
    weeks.push({
      from: monday < from ? from : monday,
      to: last > to ? to : last,
      weight: getWeekMaturity(curve, Date.parse(monday), now),
    });
  }
  return weeks;
}

/** The key of a row for counts; those by placement belong to pages too. */
function getCountKey({ key }: WeightedRollupGroup, by: BreakdownDimension): string {
  return buildClickKey(by === 'page' ? key.slice(0, 1) : key, by, '') ?? '';
}

/** What the views about money read. */
export interface PeriodReaderOptions {
  /** Every commission with its journey. Rejects with `LedgerError`. */
  readonly readEntries: () => Promise<readonly LedgerEntry[]>;
  readonly rollups: Rollups;
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

/** Reads money and counts of a period. Every method rejects with `LedgerError` or `EventStoreError`. */
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
