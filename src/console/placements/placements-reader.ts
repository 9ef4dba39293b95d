import { yieldToEventLoop } from '../../server/commissions/yield-to-event-loop.ts';
import { buildBreakdownCells, getMaxEpc, getSort } from '../figures/breakdown-table.ts';
import { sortBreakdown } from '../figures/build-breakdown.ts';
import type { ConsoleQuery } from '../figures/console-query.ts';
import { buildListPage, parseListPage } from '../figures/list-page.ts';
import type { MoneyPeriod, PeriodReader } from '../figures/period-reader.ts';
import { readBreakdown } from '../figures/read-breakdown.ts';
import type { PlacementRow } from '../pages/pages-model.ts';
import { buildTable, type ExportTable, type ViewReader, type ViewRequest } from '../view-reader.ts';
import type { PlacementsModel } from './placements-model.ts';

export interface PlacementsReaderOptions {
  readonly periods: PeriodReader;
  /** Titles of pages and articles by path. */
  readonly readTitles: () => ReadonlyMap<string, string>;
}

/** Where on which page links earn. */
export class PlacementsReader implements ViewReader<PlacementsModel> {
  readonly #options: PlacementsReaderOptions;

  constructor(options: PlacementsReaderOptions) {
    this.#options = options;
  }

  async read({ query, parameters }: Pick<ViewRequest, 'query' | 'parameters'>): Promise<PlacementsModel> {
    const { rows, sort, currency } = await this.#readSorted(query);
    return {
      currency,
      ...buildListPage(rows, parseListPage(parameters)),
      sort,
      areClicksCounted: rows.every(({ clicks }) => clicks !== null),
      maxEpc: getMaxEpc(rows),
    };
  }

  async exportTable({ query }: Pick<ViewRequest, 'query'>): Promise<ExportTable> {
    const { rows, currency } = await this.#readSorted(query);
    return buildTable<PlacementRow>(rows, {
      page: ({ page }) => page,
      placement: ({ place }) => place,
      ...buildBreakdownCells(currency),
    });
  }

  async #readSorted(query: ConsoleQuery) {
    const period = await this.#options.periods.readPeriod(query);
    const sort = getSort(query, 'expected');
    const rows = await this.readRows(period);
    await yieldToEventLoop();
    return { currency: period.currency, sort, rows: sortBreakdown(rows, sort) };
  }

  /** Reads the placements of a period, in no order. */
  async readRows(period: MoneyPeriod): Promise<readonly PlacementRow[]> {
    const titles = this.#options.readTitles();
    const rows = await readBreakdown(this.#options.periods, period, 'placement');
    return rows.map((row) => {
      const end = row.key.indexOf(' ');
      const page = row.key.slice(0, end);
      return { ...row, page, title: titles.get(page) ?? null, place: row.key.slice(end + 1) };
    });
  }
}
