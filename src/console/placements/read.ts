import {
  buildBreakdownCells,
  getMaxEpc,
  getSort,
  readBreakdown,
  sortBreakdown,
} from '../figures/breakdown.ts';
import { buildListPage, type ListPage, parseListPage } from '../figures/list-page.ts';
import type { MoneyPeriod, PeriodReader } from '../figures/periods.ts';
import type { ConsoleQuery, ConsoleSort } from '../figures/query.ts';
import type { PlacementRow } from '../pages/read.ts';
import { buildTable, type ExportTable, type ViewReader, type ViewRequest } from '../views.ts';

/** Placements: where on which page a link is. */
export interface PlacementsModel extends ListPage<PlacementRow> {
  readonly currency: string;
  readonly sort: ConsoleSort;
  readonly areClicksCounted: boolean;
  /** The highest end of an interval, in minor units; the scale of all of them. */
  readonly maxEpc: number;
}

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
