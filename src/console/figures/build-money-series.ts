import { DAY_MS } from '../../core/clock.ts';
import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { getOffsets, toUtc } from '../../core/commissions/local-time.ts';
import { getMatureShare, type MaturityCurve } from '../../core/commissions/maturity.ts';
import type { MoneyTotals } from '../../core/commissions/metric-definitions.ts';
import type { WeekStart } from '../../core/console/operator.ts';
import { addDays, addMonths, countDays, getWeekStart } from './console-days.ts';
import type { ConsoleQuery } from './console-query.ts';
import { getEntryTime } from './select-entries.ts';

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
export function getBucketUnit({ from, to }: Pick<ConsoleQuery, 'from' | 'to'>): BucketUnit {
  const days = countDays(from, to);
  if (days <= 45) return 'day';
  return days <= 400 ? 'week' : 'month';
}

/** The first day of the bucket of a day. */
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
  const sums = new Map<string, { approved: number; pending: number; reversed: number; clicks: number }>();
  // There are many commissions to a day.
  const starts = new Map<string, string>();
  const getSum = (day: string) => {
    const start = starts.get(day) ?? getBucketStart(day, unit, query.weekStart);
    starts.set(day, start);
    const sum = sums.get(start) ?? { approved: 0, pending: 0, reversed: 0, clicks: 0 };
    sums.set(start, sum);
    return sum;
  };
  const getDay = createDayLookup(query, timeZone);
  for (const entry of entries) {
    const { status, amount, reversedAmount } = entry.commission;
    const sum = getSum(getDay(getEntryTime(entry, query.clock)));
    if (status === 'approved' || status === 'paid') sum.approved += amount;
    else if (status === 'pending') sum.pending += amount;
    sum.reversed += reversedAmount;
  }
  for (const [day, clicks] of clicksByDay ?? []) getSum(day).clicks += clicks;
  return listBuckets(query, unit).map(({ start, from, to }) => {
    const { clicks, ...money } = sums.get(start) ?? { approved: 0, pending: 0, reversed: 0, clicks: 0 };
    const middle = (toUtc(Date.parse(from), timeZone) + toUtc(Date.parse(addDays(to, 1)), timeZone)) / 2;
    const isKnown = curve !== null && query.clock === 'click';
    return {
      from,
      to,
      ...money,
      clicks: clicksByDay === null ? null : clicks,
      maturity: isKnown ? getMatureShare(curve, Math.max(0, now - middle)) : 1,
    };
  });
}

/** The local day of moments in a period; asking the time zone for each of them would take most of the time. */
function createDayLookup({ from, to }: Pick<ConsoleQuery, 'from' | 'to'>, timeZone: string) {
  const [start, end] = [Date.parse(from) - DAY_MS, Date.parse(to) + 2 * DAY_MS];
  const spans = getOffsets(start, end, timeZone);
  const days = new Map<number, string>();
  return (time: number) => {
    const offset = spans.find(({ until }) => time < until)?.offset ?? 0;
    const number = Math.floor((time + offset) / DAY_MS);
    const day = days.get(number) ?? new Date(number * DAY_MS).toISOString().slice(0, 10);
    days.set(number, day);
    return day;
  };
}

/** From this share on, clicks have earned what they will earn, near enough. */
export const MATURE_SHARE = 0.95;

/** The share that has usually arrived for the young buckets at the end of a period, by clicks; null without any. */
export function getYoungShare(buckets: readonly MoneyBucket[]): number | null {
  const young = buckets.filter(({ maturity }) => maturity < MATURE_SHARE);
  const clicks = young.reduce((sum, bucket) => sum + (bucket.clicks ?? 1), 0);
  if (clicks === 0) return null;
  return young.reduce((sum, { maturity, clicks: own }) => sum + maturity * (own ?? 1), 0) / clicks;
}
