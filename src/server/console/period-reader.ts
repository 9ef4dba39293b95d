import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { buildRanking, type WeeklyClicks } from '../../core/commissions/build-ranking.ts';
import { buildClickCounts } from '../../core/commissions/commission-report.ts';
import type { MaturityCurve } from '../../core/commissions/maturity.ts';
import { buildClickCurve } from '../../core/commissions/partner-maturity.ts';
import type { Ranked } from '../../core/commissions/ranking.ts';
import { type BreakdownRow, buildBreakdown, type ValueCounts } from '../../core/console/build-breakdown.ts';
import { type ApprovalRates, buildApprovalRates } from '../../core/console/build-period-figures.ts';
import { getMonday } from '../../core/console/console-days.ts';
import { getCampaignModel, getPageModel } from '../../core/console/console-names.ts';
import type { ConsoleQuery } from '../../core/console/console-query.ts';
import { passesCounts } from '../../core/console/passes-counts.ts';
import { selectEntries } from '../../core/console/select-entries.ts';
import { buildPageName } from '../../core/events/page-name.ts';
import type { RollupGroup, RollupReader } from '../../core/events/rollup-store.ts';

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
  /** Those of the period that count and pass the filters, in the currency. */
  readonly entries: readonly LedgerEntry[];
  readonly all: readonly LedgerEntry[];
}

type Dimension = 'page' | 'placement' | 'campaign';

