import { buildCommissionReport } from '../../core/commissions/commission-report.ts';
import { buildCampaignName, type CreditModel } from '../../core/commissions/credit.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { sortBreakdown } from '../../core/console/build-breakdown.ts';
import { buildReportOptions } from '../../core/console/build-period-figures.ts';
import type { CampaignRow, CampaignsModel } from '../../core/console/campaigns-model.ts';
import { getCampaignModel } from '../../core/console/console-names.ts';
import { BREAKDOWN_COLUMNS, buildBreakdownCells, getSort } from './breakdown-table.ts';
import type { MoneyPeriod, PeriodReader } from './period-reader.ts';
import type { ExportTable, ViewReader, ViewRequest } from './view-reader.ts';

/** Campaigns under a credit model, first against last touch. */
export class CampaignsReader implements ViewReader<CampaignsModel> {
  readonly #periods: PeriodReader;

  constructor(periods: PeriodReader) {
    this.#periods = periods;
  }

  async read({ query }: Pick<ViewRequest, 'query'>): Promise<CampaignsModel> {
    const period = await this.#periods.readPeriod(query);
    const [breakdown, groups] = await Promise.all([
      this.#periods.readBreakdown(period, 'campaign'),
      this.#periods.readCampaignGroups(query),
    ]);
    const byName = Map.groupBy(groups, ({ key: [utm_source = '', utm_medium = '', utm_campaign = ''] }) =>
      buildCampaignName({ utm_source, utm_medium, utm_campaign }),
    );
    const [first, last] = [sumByCampaign(period, 'first'), sumByCampaign(period, 'last')];
    const areClicksCounted = breakdown.every(({ clicks }) => clicks !== null);
    const names = new Set([...breakdown.map(({ key }) => key), ...first.keys(), ...last.keys()]);
    const known = new Map(breakdown.map((row) => [row.key, row]));
    const rows = [...names].map((key): CampaignRow => {
      const own = byName.get(key) ?? [];
      const row = known.get(key) ?? { ...EMPTY_ROW, key };
      return {
        ...row,
        sessions: areClicksCounted ? own.reduce((sum, { sessions }) => sum + sessions, 0) : null,
        first: first.get(key) ?? 0,
        last: last.get(key) ?? 0,
        contents: listContents(own),
      };
    });
    const sort = getCampaignSort(query.sort) ?? getSort(query, 'expected');
    return {
      currency: period.currency,
      model: getCampaignModel(query),
      rows: sortCampaigns(rows, sort),
      sort,
      areClicksCounted,
    };
  }

  async exportTable({ query }: Pick<ViewRequest, 'query'>): Promise<ExportTable> {
    const { rows, currency } = await this.read({ query });
    return {
      columns: ['campaign', 'sessions', ...BREAKDOWN_COLUMNS, 'first_touch', 'last_touch'],
      rows: rows.map((row) => [
        row.key,
        row.sessions,
        ...buildBreakdownCells(row, currency),
        formatDecimalAmount(row.first, currency),
        formatDecimalAmount(row.last, currency),
      ]),
    };
  }
}

const EMPTY_ROW = {
  approved: 0,
  pending: 0,
  reversed: 0,
  expected: 0,
  conversions: 0,
  views: 0,
  clicks: 0,
  clickRate: null,
  epc: null,
  rpm: null,
  ranked: null,
} as const;

/** Approved and pending money of each campaign under a model. */
function sumByCampaign({ entries, currency }: MoneyPeriod, model: CreditModel): ReadonlyMap<string, number> {
  const { rows } = buildCommissionReport(entries, new Map(), buildReportOptions('campaign', model));
  return new Map(
    rows.map(({ key, currencies }) => {
      const { approved = 0, pending = 0 } = currencies[currency] ?? {};
      return [key, approved + pending];
    }),
  );
}

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

type Sort = { readonly column: string; readonly isDescending: boolean };

const getCampaignSort = (sort: Sort | null) =>
  sort !== null && Object.hasOwn(OWN_COLUMNS, sort.column) ? sort : null;

function sortCampaigns(rows: readonly CampaignRow[], sort: Sort): readonly CampaignRow[] {
  const getFigure = OWN_COLUMNS[sort.column];
  if (getFigure === undefined) return sortBreakdown(rows, sort);
  const sign = sort.isDescending ? -1 : 1;
  return [...rows].sort(
    (one, other) => sign * (getFigure(one) - getFigure(other)) || (one.key < other.key ? -1 : 1),
  );
}
