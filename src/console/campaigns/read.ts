import {
  buildCampaignProfit,
  type CampaignProfit,
  type CostSums,
  listCostDays,
  sumCosts,
  sumProfits,
} from '../../core/commissions/cost/campaign-cost.ts';
import { buildCampaignName, buildCampaignSource } from '../../core/commissions/credit/credit.ts';
import { getBooked } from '../../core/commissions/metric-definitions.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import type { Task } from '../../core/console/task.ts';
import type { Costs } from '../../stores/costs.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import {
  BREAKDOWN_COLUMNS,
  type BreakdownRow,
  compareKeys,
  compareMoney,
  getCampaignModel,
  nameColumn,
  readBookedMoney,
  readBreakdown,
  readClickEstimates,
  readTotal,
  sortBreakdown,
} from '../reports/breakdown.ts';
import {
  buildListPage,
  type Column,
  column,
  exported,
  formatAmountCell,
  getSort,
  metric,
  money,
  sortRows,
} from '../reports/columns.ts';
import {
  buildApprovalRates,
  getBucketUnit,
  listBuckets,
  listCurrencies,
  NO_CREDIT,
} from '../reports/period-figures.ts';
import type { MoneyPeriod, PeriodReader } from '../reports/periods.ts';
import { passesValues } from '../reports/select-entries.ts';
import { readCampaignVerdicts, type Verdict } from '../reports/verdicts.ts';

/** A campaign or a source with its visits and its cost. */
export interface CostReportRow extends BreakdownRow {
  readonly sessions: number | null;
  /**
   * What it cost and brought, or, of a source, what its campaigns with a cost did; null without a cost in the currency and
   * the period, or where that cannot be said.
   */
  readonly profit: CampaignProfit | null;
}

/** A campaign with the credit that both ends of the journey would give it; amounts in minor units. */
export interface CampaignRow extends CostReportRow {
  /** Approved, paid and pending money under first and under last touch. */
  readonly first: number;
  readonly last: number;
  /** Its contents (`utm_content`) with clicks, most clicks first. */
  readonly contents: readonly { readonly name: string; readonly clicks: number }[];
}

/** Columns after those that every breakdown has. */
const OWN_COLUMNS: readonly Column<CampaignRow>[] = [
  money('firstTouch', 'First campaign', ({ first }) => first, { key: 'first', exportName: 'first_touch' }),
  column('touches', 'First – last campaign', () => null, { exportName: null, sort: null, isNumeric: true }),
  money('lastTouch', 'Last campaign', ({ last }) => last, { key: 'last', exportName: 'last_touch' }),
];

const COST_REPORT: readonly string[] = 'clicks conversions currency approved paid pending expected'.split(
  ' ',
);

const SESSIONS: Column<CostReportRow> = metric('visits', 'Visits', ({ sessions }) => sessions, {
  key: 'sessions',
  exportName: 'sessions',
});

const exportedAmount = (name: string, get: (profit: CampaignProfit) => number | null) =>
  exported<CostReportRow>(name, ({ profit, currency }) => profit && formatAmountCell(get(profit), currency));

/** What a campaign cost and brought, in exports. */
const COST_CELLS: readonly Column<CostReportRow>[] = [
  exportedAmount('cost', ({ cost }) => cost),
  exported('cost_since', ({ profit }) => profit?.costSince ?? null),
  exportedAmount('profit', ({ profit }) => profit),
  exported('return_on_ad_spend', ({ profit }) => roundShare(profit?.returnOnSpend ?? null)),
  exported('arrived_share', ({ profit }) => roundShare(profit?.arrived ?? null)),
  exportedAmount('final_profit_low', ({ finalProfit }) => finalProfit?.low ?? null),
  exportedAmount('final_profit', ({ finalProfit }) => finalProfit?.mean ?? null),
  exportedAmount('final_profit_high', ({ finalProfit }) => finalProfit?.high ?? null),
  exportedAmount('cost_per_visit', ({ costPerVisit }) => costPerVisit),
  exportedAmount('break_even_cpc', ({ breakEven }) => breakEven?.mean ?? null),
  exportedAmount('break_even_low', ({ breakEven }) => breakEven?.low ?? null),
  exportedAmount('break_even_high', ({ breakEven }) => breakEven?.high ?? null),
];

const roundShare = (share: number | null) => (share === null ? null : Number(share.toFixed(4)));

export const CAMPAIGN_COLUMNS: readonly Column<CampaignRow>[] = [
  nameColumn('Campaign'),
  exported('campaign', ({ key }) => key),
  SESSIONS,
  ...BREAKDOWN_COLUMNS,
  ...OWN_COLUMNS,
  ...COST_CELLS,
];

