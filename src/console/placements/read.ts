import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import {
  BREAKDOWN_COLUMNS,
  compareMoney,
  getMaxEpc,
  nameColumn,
  type PlacementRow,
  readPlacementRows,
  readTotal,
} from '../reports/breakdown.ts';
import { buildListPage, type Column, exported, getSort, sortRows } from '../reports/columns.ts';

export const PLACEMENT_COLUMNS: readonly Column<PlacementRow>[] = [
  nameColumn('Place'),
  exported('page', ({ page }) => page),
  exported('placement', ({ place }) => place),
  ...BREAKDOWN_COLUMNS,
];

/** Reads where on which page links earn. */
export async function readPlacements(site: ConsoleSite, { query, parameters }: ViewRequest) {
  const { rows, sort, period } = await readAllPlacements(site, { query });
  return {
    ...readTotal(rows, period),
    ...buildListPage(rows, parameters),
    sort,
    areClicksCounted: rows.every(({ clicks }) => clicks !== null),
    /** The highest end of an interval, in minor units; the scale of all of them. */
    maxEpc: getMaxEpc(rows),
  };
}

/** Reads every placement in the order of a query. */
export async function readAllPlacements(
  site: ConsoleSite,
  { query }: { readonly query: ViewRequest['query'] },
) {
  const period = await site.periods.readPeriod(query);
  const sort = getSort(query.sort, PLACEMENT_COLUMNS, 'expected');
  const rows = await readPlacementRows(site, period);
  return { period, sort, rows: sortRows(rows, PLACEMENT_COLUMNS, sort, compareMoney) };
}
