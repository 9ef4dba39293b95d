import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import {
  type EarnedSum,
  type RankingDimension,
  rankMatureClicks,
  sumEarnings,
} from '../../core/commissions/build-ranking.ts';
import type { CreditModel } from '../../core/commissions/credit.ts';
import { getEpc, getRpm, type MoneyTotals } from '../../core/commissions/metric-definitions.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import type { Ranked } from '../../core/commissions/rank-by-earnings.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';
import type { ExportColumns } from '../views.ts';
import { getCampaignModel, getPageModel } from './names.ts';
import {
  type ApprovalRates,
  buildMoneyReport,
  buildPeriodMoney,
  getExpectedAmount,
  type PeriodMoney,
} from './period-figures.ts';
import { type BreakdownDimension, dropFilters, type MoneyPeriod, type PeriodReader } from './periods.ts';
import type { ConsoleQuery, ConsoleSort } from './query.ts';

/** Counted events of one value. */
export interface ValueCounts {
  readonly views: number;
  readonly clicks: number;
}

/** What one page, placement or campaign earned; amounts in minor units of one currency. */
export interface BreakdownRow extends MoneyTotals {
  readonly key: string;
  /** Null where they cannot be counted for the filters. */
  readonly views: number | null;
  readonly clicks: number | null;
  readonly conversions: number;
  readonly expected: number;
  /** Clicks by page view, from 0; null without views. */
  readonly clickRate: number | null;
  /** What a click has earned so far; null without clicks. */
  readonly epc: number | null;
  readonly rpm: number | null;
  /** What a click is expected to earn, and how sure that is; null where clicks are not counted. */
  readonly ranked: Ranked | null;
}

/** What one page, placement or campaign is credited with; amounts in minor units of one currency. */
export interface CreditedMoney extends MoneyTotals {
  readonly conversions: number;
  /** Approved, and pending by the approval rate of its partner; not rounded. */
  readonly expected: number;
}

/** What credit is divided by. */
export interface CreditOptions {
  readonly by: Extract<RankingDimension, 'page' | 'placement' | 'campaign'>;
  readonly model: CreditModel;
  readonly currency: string;
  readonly rates: ApprovalRates;
}

/** What a breakdown is built from. */
export interface BreakdownInput {
  /** The money of commissions that were selected and count, by the names under which credit is given. */
  readonly money: ReadonlyMap<string, CreditedMoney>;
  /** Null where they cannot be counted for the filters. */
  readonly counts: ReadonlyMap<string, ValueCounts> | null;
  readonly ranking: ReadonlyMap<string, Ranked>;
  /** The key of a row for the name under which credit is given: the path of a page for its name, for example. */
  readonly getKey?: (name: string) => string;
}

const NOTHING: CreditedMoney = { approved: 0, pending: 0, reversed: 0, conversions: 0, expected: 0 };

/** Credits the money of commissions, which were selected, count and have one currency, to names under a model. */
export function sumCreditedMoney(
  entries: readonly LedgerEntry[],
  { by, model, currency, rates }: CreditOptions,
): ReadonlyMap<string, CreditedMoney> {
  const sums = new Map<string, CreditedMoney>();
  // Pending money counts by the approval rate of its partner, so that each partner has a report of its own.
  for (const own of Map.groupBy(entries, ({ commission }) => commission.partner).values()) {
    const [first] = own;
    if (first === undefined) continue;
    const rate = getExpectedAmount({ commission: { ...first.commission, ...PENDING_UNIT } }, rates);
    for (const { key, currencies, conversions } of buildMoneyReport(own, by, model).rows) {
      const { approved, pending, reversed } = currencies[currency] ?? NOTHING;
      const expected = approved + pending * rate;
      sums.set(key, addMoney(sums.get(key), { approved, pending, reversed, conversions, expected }));
    }
  }
  return sums;
}

const PENDING_UNIT = { status: 'pending', amount: 1 } as const;

function addMoney(one: CreditedMoney = NOTHING, other: CreditedMoney): CreditedMoney {
  return {
    approved: one.approved + other.approved,
    pending: one.pending + other.pending,
    reversed: one.reversed + other.reversed,
    conversions: one.conversions + other.conversions,
    expected: one.expected + other.expected,
  };
}

