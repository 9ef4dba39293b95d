import { DAY_MS } from '../../core/clock.ts';
import {
  addToTotals,
  buildCommissionReport,
  buildEmptyTotals,
  type CurrencyTotals,
  isUnmatched,
  type ReportQuery,
} from '../../core/commissions/credit/commission-report.ts';
import type { CreditModel } from '../../core/commissions/credit/credit.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import { createDayLookup, toUtc } from '../../core/commissions/local-time.ts';
import {
  getApprovalRate,
  getBooked,
  getEarned,
  getEpc,
  getMatchRate,
  type MoneyTotals,
  NO_MONEY,
} from '../../core/commissions/metric-definitions.ts';
import type { RankingDimension } from '../../core/commissions/ranges/build-ranking.ts';
import { getMatureShare, type MaturityCurve } from '../../core/commissions/ranges/maturity.ts';
import type { WeekStart } from '../../core/console/operator.ts';
import type { ConsoleQuery } from './query.ts';
import type { DayRange } from './range.ts';
import { addDays, addMonths, countDays, getWeekStart } from './range.ts';
import { getEntryTime } from './select-entries.ts';

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

const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER, timeZone: 'UTC', answerField: '' } as const;

/** Builds a report without clicks over commissions that were selected before. */
export function buildMoneyReport(
  entries: readonly LedgerEntry[],
  by: ReportQuery['by'] = 'partner',
  model: ReportQuery['model'] = 'clickPage',
) {
  return buildCommissionReport(entries, new Map(), { ...EVER, by, model, clock: 'booking' });
}

/** Computes the historic approval rate of every partner in a currency. */
export function buildApprovalRates(entries: readonly LedgerEntry[], currency: string): ApprovalRates {
  const counted = entries.filter(
    ({ isCounted, commission }) => isCounted && commission.currency === currency,
  );
  const byPartner = Map.groupBy(counted, ({ commission }) => commission.partner);
  return new Map(
    [...byPartner].flatMap(([partner, own]) => {
      const { total } = buildMoneyReport(own);
      const rate = getApprovalRate(total.currencies[currency] ?? NO_MONEY);
      return rate === null ? [] : [[partner, rate] as const];
    }),
  );
}

/**
 * What a pending commission is expected to bring, in whole minor units, so that sums of rows are those of all. Money of a
 * partner without decisions counts in full.
 */
const getExpectedPending = ({ amount, partner }: LedgerEntry['commission'], rates: ApprovalRates) =>
  Math.round(amount * (rates.get(partner) ?? 1));

/** What a commission adds to the expected money, in whole minor units. */
export function getExpectedAmount(commission: LedgerEntry['commission'], rates: ApprovalRates): number {
  const { status, amount } = commission;
  if (status === 'approved' || status === 'paid') return amount;
  return status === 'pending' ? getExpectedPending(commission, rates) : 0;
}

/** The pending commissions of a list, each with what it is expected to bring as its amount. */
function listExpected(entries: readonly LedgerEntry[], rates: ApprovalRates): readonly LedgerEntry[] {
  const pending = entries.filter(({ commission }) => commission.status === 'pending');
  return pending.map((entry) => {
    const { commission } = entry;
    return { ...entry, commission: { ...commission, amount: getExpectedPending(commission, rates) } };
  });
}

/** Sums what commissions of one currency are expected to come to, in minor units. */
export function sumExpected(entries: readonly LedgerEntry[], rates: ApprovalRates): number {
  return entries.reduce((sum, { commission }) => sum + getExpectedAmount(commission, rates), 0);
}

/** Sums commissions that were selected for a period and count, in one currency. */
export function buildPeriodMoney(
  entries: readonly LedgerEntry[],
  currency: string,
  rates: ApprovalRates,
): PeriodMoney {
  const { total, labelled, unmatched } = buildMoneyReport(entries);
  const money = pickMoney(total.currencies[currency]);
  const missing = pickMoney(unmatched.currencies[currency]);
  const byLabel = pickMoney(labelled.currencies[currency]);
  const unmatchedAmount = getBooked(missing);
  return {
    ...money,
    expected: sumExpected(entries, rates),
    conversions: total.conversions,
    payments: total.payments,
    matched: {
      approved: money.approved - missing.approved - byLabel.approved,
      paid: money.paid - missing.paid - byLabel.paid,
      pending: money.pending - missing.pending - byLabel.pending,
      reversed: money.reversed - missing.reversed - byLabel.reversed,
    },
    matchRate: getMatchRate(getBooked(money) - getBooked(byLabel) - unmatchedAmount, unmatchedAmount),
    unmatched: unmatchedAmount,
    unmatchedCount: entries.filter(isUnmatched).length,
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

/** Credits the money of commissions, which were selected, count and have one currency, to names under a model. */
export function sumCreditedMoney(
  entries: readonly LedgerEntry[],
  credit: {
    readonly by: CreditDimension;
    readonly model: CreditModel;
    readonly currency: string;
    readonly rates: ApprovalRates;
  },
): ReadonlyMap<string, CreditedMoney> {
  const { by, model, currency, rates } = credit;
  const sums = new Map<string, CreditedMoney>();
  const pending = buildMoneyReport(listExpected(entries, rates), by, model).rows;
  const expectedOf = new Map(pending.map((row) => [row.key, row.currencies[currency]?.pending ?? 0]));
  for (const { key, currencies, conversions, payments } of buildMoneyReport(entries, by, model).rows) {
    const money = pickMoney(currencies[currency]);
    const expected = getEarned(money) + (expectedOf.get(key) ?? 0);
    sums.set(key, { ...money, conversions, payments, expected });
  }
  return sums;
}

/** Adds two sums. */
export function addMoney(one: CreditedMoney = NO_CREDIT, other: CreditedMoney): CreditedMoney {
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
  readonly entries: readonly LedgerEntry[];
  /** Clicks by day; null where they cannot be counted for the filters. */
  readonly clicksByDay: ReadonlyMap<string, number> | null;
  readonly curve: MaturityCurve | null;
  readonly timeZone: string;
  readonly now: number;
}): readonly MoneyBucket[] {
  const { query, entries, clicksByDay, curve, timeZone, now } = input;
  const unit = getBucketUnit(query);
  const sums = new Map<string, CurrencyTotals & { clicks: number }>();
  // There are many commissions to a day.
  const starts = new Map<string, string>();
  const getSum = (day: string) => {
    const start = starts.get(day) ?? getBucketStart(day, unit, query.weekStart);
    starts.set(day, start);
    const sum = sums.get(start) ?? { ...buildEmptyTotals(), clicks: 0 };
    sums.set(start, sum);
    return sum;
  };
  const [start, end] = [Date.parse(query.from) - DAY_MS, Date.parse(query.to) + 2 * DAY_MS];
  const getDay = createDayLookup(start, end, timeZone);
  for (const entry of entries) {
    const { status, amount, reversedAmount } = entry.commission;
    addToTotals(getSum(getDay(getEntryTime(entry, query.clock))), status, amount, reversedAmount);
  }
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
export function listCurrencies(entries: readonly LedgerEntry[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { isCounted, commission } of entries) {
    if (!isCounted) continue;
    const { currency, amount, reversedAmount } = commission;
    sums.set(currency, (sums.get(currency) ?? 0) + Math.abs(amount) + Math.abs(reversedAmount));
  }
  return [...sums].sort(([, one], [, other]) => other - one).map(([currency]) => currency);
}
