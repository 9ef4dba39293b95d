import { buildPlacementKey } from '../../core/commissions/credit/build-click-key.ts';
import {
  addToTotals,
  buildEmptyTotals,
  type CurrencyTotals,
} from '../../core/commissions/credit/commission-report.ts';
import { type CreditModel, type CreditPath, getCredited } from '../../core/commissions/credit/credit.ts';
import type { CommissionStatus } from '../../core/commissions/ledger/commission-fact.ts';
import { nameDay, toUtc } from '../../core/commissions/local-time.ts';
import {
  getApprovalRate,
  getBooked,
  getEpc,
  getMatchRate,
  type MoneyTotals,
  NO_MONEY,
} from '../../core/commissions/metric-definitions.ts';
import { roundTogether } from '../../core/commissions/money.ts';
import {
  type EarnedSum,
  NOTHING,
  type RankingDimension,
} from '../../core/commissions/ranges/build-ranking.ts';
import { getMatureShare, type MaturityCurve } from '../../core/commissions/ranges/maturity.ts';
import type { WeekStart } from '../../core/console/operator.ts';
import {
  type CommissionCell,
  type CommissionDay,
  STATES,
  type SummedCommissions,
} from '../../stores/commission-sums.ts';
import type { ConsoleQuery } from './query.ts';
import { addDays, addMonths, countDays, type DayRange, getWeekStart } from './range.ts';

/** Share of the decided money of each partner that was approved; a partner without decisions has none. */
export type ApprovalRates = ReadonlyMap<string, number>;

/** Money of a period in one currency; amounts in minor units. */
export interface PeriodMoney extends MoneyTotals {
  /** Approved, paid, and pending by the approval rate of its partner. */
  readonly expected: number;
  readonly conversions: number;
  readonly payments: number;
  /** What clicks have earned: money without a click was not earned by one that was counted. */
  readonly matched: MoneyTotals;
  /** Share of the money whose click is known. */
  readonly matchRate: number | null;
  /** Money without a known click: approved, paid and pending. */
  readonly unmatched: number;
  readonly unmatchedCount: number;
  /** Money that ids of networks credit to pages or groups: approved, paid and pending. */
  readonly labelled: number;
}

/** Figures of a period in one currency. */
export interface PeriodFigures extends Omit<PeriodMoney, 'matched'> {
  /** Null where clicks cannot be counted for the filters. */
  readonly clicks: number | null;
  readonly epc: number | null;
}

/** Computes the historic approval rate of every partner in a currency. */
export function buildApprovalRates(sums: readonly SummedCommissions[], currency: string): ApprovalRates {
  const totals = new Map<string, CurrencyTotals>();
  for (const sum of sums) {
    if (sum.currency !== currency) continue;
    const own = totals.get(sum.partner) ?? buildEmptyTotals();
    totals.set(sum.partner, own);
    addToTotals(own, sum.status, sum.amount, sum.reversedAmount);
  }
  return new Map(
    [...totals].flatMap(([partner, own]) => {
      const rate = getApprovalRate(own);
      return rate === null ? [] : [[partner, rate] as const];
    }),
  );
}

/**
 * What commissions add to the expected money, in parts of minor units. Pending money of a partner without decisions counts in
 * full.
 */
export function getExpectedAmount(
  {
    status,
    amount,
    partner,
  }: { readonly status: CommissionStatus; readonly amount: number; readonly partner: string },
  rates: ApprovalRates,
): number {
  if (status === 'approved' || status === 'paid') return amount;
  return status === 'pending' ? amount * (rates.get(partner) ?? 1) : 0;
}

/** Sums what commissions of one currency are expected to come to, in whole minor units. */
export const sumExpected = (sums: readonly SummedCommissions[], rates: ApprovalRates) =>
  Math.round(sums.reduce((all, sum) => all + getExpectedAmount(sum, rates), 0));

const isState =
  (...states: readonly number[]) =>
  ({ state }: SummedCommissions) =>
    states.includes(state);
const countAll = (sums: readonly SummedCommissions[]) => sums.reduce((all, { count }) => all + count, 0);
const sumTotals = (sums: readonly SummedCommissions[]) => {
  const totals = buildEmptyTotals();
  for (const { status, amount, reversedAmount } of sums) addToTotals(totals, status, amount, reversedAmount);
  return totals;
};