/** Builds a row for every value that has clicks, views or money. */
export function buildBreakdown(input: BreakdownInput): readonly BreakdownRow[] {
  const { counts, ranking, getKey = (name) => name } = input;
  const money = new Map<string, CreditedMoney>();
  for (const [name, credited] of input.money) {
    const key = getKey(name);
    money.set(key, addMoney(money.get(key), credited));
  }
  return [...new Set([...money.keys(), ...(counts?.keys() ?? [])])].map((key) => {
    const { expected, conversions, ...totals } = money.get(key) ?? NOTHING;
    const views = counts === null ? null : (counts.get(key)?.views ?? 0);
    const clicks = counts === null ? null : (counts.get(key)?.clicks ?? 0);
    return {
      key,
      ...totals,
      views,
      clicks,
      conversions,
      expected: Math.round(expected),
      clickRate: views === null || clicks === null || views === 0 ? null : clicks / views,
      epc: clicks === null ? null : getEpc(totals, clicks),
      rpm: views === null ? null : getRpm(totals, views),
      ranked: ranking.get(key) ?? null,
    };
  });
}

/** Columns of a breakdown that sort; the others are sorted by name. */
const SORT_KEYS: Readonly<Record<string, (row: BreakdownRow) => number | null>> = {
  views: ({ views }) => views,
  clicks: ({ clicks }) => clicks,
  clickRate: ({ clickRate }) => clickRate,
  conversions: ({ conversions }) => conversions,
  epc: ({ epc }) => epc,
  rpm: ({ rpm }) => rpm,
  approved: ({ approved }) => approved,
  pending: ({ pending }) => pending,
  reversed: ({ reversed }) => reversed,
  expected: ({ expected }) => expected,
  // Certain earnings first: what a click earns in nine of ten cases at least.
  certain: ({ ranked }) => (ranked?.isKnown === true ? ranked.low : null),
};

/** Sorts rows by a column; by what they surely earn per click without one, then by money and clicks. */
export function sortBreakdown<Row extends BreakdownRow>(
  rows: readonly Row[],
  sort: ConsoleSort,
): readonly Row[] {
  const sign = sort.isDescending ? -1 : 1;
  const getFigure = SORT_KEYS[sort.column];
  const compareNames = (one: BreakdownRow, other: BreakdownRow) => (one.key < other.key ? -1 : 1);
  if (getFigure === undefined) return [...rows].sort((one, other) => sign * compareNames(one, other));
  return [...rows].sort((one, other) => {
    const [first, second] = [getFigure(one), getFigure(other)];
    // What is not known is last in either direction.
    if (first === null || second === null) {
      if (first !== second) return first === null ? 1 : -1;
    } else if (first !== second) return sign * (first - second);
    return (
      other.expected - one.expected || (other.clicks ?? 0) - (one.clicks ?? 0) || compareNames(one, other)
    );
  });
}

/** Whether a column sorts a breakdown. */
export function isBreakdownColumn(column: string): boolean {
  return column === 'name' || Object.hasOwn(SORT_KEYS, column);
}

/**
 * Reads what each page, placement or campaign earned, with the ranking of clicks. Rejects with `EventStoreError` or
 * `LedgerError`.
 */
export async function readBreakdown(
  periods: Pick<PeriodReader, 'selectEntries'>,
  period: MoneyPeriod,
  by: BreakdownDimension,
): Promise<readonly BreakdownRow[]> {
  const { query, counts: reading } = period;
  const counts = await reading.readCounts(by);
  const ranking = counts === null ? new Map() : await rank(periods, period, by);
  const money = getCreditedMoney(
    period,
    by,
    by === 'campaign' ? getCampaignModel(query) : getPageModel(query),
  );
  if (by !== 'page') return buildBreakdown({ money, counts, ranking });
  const paths = new Map([...(counts?.keys() ?? [])].map((path) => [buildPageName(path), path]));
  return buildBreakdown({ money, counts, ranking, getKey: (name) => paths.get(name) ?? name });
}

