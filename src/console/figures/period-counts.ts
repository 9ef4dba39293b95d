import { buildClickKey } from '../../core/commissions/build-click-key.ts';
import { getWeekMaturity, type MatureClicks } from '../../core/commissions/build-ranking.ts';
import type { MaturityCurve } from '../../core/commissions/maturity.ts';
import type { RollupReader, WeightedDays, WeightedRollupGroup } from '../../stores/rollup-reader.ts';
import type { ValueCounts } from './build-breakdown.ts';
import { addDays, getWeekStart } from './console-days.ts';
import type { ConsoleQuery } from './console-query.ts';
import { type CountedDimension, findCountedDimension } from './find-counted-dimension.ts';
import { passesCounts } from './passes-counts.ts';

/** The dimensions that a breakdown has rows of. */
export type BreakdownDimension = Exclude<CountedDimension, 'partner'>;

export interface PeriodCountsOptions {
  readonly query: ConsoleQuery;
  /** How long commissions take; null while too few are known. */
  readonly curve: MaturityCurve | null;
  readonly rollups: RollupReader;
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