/** Sums commissions that were selected for a period and count, in one currency. */
export function buildPeriodMoney(sums: readonly SummedCommissions[], rates: ApprovalRates): PeriodMoney {
  const unmatched = sums.filter(isState(STATES.unmatched));
  const [money, missing, byLabel, matched] = [
    sumTotals(sums),
    sumTotals(unmatched),
    sumTotals(sums.filter(isState(STATES.labelled))),
    sumTotals(sums.filter(({ state }) => state >= STATES.matched)),
  ];
  return {
    ...pickMoney(money),
    expected: sumExpected(sums, rates),
    conversions: countAll(sums.filter(isState(STATES.conversion))),
    payments: countAll(sums.filter(isState(STATES.payment))),
    matched: pickMoney(matched),
    matchRate: getMatchRate(getBooked(matched), getBooked(missing)),
    unmatched: getBooked(missing),
    unmatchedCount: countAll(unmatched),
    labelled: getBooked(byLabel),
  };
}

/** The money of a status that is known. */
const pickMoney = ({ approved, paid, pending, reversed }: MoneyTotals = NO_MONEY): MoneyTotals => ({
  approved,
  paid,
  pending,
  reversed,
});

/** Builds the figures of a period; `clicks` is null where they cannot be counted for the filters. */
export function buildPeriodFigures({ matched, ...money }: PeriodMoney, clicks: number | null): PeriodFigures {
  return { ...money, clicks, epc: clicks === null ? null : getEpc(matched, clicks) };
}

/** What money is credited to. */
export type CreditDimension = Extract<RankingDimension, 'page' | 'placement' | 'campaign' | 'source'>;

/** What one page, placement, campaign or source is credited with; amounts in minor units of one currency. */
export interface CreditedMoney extends MoneyTotals {
  readonly conversions: number;
  readonly payments: number;
  /** Approved, paid, and pending by the approval rate of its partner. */
  readonly expected: number;
}

/** The money of a value that nothing is credited to. */
export const NO_CREDIT: CreditedMoney = { ...NO_MONEY, conversions: 0, payments: 0, expected: 0 };

/**
 * Credits the money of commissions, which were selected, count and have one currency, to names under a model. What is expected
 * is rounded so that the names have together what all commissions come to.
 */
export function sumCreditedMoney(
  cells: readonly CommissionCell[],
  credit: { readonly by: CreditDimension; readonly model: CreditModel; readonly rates: ApprovalRates },
): ReadonlyMap<string, CreditedMoney> {
  const { by, model, rates } = credit;
  const sums = new Map<string, { -readonly [Name in keyof CreditedMoney]: number }>();
  for (const cell of cells) {
    if (cell.path === null) continue;
    const name = getCreditedName(cell.path, by, model);
    const sum = sums.get(name) ?? { ...NO_CREDIT };
    sums.set(name, sum);
    sum.reversed += cell.reversedAmount;
    sum.expected += getExpectedAmount(cell, rates);
    if (cell.status !== 'reversed' && cell.status !== 'unknown') sum[cell.status] += cell.amount;
    if (cell.state === STATES.conversion) sum.conversions += cell.count;
    if (cell.state === STATES.payment) sum.payments += cell.count;
  }
  const rounded = roundTogether([...sums.values()].map(({ expected }) => expected));
  for (const [index, sum] of [...sums.values()].entries()) sum.expected = rounded[index] ?? 0;
  return sums;
}

/** What money with a path is credited to. */
export function getCreditedName(path: CreditPath, by: RankingDimension, model: CreditModel): string {
  if (by === 'placement') return buildPlacementKey(path.page, path.placement);
  return getCredited(path, model, by === 'source' ? 'source' : 'model');
}

/** Sums what the clicks of each value of a dimension have earned, in one currency. */
export function sumEarnedCells(
  cells: readonly CommissionCell[],
  rates: ApprovalRates,
  getKey: (cell: CommissionCell & { readonly path: CreditPath }) => string,
): ReadonlyMap<string, EarnedSum> {
  const sums = new Map<string, { -readonly [Name in keyof EarnedSum]: number }>();
  for (const cell of cells) {
    const { path, status, squares } = cell;
    if (path === null) continue;
    const key = getKey({ ...cell, path });
    const sum = sums.get(key) ?? { ...NOTHING };
    sums.set(key, sum);
    const rate = rates.get(cell.partner) ?? 1;
    const share = getExpectedAmount({ status, amount: 1, partner: cell.partner }, rates);
    sum.conversions += cell.state === STATES.conversion ? cell.count : 0;
    sum.amount += share * cell.amount;
    sum.squares += share ** 2 * squares + 2 * share * (cell.decided + rate * cell.pending);
    // It will be paid in full or not at all.
    if (status === 'pending') sum.undecided += share * (1 - share) * squares;
  }
  return sums;
}

/** Adds two sums. */
function addMoney(one: CreditedMoney = NO_CREDIT, other: CreditedMoney): CreditedMoney {
  return {
    approved: one.approved + other.approved,
    paid: one.paid + other.paid,
    pending: one.pending + other.pending,
    reversed: one.reversed + other.reversed,
    conversions: one.conversions + other.conversions,
    payments: one.payments + other.payments,
    expected: one.expected + other.expected,
  };
}