/** A campaign that cost something, with what is said of it; null where nothing is, as of one that ended a year ago. */
export interface JudgedCampaign extends CampaignProfit {
  readonly verdict: Verdict | null;
}

/** The columns of campaigns that cost something. */
export const PROFIT_COLUMNS: readonly Column<JudgedCampaign>[] = [
  column('name', 'Campaign', ({ campaign }) => campaign),
  column('verdict', 'Verdict', ({ verdict }) => verdict?.lead ?? null),
  metric('visits', 'Visits', ({ visits }) => visits),
  money('cost', 'Cost', ({ cost }) => cost),
  money('expected', 'Brought so far', ({ expected }) => expected),
  money('profit', 'Profit in the end', ({ profit }) => profit, { onPhone: 'lead', format: 'price' }),
  money('breakEven', 'Most a visit may cost', ({ breakEven }) => breakEven?.mean ?? null, {
    format: 'price',
  }),
  money('costPerVisit', 'A visit costs', ({ costPerVisit }) => costPerVisit, {
    key: 'perVisit',
    format: 'price',
  }),
];

/** Losing first, by the loss; then what earns most; what cannot be told yet last. */
function compareVerdicts(one: JudgedCampaign, other: JudgedCampaign): number {
  const getGroup = ({ verdict }: JudgedCampaign) => {
    if (verdict === null || verdict.word === 'early') return 3;
    return verdict.word === 'loses' || verdict.word === 'nothing'
      ? 0
      : verdict.word === 'probably-loses'
        ? 1
        : 2;
  };
  const getLoss = ({ verdict }: JudgedCampaign) => verdict?.loss ?? 0;
  return getGroup(one) - getGroup(other) || getLoss(other) - getLoss(one) || other.cost - one.cost;
}

/** The columns of a report with costs on the command line. A source may also have money without a known cost. */
export const buildCostReportColumns = (by: 'campaign' | 'source'): readonly Column<CostReportRow>[] => [
  exported(by, ({ key }) => key),
  SESSIONS,
  ...BREAKDOWN_COLUMNS.filter(({ key }) => COST_REPORT.includes(key)),
  ...(by === 'source' ? [exportedAmount('expected_with_cost', ({ expected }) => expected)] : []),
  ...COST_CELLS,
];

/** Reads campaigns under a credit model, first against last touch. */
export async function readCampaigns(site: ConsoleSite, { query, parameters, viewer }: ViewRequest) {
  const verdicts = await readCampaignVerdicts(site);
  const { rows: all, period, costs, ...figures } = await readAllCampaigns(site, { query }, verdicts);
  const [only, ...more] = query.filters.filter(({ dimension }) => dimension !== 'journey');
  const one = only?.dimension === 'campaign' && !only.isNot && more.length === 0 ? only.value : null;
  // Others were only on the way to the same commissions.
  const rows = one === null ? all : all.filter(({ key }) => key === one);
  const profits = rows
    .flatMap(({ profit }) =>
      profit === null ? [] : [{ ...profit, verdict: verdicts.get(profit.campaign) ?? null }],
    )
    .sort(compareVerdicts);
  const sum = (get: (row: CampaignRow) => number) => rows.reduce((all, row) => all + get(row), 0);
  const { sum: summed, ...missing } = readTotal(rows, period);
  return {
    ...figures,
    ...missing,
    sum: {
      ...summed,
      profit: null,
      sessions: figures.areClicksCounted ? sum(({ sessions }) => sessions ?? 0) : null,
      first: sum(({ first }) => first),
      last: sum(({ last }) => last),
      contents: [],
    },
    /** The campaign that the filters leave, with what is said of it; null for several. */
    only: one === null ? null : { campaign: one, verdict: verdicts.get(one) ?? null },
    booked: await readBookedMoney(site, period),
    /** Campaigns that cost something, those that lose money first. */
    profits,
    /** What was spent in other currencies, which is part of no figure. */
    otherCosts: costs.others,
    /** Whether the filters leave whole campaigns, whose costs can be compared with their money. */
    areCostsShown: costs.isWhole,
    /** Whether it is known what clicks bring until they are six months old. */
    isForecastKnown: (period.curve?.spread.length ?? 0) > 0,
    costDetail: await readCostDetail(site.money.costs, period),
    canChange: isAllowed(viewer, 'manage'),
    /** The campaigns that the form for a cost proposes. */
    names: rows.slice(0, MAX_PROPOSED).map(({ key }) => key),
    ...buildListPage(rows, parameters),
    model: getCampaignModel(query),
    /** The highest credit under first or last touch, in minor units; the scale of all bars. */
    highest: rows.reduce((highest, { first, last }) => Math.max(highest, first, last), 1),
  };
}

