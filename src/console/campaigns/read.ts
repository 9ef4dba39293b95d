import { buildCampaignName } from '../../core/commissions/credit.ts';
import { getBooked } from '../../core/commissions/metric-definitions.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import {
  BREAKDOWN_COLUMNS,
  type BreakdownRow,
  compareKeys,
  compareMoney,
  getCampaignModel,
  nameColumn,
  readBreakdown,
  readTotal,
} from '../figures/breakdown.ts';
import {
  buildListPage,
  type Column,
  column,
  exported,
  getSort,
  metric,
  money,
  parseListPage,
  sortRows,
} from '../figures/columns.ts';
import { NO_CREDIT } from '../figures/period-figures.ts';

/** A campaign with the credit that both ends of the journey would give it; amounts in minor units. */
export interface CampaignRow extends BreakdownRow {
  readonly sessions: number | null;
  /** Approved, paid and pending money under first and under last touch. */
  readonly first: number;
  readonly last: number;
  /** Its contents (`utm_content`) with clicks, most clicks first. */
  readonly contents: readonly { readonly name: string; readonly clicks: number }[];
}

/** Columns after those that every breakdown has. */
const OWN_COLUMNS: readonly Column<CampaignRow>[] = [
  money('firstTouch', 'First touch', ({ first }) => first, { key: 'first', exportName: 'first_touch' }),
  column('touches', 'First against last', () => null, {
    exportName: null,
    sort: null,
    isNumeric: true,
  }),
  money('lastTouch', 'Last touch', ({ last }) => last, { key: 'last', exportName: 'last_touch' }),
];

const SESSIONS: Column<CampaignRow> = metric('visits', 'Visits', ({ sessions }) => sessions, {
  key: 'sessions',
  exportName: 'sessions',
});

export const CAMPAIGN_COLUMNS: readonly Column<CampaignRow>[] = [
  nameColumn('Campaign'),
  exported('campaign', ({ key }) => key),
  SESSIONS,
  ...BREAKDOWN_COLUMNS,
  ...OWN_COLUMNS,
];

/** Reads campaigns under a credit model, first against last touch. */
export async function readCampaigns(site: ConsoleSite, { query, parameters }: ViewRequest) {
  const { rows, period, ...figures } = await readAllCampaigns(site, { query });
  const sum = (get: (row: CampaignRow) => number) => rows.reduce((all, row) => all + get(row), 0);
  const { sum: summed, unmatched } = readTotal(rows, period);
  return {
    ...figures,
    unmatched,
    /** The sum of all rows. */
    sum: {
      ...summed,
      sessions: figures.areClicksCounted ? sum(({ sessions }) => sessions ?? 0) : null,
      first: sum(({ first }) => first),
      last: sum(({ last }) => last),
      contents: [],
    },
    ...buildListPage(rows, parseListPage(parameters)),
    model: getCampaignModel(query),
    /** The highest credit under first or last touch, in minor units; the scale of all bars. */
    highest: rows.reduce((highest, { first, last }) => Math.max(highest, first, last), 1),
  };
}

/** Reads every campaign in the order of a query. */
export async function readAllCampaigns({ periods }: ConsoleSite, { query }: Pick<ViewRequest, 'query'>) {
  const period = await periods.readPeriod(query);
  const { currency, selection } = period;
  const [breakdown, groups] = await Promise.all([
    readBreakdown(periods, period, 'campaign'),
    period.counts.readCampaignGroups(),
  ]);
  const byName = Map.groupBy(groups, ({ key: [utm_source = '', utm_medium = '', utm_campaign = ''] }) =>
    buildCampaignName({ utm_source, utm_medium, utm_campaign }),
  );
  const first = selection.getCredited('campaign', 'first');
  const last = selection.getCredited('campaign', 'last');
  const areClicksCounted = breakdown.every(({ clicks }) => clicks !== null);
  const names = new Set([...breakdown.map(({ key }) => key), ...first.keys(), ...last.keys()]);
  const known = new Map(breakdown.map((row) => [row.key, row]));
  const counted = areClicksCounted ? 0 : null;
  const rows = [...names].map((key): CampaignRow => {
    const own = byName.get(key) ?? [];
    const row = known.get(key) ?? { ...EMPTY_ROW, key, currency, views: counted, clicks: counted };
    return {
      ...row,
      sessions: areClicksCounted ? own.reduce((sum, { sessions }) => sum + sessions, 0) : null,
      first: getBooked(first.get(key) ?? NO_CREDIT),
      last: getBooked(last.get(key) ?? NO_CREDIT),
      contents: listContents(own),
    };
  });
  const sort = getSort(query.sort, CAMPAIGN_COLUMNS, 'expected');
  const isOwn = [SESSIONS, ...OWN_COLUMNS].some(({ key }) => key === sort.column);
  const sorted = sortRows(rows, CAMPAIGN_COLUMNS, sort, isOwn ? compareKeys : compareMoney);
  return { currency, period, rows: sorted, sort, areClicksCounted };
}

const EMPTY_ROW = {
  ...NO_CREDIT,
  clickRate: null,
  epc: null,
  rpm: null,
  ranked: null,
} as const;

function listContents(groups: readonly { readonly key: readonly string[]; readonly clicks: number }[]) {
  return groups
    .filter(({ key, clicks }) => (key[3] ?? '') !== '' && clicks > 0)
    .map(({ key, clicks }) => ({ name: key[3] ?? '', clicks }))
    .sort((one, other) => other.clicks - one.clicks);
}