/** Adds up the money of rows. */
export const sumMoney = (rows: readonly CreditedMoney[]): CreditedMoney =>
  rows.reduce((sum, row) => addMoney(sum, row), NO_CREDIT);

/** What a bar of a chart covers. */
export type BucketUnit = 'day' | 'week' | 'month';

/** Money and clicks of one day, week or month; amounts in minor units. */
export interface MoneyBucket extends MoneyTotals {
  /** First and last day, both inclusive, within the period. */
  readonly from: string;
  readonly to: string;
  /** Null where they cannot be counted for the filters. */
  readonly clicks: number | null;
  /** Share of the final money of such clicks that has usually arrived; 1 by booking day, or when it is not known. */
  readonly maturity: number;
}

/** The unit in which a period has a readable number of bars. */
export function getBucketUnit({ from, to }: DayRange): BucketUnit {
  const days = countDays(from, to);
  if (days <= 45) return 'day';
  return days <= 400 ? 'week' : 'month';
}

function getBucketStart(day: string, unit: BucketUnit, weekStart: WeekStart): string {
  if (unit === 'day') return day;
  return unit === 'week' ? getWeekStart(day, weekStart) : `${day.slice(0, 8)}01`;
}

/** The first and the last day of every bucket of a period. */
export function listBuckets(
  { from, to, weekStart }: Pick<ConsoleQuery, 'from' | 'to' | 'weekStart'>,
  unit: BucketUnit,
): readonly { readonly start: string; readonly from: string; readonly to: string }[] {
  const buckets = [];
  for (let start = getBucketStart(from, unit, weekStart); start <= to; ) {
    const next = unit === 'month' ? addMonths(start, 1) : addDays(start, unit === 'week' ? 7 : 1);
    const last = addDays(next, -1);
    buckets.push({ start, from: start < from ? from : start, to: last > to ? to : last });
    start = next;
  }
  return buckets;
}

/** Sums selected commissions and counted clicks by the buckets of a period. */
export function buildMoneySeries(input: {
  readonly query: Pick<ConsoleQuery, 'from' | 'to' | 'clock' | 'weekStart'>;
  /** Commissions that were selected and count, in one currency. */
  readonly days: readonly CommissionDay[];
  /** Clicks by day; null where they cannot be counted for the filters. */
  readonly clicksByDay: ReadonlyMap<string, number> | null;
  readonly curve: MaturityCurve | null;
  readonly timeZone: string;
  readonly now: number;
}): readonly MoneyBucket[] {
  const { query, days, clicksByDay, curve, timeZone, now } = input;
  const unit = getBucketUnit(query);
  const sums = new Map<string, CurrencyTotals & { clicks: number }>();
  const getSum = (day: string) => {
    const start = getBucketStart(day, unit, query.weekStart);
    const sum = sums.get(start) ?? { ...buildEmptyTotals(), clicks: 0 };
    sums.set(start, sum);
    return sum;
  };
  for (const [day, own] of Map.groupBy(days, (sum) => sum.day))
    for (const { status, amount, reversedAmount } of own)
      addToTotals(getSum(nameDay(day)), status, amount, reversedAmount);
  for (const [day, clicks] of clicksByDay ?? []) getSum(day).clicks += clicks;
  return listBuckets(query, unit).map(({ start, from, to }) => {
    const sum = sums.get(start);
    const middle = (toUtc(Date.parse(from), timeZone) + toUtc(Date.parse(addDays(to, 1)), timeZone)) / 2;
    const isKnown = curve !== null && query.clock === 'click';
    return {
      from,
      to,
      ...pickMoney(sum),
      clicks: clicksByDay === null ? null : (sum?.clicks ?? 0),
      maturity: isKnown ? getMatureShare(curve, Math.max(0, now - middle)) : 1,
    };
  });
}

/** From this share on, clicks have earned what they will earn, near enough. */
export const MATURE_SHARE = 0.95;

/** The share that has usually arrived for the immature buckets at the end of a period, by clicks; null without any. */
export function getImmatureShare(buckets: readonly MoneyBucket[]): number | null {
  const immature = buckets.filter(({ maturity }) => maturity < MATURE_SHARE);
  const clicks = immature.reduce((sum, bucket) => sum + (bucket.clicks ?? 1), 0);
  if (clicks === 0) return null;
  return immature.reduce((sum, { maturity, clicks: own }) => sum + maturity * (own ?? 1), 0) / clicks;
}

/** Currencies of commissions that count, the one with the most money first. */
export function listCurrencies(all: readonly SummedCommissions[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { currency, amount, reversedAmount } of all)
    sums.set(currency, (sums.get(currency) ?? 0) + Math.abs(amount) + Math.abs(reversedAmount));
  return [...sums].sort(([, one], [, other]) => other - one).map(([currency]) => currency);
}
