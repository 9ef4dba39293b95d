import { buildCampaignName, type CreditModel } from '../../core/commissions/credit.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import {
  type BreakdownRow,
  buildBreakdownCells,
  type CreditedMoney,
  getCreditedMoney,
  getSort,
  readBreakdown,
  sortBreakdown,
} from '../figures/breakdown.ts';
import { buildListPage, type ListPage, parseListPage } from '../figures/list-page.ts';
import { getCampaignModel } from '../figures/names.ts';
import type { PeriodReader } from '../figures/periods.ts';
import type { ConsoleQuery, ConsoleSort } from '../figures/query.ts';
import { buildTable, type ExportTable, type ViewReader, type ViewRequest } from '../views.ts';

/** A campaign with the credit that both ends of the journey would give it; amounts in minor units. */
export interface CampaignRow extends BreakdownRow {
  readonly sessions: number | null;
  /** Approved and pending money under first and under last touch. */
  readonly first: number;
  readonly last: number;
  /** Its contents (`utm_content`) with clicks, most clicks first. */
  readonly contents: readonly { readonly name: string; readonly clicks: number }[];
}

/** Campaigns under a credit model. */
export interface CampaignsModel extends ListPage<CampaignRow> {
  readonly currency: string;
  readonly model: CreditModel;
  /** The highest credit under first or last touch, in minor units; the scale of all bars. */
  readonly highest: number;
  readonly sort: ConsoleSort;
  readonly areClicksCounted: boolean;
}

/** Campaigns under a credit model, first against last touch. */
export class CampaignsReader implements ViewReader<CampaignsModel> {
  readonly #periods: PeriodReader;

  constructor(periods: PeriodReader) {
    this.#periods = periods;
  }

  async read({ query, parameters }: Pick<ViewRequest, 'query' | 'parameters'>): Promise<CampaignsModel> {
    const { rows, ...model } = await this.#readSorted(query);
    return {
      ...model,
      ...buildListPage(rows, parseListPage(parameters)),
      model: getCampaignModel(query),
      highest: rows.reduce((highest, { first, last }) => Math.max(highest, first, last), 1),
    };
  }

  async exportTable({ query }: Pick<ViewRequest, 'query'>): Promise<ExportTable> {
    const { rows, currency } = await this.#readSorted(query);
    return buildTable<CampaignRow>(rows, {
      campaign: ({ key }) => key,
      sessions: ({ sessions }) => sessions,
      ...buildBreakdownCells(currency),
      first_touch: ({ first }) => formatDecimalAmount(first, currency),
      last_touch: ({ last }) => formatDecimalAmount(last, currency),
    });
  }

  async #readSorted(query: ConsoleQuery) {
    const period = await this.#periods.readPeriod(query);
    const [breakdown, groups] = await Promise.all([
      readBreakdown(this.#periods, period, 'campaign'),
      period.counts.readCampaignGroups(),
    ]);
    const byName = Map.groupBy(groups, ({ key: [utm_source = '', utm_medium = '', utm_campaign = ''] }) =>
      buildCampaignName({ utm_source, utm_medium, utm_campaign }),
    );
    const first = getCreditedMoney(period, 'campaign', 'first');
    const last = getCreditedMoney(period, 'campaign', 'last');
    const areClicksCounted = breakdown.every(({ clicks }) => clicks !== null);
    const names = new Set([...breakdown.map(({ key }) => key), ...first.keys(), ...last.keys()]);
    const known = new Map(breakdown.map((row) => [row.key, row]));
    const counted = areClicksCounted ? 0 : null;
    const rows = [...names].map((key): CampaignRow => {
      const own = byName.get(key) ?? [];
      const row = known.get(key) ?? { ...EMPTY_ROW, key, views: counted, clicks: counted };
      return {
        ...row,
        sessions: areClicksCounted ? own.reduce((sum, { sessions }) => sum + sessions, 0) : null,
        first: getBooked(first.get(key)),
        last: getBooked(last.get(key)),
        contents: listContents(own),
      };
    });
    const sort = getCampaignSort(query.sort) ?? getSort(query, 'expected');
    return { currency: period.currency, rows: sortCampaigns(rows, sort), sort, areClicksCounted };
  }
}

const EMPTY_ROW = {
  approved: 0,
  pending: 0,
  reversed: 0,
  expected: 0,
  conversions: 0,
  clickRate: null,
  epc: null,
  rpm: null,
  ranked: null,
} as const;

/** Approved and pending money. */
const getBooked = (money: CreditedMoney | undefined) => (money?.approved ?? 0) + (money?.pending ?? 0);

function listContents(groups: readonly { readonly key: readonly string[]; readonly clicks: number }[]) {
  return groups
    .filter(({ key, clicks }) => (key[3] ?? '') !== '' && clicks > 0)
    .map(({ key, clicks }) => ({ name: key[3] ?? '', clicks }))
    .sort((one, other) => other.clicks - one.clicks);
}

const OWN_COLUMNS: Readonly<Record<string, (row: CampaignRow) => number>> = {
  sessions: ({ sessions }) => sessions ?? 0,
  first: ({ first }) => first,
  last: ({ last }) => last,
};

const getCampaignSort = (sort: ConsoleSort | null) =>
  sort !== null && Object.hasOwn(OWN_COLUMNS, sort.column) ? sort : null;

function sortCampaigns(rows: readonly CampaignRow[], sort: ConsoleSort): readonly CampaignRow[] {
  const getFigure = OWN_COLUMNS[sort.column];
  if (getFigure === undefined) return sortBreakdown(rows, sort);
  const sign = sort.isDescending ? -1 : 1;
  return [...rows].sort(
    (one, other) => sign * (getFigure(one) - getFigure(other)) || (one.key < other.key ? -1 : 1),
  );
}