const MAX_PROPOSED = 200;

/** What figures of campaigns are read from: the command has no more. */
interface CampaignSite {
  readonly periods: PeriodReader;
  readonly money: { readonly costs: Costs };
}

/** Reads every campaign with what its verdict is based on. */
export const readJudgedCampaigns = async (site: ConsoleSite, request: ViewRequest) =>
  readAllCampaigns(site, request, await readCampaignVerdicts(site));

/** Reads every campaign in the order of a query. `verdicts`: none on the command line. */
export async function readAllCampaigns(
  { periods, money }: CampaignSite,
  { query }: { readonly query: ViewRequest['query'] },
  verdicts: ReadonlyMap<string, Verdict> = new Map(),
) {
  const period = await periods.readPeriod(query);
  const costs = await readCosts(money.costs, period);
  const { currency, selection } = period;
  const [breakdown, groups] = await Promise.all([
    readBreakdown(periods, period, 'campaign'),
    period.counts.readCampaignGroups(),
  ]);
  const byName = Map.groupBy(groups, ({ key: [utm_source = '', utm_medium = '', utm_campaign = ''] }) =>
    buildCampaignName({ utm_source, utm_medium, utm_campaign }),
  );
  const others = costs.sums.size === 0 ? new Map<string, CostSums>() : await readOtherMoney(periods, period);
  const byClick = await periods.selectByClick(period);
  const ofClicks = byClick.selection.getCredited('campaign', getCampaignModel(query));
  const first = selection.getCredited('campaign', 'first');
  const last = selection.getCredited('campaign', 'last');
  const areClicksCounted = breakdown.every(({ clicks }) => clicks !== null);
  const names = new Set([
    ...breakdown.map(({ key }) => key),
    ...first.keys(),
    ...last.keys(),
    ...costs.sums.keys(),
  ]);
  const learned = [...verdicts].flatMap(([key, { learned: own, currency: code }]) =>
    own === null || code !== currency ? [] : [[key, own] as const],
  );
  const keys = new Set(costs.sums.keys());
  const estimates = await readClickEstimates(periods, period, 'campaign', keys, new Map(learned));
  const known = new Map(breakdown.map((row) => [row.key, row]));
  const counted = areClicksCounted ? 0 : null;
  const rows = [...names].map((key): CampaignRow => {
    const own = byName.get(key) ?? [];
    const row = known.get(key) ?? { ...EMPTY_ROW, key, currency, views: counted, clicks: counted };
    const visits = areClicksCounted ? own.reduce((sum, { sessions }) => sum + sessions, 0) : null;
    const cost = costs.sums.get(key);
    const { clicks } = row;
    const { expected } = ofClicks.get(key) ?? NO_CREDIT;
    const { perClick = null, coming = null, arrived = null } = estimates.get(key) ?? {};
    const otherMoney = others.get(key) ?? {};
    const facts = {
      campaign: key,
      currency,
      expected,
      otherMoney,
      visits,
      clicks,
      perClick,
      coming,
      arrived,
    };
    return {
      ...row,
      profit:
        cost === undefined
          ? null
          : buildCampaignProfit({ ...facts, cost, costSince: costs.since.get(key) ?? query.from }),
      sessions: visits,
      first: getBooked(first.get(key) ?? NO_CREDIT),
      last: getBooked(last.get(key) ?? NO_CREDIT),
      contents: listContents(own),
    };
  });
  const sort = getSort(query.sort, CAMPAIGN_COLUMNS, 'expected');
  const isOwn = [SESSIONS, ...OWN_COLUMNS].some(({ key }) => key === sort.column);
  const sorted = sortRows(rows, CAMPAIGN_COLUMNS, sort, isOwn ? compareKeys : compareMoney);
  return { currency, rows: sorted, sort, areClicksCounted, period, costs };
}

/**
 * Reads the costs of a period by campaign: `sums` in its currency, and `since`, the first day with a known cost. A part of the
 * money of a campaign, that of one page for example, has no cost of its own.
 */
