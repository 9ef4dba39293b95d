import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import type { RankingDimension } from '../../core/commissions/build-ranking.ts';
import type { CreditModel } from '../../core/commissions/credit.ts';
import { getEpc, getRpm, type MoneyTotals } from '../../core/commissions/metric-definitions.ts';
import type { Ranked } from '../../core/commissions/rank-by-earnings.ts';
import { type ApprovalRates, buildMoneyReport, getExpectedAmount } from './build-period-figures.ts';
import type { ConsoleSort } from './console-query.ts';

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