/** Ranks by click day. A page is as certain among all pages as alone, so that filters by itself do not apply. */
async function rank(
  periods: Pick<PeriodReader, 'selectEntries'>,
  period: MoneyPeriod,
  by: BreakdownDimension,
): Promise<ReadonlyMap<string, Ranked>> {
  const { query, entries, counts } = period;
  if (query.clock !== 'click') return new Map();
  const ranked = dropFilters(query, by);
  const isSame = ranked.filters.length === query.filters.length;
  const commissions = isSame ? entries : periods.selectEntries(period, ranked);
  const rows = rankMatureClicks(await counts.readMatureClicks(by), getEarnings(commissions, by));
  return new Map(rows.map((row) => [row.key, row]));
}

/** What was computed from a list of commissions; a list stays the same while the ledger does. */
const getSums = memoizeByKey((_entries: readonly LedgerEntry[]) => ({
  earnings: new Map<string, ReadonlyMap<string, EarnedSum>>(),
  money: new Map<string, ReadonlyMap<string, CreditedMoney>>(),
  period: null as PeriodMoney | null,
}));

/** The sums of the commissions of a period, or of the one that it is compared with; computed once as well. */
export function getPeriodMoney({
  entries,
  currency,
  rates,
}: Pick<MoneyPeriod, 'entries' | 'currency' | 'rates'>) {
  const sums = getSums(entries);
  sums.period ??= buildPeriodMoney(entries, currency, rates);
  return sums.period;
}

function getEarnings(entries: readonly LedgerEntry[], by: BreakdownDimension) {
  const { earnings } = getSums(entries);
  const sums = earnings.get(by) ?? sumEarnings(entries, by);
  earnings.set(by, sums);
  return sums;
}

/** The money of the commissions of a period by a dimension, under a model; computed once while nothing changes. */
export function getCreditedMoney(
  { entries, currency, rates }: MoneyPeriod,
  by: BreakdownDimension,
  model: CreditModel,
) {
  const { money } = getSums(entries);
  const sums = money.get(`${by} ${model}`) ?? sumCreditedMoney(entries, { by, model, currency, rates });
  money.set(`${by} ${model}`, sums);
  return sums;
}

/** The sort of a query if it is one of a breakdown, else the usual one. */
export function getSort({ sort }: Pick<ConsoleQuery, 'sort'>, column: string) {
  return sort !== null && isBreakdownColumn(sort.column) ? sort : { column, isDescending: true };
}

/** The highest end of the intervals of rows that can be ranked. */
export function getMaxEpc(rows: readonly BreakdownRow[]): number {
  return rows.reduce((max, { ranked }) => (ranked?.isKnown === true ? Math.max(max, ranked.high) : max), 0);
}

/** Columns of an exported breakdown after its names. Amounts are decimals, shares are numbers from 0 to 1. */
export function buildBreakdownCells(currency: string): ExportColumns<BreakdownRow> {
  const money = (amount: number | null) =>
    amount === null ? null : formatDecimalAmount(Math.round(amount), currency);
  return {
    views: ({ views }) => views,
    clicks: ({ clicks }) => clicks,
    click_rate: ({ clickRate }) => (clickRate === null ? null : Number(clickRate.toFixed(4))),
    conversions: ({ conversions }) => conversions,
    currency: () => currency,
    epc: ({ epc }) => money(epc),
    epc_low: ({ ranked }) => money(ranked?.isKnown === true ? ranked.low : null),
    epc_high: ({ ranked }) => money(ranked?.isKnown === true ? ranked.high : null),
    is_ranked: ({ ranked }) => (ranked?.isKnown === true ? 'yes' : 'no'),
    clicks_needed: ({ ranked }) => ranked?.clicksNeeded ?? null,
    rpm: ({ rpm }) => money(rpm),
    approved: ({ approved }) => money(approved),
    pending: ({ pending }) => money(pending),
    expected: ({ expected }) => money(expected),
    reversed: ({ reversed }) => money(reversed),
  };
}
