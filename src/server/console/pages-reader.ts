import { type BreakdownRow, sortBreakdown } from '../../core/console/build-breakdown.ts';
import { getBucketStart, getBucketUnit, listBuckets } from '../../core/console/build-money-series.ts';
import type { ConsoleQuery } from '../../core/console/console-query.ts';
import {
  buildPageFlows,
  type PageDetail,
  type PageRow,
  type PagesModel,
} from '../../core/console/pages-model.ts';
import { BREAKDOWN_COLUMNS, buildBreakdownCells, getMaxEpc, getSort } from './breakdown-table.ts';
import type { MoneyPeriod, PeriodReader } from './period-reader.ts';
import type { PlacementsReader } from './placements-reader.ts';
import type { ExportTable, ViewReader, ViewRequest } from './view-reader.ts';

export interface PagesReaderOptions {
  readonly periods: PeriodReader;
  readonly placements: PlacementsReader;
  /** Titles of pages and articles by path. */
  readonly readTitles: () => ReadonlyMap<string, string>;
}

/** The league of pages, and one page when the filters leave one. */
export class PagesReader implements ViewReader<PagesModel> {
  readonly #options: PagesReaderOptions;

  constructor(options: PagesReaderOptions) {
    this.#options = options;
  }

  async read({ query }: Pick<ViewRequest, 'query'>): Promise<PagesModel> {
    const { periods } = this.#options;
    const period = await periods.readPeriod(query);
    const [breakdown, series] = await Promise.all([
      periods.readBreakdown(period, 'page'),
      this.#readSeries(query),
    ]);
    const titles = this.#options.readTitles();
    const sort = getSort(query, 'certain');
    const rows = sortBreakdown(breakdown, sort).map(
      (row): PageRow => ({
        ...row,
        title: titles.get(row.key) ?? null,
        series: series.get(row.key) ?? [],
      }),
    );
    const isRanked = rows.some(({ ranked }) => ranked !== null);
    const known = isRanked ? rows.filter(({ ranked }) => ranked?.isKnown === true) : rows;
    const unknown = rows.filter((row) => !known.includes(row));
    return {
      currency: period.currency,
      rows: known,
      unknownRows: sort.column === 'certain' ? [...unknown].sort(compareNeeds) : unknown,
      sort,
      areClicksCounted: rows.every(({ clicks }) => clicks !== null),
      isRanked,
      maxEpc: getMaxEpc(known),
      detail: await this.#readDetail(period),
    };
  }

  async exportTable({ query }: Pick<ViewRequest, 'query'>): Promise<ExportTable> {
    const { rows, unknownRows, currency } = await this.read({ query });
    return {
      columns: ['page', 'title', ...BREAKDOWN_COLUMNS],
      rows: [...rows, ...unknownRows].map((row) => [
        row.key,
        row.title,
        ...buildBreakdownCells(row, currency),
      ]),
    };
  }

  async #readSeries(query: ConsoleQuery): Promise<ReadonlyMap<string, readonly number[]>> {
    const unit = getBucketUnit(query);
    const starts = listBuckets(query, unit).map(({ start }) => start);
    const series = new Map<string, number[]>();
    for (const { key, day, clicks } of await this.#options.periods.readDailyClicks(query)) {
      const values = series.get(key) ?? starts.map(() => 0);
      series.set(key, values);
      const index = starts.indexOf(getBucketStart(day, unit));
      if (index >= 0) values[index] = (values[index] ?? 0) + clicks;
    }
    return series;
  }

  async #readDetail(period: MoneyPeriod): Promise<PageDetail | null> {
    const pages = period.query.filters.filter(({ dimension }) => dimension === 'page');
    const [only] = pages;
    if (only === undefined || only.isNot || pages.length > 1) return null;
    const rows = await this.#options.placements.readRows(period);
    return {
      page: only.value,
      title: this.#options.readTitles().get(only.value) ?? null,
      placements: sortBreakdown(rows, { column: 'clicks', isDescending: true }),
      ...buildPageFlows(period.entries, only.value),
    };
  }
}

function compareNeeds(one: BreakdownRow, other: BreakdownRow): number {
  const isSeen = (row: BreakdownRow) => Number((row.clicks ?? 0) > 0);
  return (
    isSeen(other) - isSeen(one) ||
    (one.ranked?.clicksNeeded ?? Number.MAX_SAFE_INTEGER) -
      (other.ranked?.clicksNeeded ?? Number.MAX_SAFE_INTEGER) ||
    (other.views ?? 0) - (one.views ?? 0)
  );
}