/** Reads money and counts of a period. Every method rejects with `CommissionStoreError` or `EventStoreError`. */
export class PeriodReader {
  readonly #options: PeriodReaderOptions;
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
    const all = await this.#options.readEntries();
    const currency = query.currency ?? listCurrencies(all)[0] ?? 'USD';
    const period = { query, currency, all, ...this.#readHistory(all, currency) };
    return { ...period, entries: this.selectEntries(period, query) };
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
  selectEntries({ all, currency }: Pick<MoneyPeriod, 'all' | 'currency'>, query: ConsoleQuery) {
    const selected = selectEntries(all, { ...query, currency }, this.#options.timeZone);
    return selected.filter(({ isCounted }) => isCounted);
  }

  /** Counts the clicks of each day; null where they cannot be counted for the filters. */
  async readClicksByDay(query: ConsoleQuery): Promise<ReadonlyMap<string, number> | null> {
    const dimension = findDimension(query, 'page');
    if (dimension === null) return null;
    const { from, to } = query;
    const { rollups } = this.#options;
    const isFiltered = listCountFilters(query).length > 0;
    const keys = isFiltered ? (await this.#readGroups(query, dimension)).map(({ key }) => key) : undefined;
    if (keys?.length === 0) return new Map();
    const days = await rollups.readByDay({ dimension, from, to, keys });
    return new Map(days.map(({ key, clicks }) => [key[0] ?? '', clicks]));
  }

  /** Counts views and clicks by the values of a dimension; null where they cannot be counted for the filters. */
  async readCounts(query: ConsoleQuery, by: Dimension): Promise<ReadonlyMap<string, ValueCounts> | null> {
    const dimension = findDimension(query, by);
    if (dimension === null) return null;
    // Counts by placement have no views: they are those of the page, for every partner.
    const [groups, pages] = await Promise.all([
      this.#readGroups(query, dimension),
      dimension === 'placement' ? this.#readGroups(query, 'page') : [],
    ]);
    const views = new Map(pages.map((group) => [group.key[0], group.views]));
    const counts = new Map<string, ValueCounts>();
    for (const group of groups) {
      const key = getCountKey(group, by);
      const known = counts.get(key);
      const own =
        dimension === 'placement' ? (views.get(group.key[0]) ?? 0) : (known?.views ?? 0) + group.views;
      counts.set(key, { views: own, clicks: (known?.clicks ?? 0) + group.clicks });
    }
    return counts;
  }

  /** Counts the clicks of each page by day. */
  async readDailyClicks(query: ConsoleQuery) {
    const dimension = findDimension(query, 'page');
    if (dimension === null) return [];
    const { from, to, filters } = query;
    const groups = await this.#options.rollups.readByDayAndKey({ dimension, from, to });
    return groups.flatMap(({ key, day, clicks }) =>
      clicks > 0 && passesCounts(key, dimension, filters) ? [{ key: key[0] ?? '', day, clicks }] : [],
    );
  }

  /** Reads the counts of campaigns down to their contents; empty where they cannot be counted for the filters. */
  async readCampaignGroups(query: ConsoleQuery): Promise<readonly RollupGroup[]> {
    const dimension = findDimension(query, 'campaign');
    return dimension === null ? [] : this.#readGroups(query, dimension);
  }

  /** Counts the clicks of each value by week, in the order of the weeks. */
  async readWeeklyClicks(query: ConsoleQuery, by: Dimension): Promise<readonly WeeklyClicks[]> {
    const dimension = findDimension(query, by);
    if (dimension === null) return [];
    const { from, to } = query;
    const groups = await this.#options.rollups.readByDayAndKey({ dimension, from, to });
    const sums = new Map<string, WeeklyClicks>();
    // There are many rows to a day.
    const weeks = new Map<string, number>();
    for (const group of groups) {
      if (group.clicks === 0 || !passesCounts(group.key, dimension, query.filters)) continue;
      const key = getCountKey(group, by);
      const week = weeks.get(group.day) ?? Date.parse(getMonday(group.day));
      weeks.set(group.day, week);
      const known = sums.get(`${week} ${key}`);
      sums.set(`${week} ${key}`, { key, week, clicks: (known?.clicks ?? 0) + group.clicks });
    }
    return [...sums.values()];
  }

  /** Reads what each page, placement or campaign earned, with the ranking of clicks. */
  async readBreakdown(period: MoneyPeriod, by: Dimension): Promise<readonly BreakdownRow[]> {
    const { query, currency, entries, rates, curve } = period;
    // A page is as certain among all pages as alone: filters by the dimension itself do not change the ranking.
    const ranked = { ...query, filters: query.filters.filter(({ dimension }) => dimension !== by) };
    const [counts, clicks] = await Promise.all([
      this.readCounts(query, by),
      this.readWeeklyClicks(ranked, by),
    ]);
    const isRanked = counts !== null && query.clock === 'click';
    const ranking: ReadonlyMap<string, Ranked> = isRanked
      ? new Map(
          buildRanking({
            by,
            currency,
            commissions:
              ranked.filters.length === query.filters.length ? entries : this.selectEntries(period, ranked),
            clicks,
            now: this.#options.now(),
            curve,
          }).rows.map((row) => [row.key, row]),
        )
      : new Map();
    const paths = new Map([...(counts?.keys() ?? [])].map((path) => [buildPageName(path), path]));
    return buildBreakdown({
      by,
      currency,
      entries,
      counts,
      rates,
      ranking,
      model: by === 'campaign' ? getCampaignModel(query) : getPageModel(query),
      ...(by === 'page' ? { getKey: (name) => paths.get(name) ?? name } : {}),
    });
  }

  async #readGroups(query: ConsoleQuery, dimension: Dimension): Promise<readonly RollupGroup[]> {
    const { from, to, filters } = query;
    const groups = await this.#options.rollups.readByKey({ dimension, from, to });
    return groups.filter(({ key }) => passesCounts(key, dimension, filters));
  }
}

const DAY_MS = 86_400_000;
/** Older clicks say little about how long commissions take now. */
const CURVE_MS = 53 * 7 * DAY_MS;

/** Currencies of commissions that count, the one with the most money first. */
export function listCurrencies(entries: readonly LedgerEntry[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { isCounted, commission } of entries) {
    if (!isCounted) continue;
    const { currency, amount, reversedAmount } = commission;
    sums.set(currency, (sums.get(currency) ?? 0) + Math.abs(amount) + Math.abs(reversedAmount));
  }
  return [...sums].sort(([, one], [, other]) => other - one).map(([currency]) => currency);
}

/** Filters that clicks can be counted by; the status belongs to commissions alone. */
function listCountFilters({ filters }: ConsoleQuery) {
  return filters.filter(({ dimension }) => dimension !== 'status');
}

/**
 * The dimension whose counts answer a query by a dimension: counts are by one dimension each, so that campaigns cannot
 * be combined with pages, places and partners. Null when no dimension has all filters.
 */
function findDimension(query: ConsoleQuery, by: Dimension): Dimension | null {
  const used = new Set(listCountFilters(query).map(({ dimension }) => dimension));
  if (used.size === 0) return by;
  const isWithin = (...known: readonly string[]) => [...used].every((dimension) => known.includes(dimension));
  if (by === 'campaign') return isWithin('campaign') ? 'campaign' : null;
  if (by === 'page' && isWithin('page')) return 'page';
  return isWithin('page', 'placement', 'partner') ? 'placement' : null;
}

/** The key of a row for counts; those by placement belong to pages too. */
function getCountKey(group: RollupGroup, by: Dimension): string {
  const [key] = buildClickCounts([{ ...group, key: trimKey(group, by), clicks: 1 }], {
    by,
    answerField: '',
  }).keys();
  return key ?? '';
}

const trimKey = ({ key }: RollupGroup, by: Dimension) => (by === 'page' ? key.slice(0, 1) : key);