async function readCosts(store: ConsoleSite['money']['costs'], { query, currency }: MoneyPeriod) {
  const { from, to, filters } = query;
  const isWhole = filters.every(({ dimension }) => dimension === 'campaign');
  const all = isWhole ? await store.readSummed(from, to) : [];
  const own = all.filter(({ campaign }) => passesValues(filters, ({ value }) => value === campaign));
  const sums = [...sumCosts(own, query, ({ campaign }) => campaign)].flatMap(([campaign, amounts]) => {
    const amount = amounts[currency];
    return amount === undefined ? [] : [[campaign, amount] as const];
  });
  const { [currency]: _, ...others } = sumCosts(own, query, () => '').get('') ?? {};
  const since = new Map<string, string>();
  for (const { campaign, first, ...cost } of own) {
    if (cost.currency !== currency) continue;
    const known = since.get(campaign);
    if (known === undefined || first < known) since.set(campaign, first);
  }
  return { sums: new Map(sums), since, others, isWhole };
}

/** What campaigns are expected to earn in other currencies than that of the period. */
async function readOtherMoney(
  periods: ConsoleSite['periods'],
  period: MoneyPeriod,
): Promise<ReadonlyMap<string, CostSums>> {
  const { currency, query } = period;
  const sums = new Map<string, Record<string, number>>();
  const all = await periods.readCohorts(query);
  for (const other of listCurrencies(all)) {
    if (other === currency) continue;
    const own = { ...period, currency: other, rates: buildApprovalRates(all, other) };
    const credited = (await periods.select(own, { ...query, clock: 'click' })).getCredited(
      'campaign',
      getCampaignModel(query),
    );
    for (const [campaign, { expected }] of credited) {
      const amount = Math.round(expected);
      if (amount !== 0) sums.set(campaign, { ...sums.get(campaign), [other]: amount });
    }
  }
  return sums;
}

/**
 * Reads every source of a query with what its campaigns with a cost cost and brought, those without any visit at the end.
 * Campaigns belong to the source that their names say.
 */
export async function readSourceCosts(
  site: CampaignSite,
  query: ViewRequest['query'],
): Promise<readonly CostReportRow[]> {
  const { rows: campaigns, period, areClicksCounted } = await readAllCampaigns(site, { query });
  const costs = campaigns.flatMap(({ profit }) => profit ?? []);
  const profits = new Map(sumProfits(costs, buildCampaignSource).map((one) => [one.campaign, one]));
  const sources = await readBreakdown(site.periods, period, 'source');
  const known = new Set(sources.map(({ key }) => key));
  const counted = areClicksCounted ? 0 : null;
  const others = [...profits.keys()]
    .filter((key) => !known.has(key))
    .map((key) => ({ ...EMPTY_ROW, key, currency: period.currency, views: counted, clicks: counted }));
  const rows = [...sortBreakdown(sources, { column: 'expected', isDescending: true }), ...others];
  // Counts by source have no views but the first one of each visit.
  return rows.map((row) => ({ ...row, sessions: row.views, profit: profits.get(row.key) ?? null }));
}

/** What one campaign cost by day, week or month, where the filters leave one; null for several, or without a cost. */
async function readCostDetail(store: ConsoleSite['money']['costs'], { query, currency }: MoneyPeriod) {
  const [only, ...more] = query.filters;
  if (only?.dimension !== 'campaign' || only.isNot || more.length > 0) return null;
  const own = (await store.read(query.from, query.to)).filter(
    (cost) => cost.campaign === only.value && cost.currency === currency,
  );
  if (own.length === 0) return null;
  const unit = getBucketUnit(query);
  const days = own.flatMap((cost) => listCostDays(cost, query));
  const buckets = listBuckets(query, unit).map(({ from, to }) => ({
    from,
    to,
    amount: days.reduce((sum, { day, amount }) => sum + (day >= from && day <= to ? amount : 0), 0),
  }));
  return { campaign: only.value, unit, buckets };
}

/** Lists campaigns that lose money, and those whose money does not come, as tasks in the words of their verdicts. */
export async function readCostTasks(site: ConsoleSite): Promise<readonly Task[]> {
  return [...(await readCampaignVerdicts(site))].flatMap(([campaign, verdict]) => {
    const { word, lead, text, loss, cost, currency } = verdict;
    if (word !== 'loses' && (word !== 'nothing' || cost <= 0)) return [];
    const filters = [{ dimension: 'campaign', value: campaign, isNot: false }] as const;
    const amount = word === 'loses' ? loss : cost;
    const href = buildConsoleAddress('campaigns', { filters });
    return [
      {
        key: `cost:${currency}:${campaign}`,
        kind: 'campaign',
        text: `${campaign}: ${lead}`,
        detail: text,
        amount,
        currency,
        href,
      },
    ];
  });
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
