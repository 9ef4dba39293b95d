import { toUtc } from '../../core/commissions/local-time.ts';
import { getMatureShare, type MaturityCurve } from '../../core/commissions/maturity.ts';
import { estimateEarnings } from '../../core/commissions/rank-by-earnings.ts';
import { listBuckets } from '../figures/build-money-series.ts';
import { addDays, countDays } from '../figures/console-days.ts';
import type { ConsoleQuery } from '../figures/console-query.ts';

/** What a click of one week or month is expected to earn, with its 80 % interval; minor units. */
export interface CoursePoint {
  readonly from: string;
  readonly to: string;
  readonly clicks: number;
  readonly conversions: number;
  readonly low: number;
  readonly mean: number;
  readonly high: number;
}

/** Clicks and credited money of one day. */
export interface CourseDay {
  readonly clicks: number;
  readonly conversions: number;
  /** Approved and pending, minor units. */
  readonly amount: number;
}

const DAYS_FOR_MONTHS = 400;
/** Fewer clicks whose money has arrived say nothing. */
const MIN_MATURE_CLICKS = 5;

/**
 * Builds the course of a page's earnings per click by click week, or by month over more than 400 days. Clicks count by
 * the share of their money that has usually arrived. Too young or too few
 * clicks are left out. Empty with fewer than two such buckets, or without a conversion, since the value of one is not
 * known then.
 */
export function buildPageCourse(input: {
  readonly query: Pick<ConsoleQuery, 'from' | 'to' | 'weekStart'>;
  readonly days: ReadonlyMap<string, CourseDay>;
  readonly curve: MaturityCurve | null;
  readonly timeZone: string;
  readonly now: number;
}): readonly CoursePoint[] {
  const { query, days, curve, timeZone, now } = input;
  const unit = countDays(query.from, query.to) > DAYS_FOR_MONTHS ? 'month' : 'week';
  const buckets = listBuckets(query, unit).map(({ from, to }) => {
    const sum = { clicks: 0, conversions: 0, amount: 0, matureClicks: 0 };
    for (let day = from; day <= to; day = addDays(day, 1)) {
      const { clicks = 0, conversions = 0, amount = 0 } = days.get(day) ?? {};
      const noon = (toUtc(Date.parse(day), timeZone) + toUtc(Date.parse(addDays(day, 1)), timeZone)) / 2;
      const share = curve === null ? 1 : Math.min(1, getMatureShare(curve, Math.max(0, now - noon)));
      sum.clicks += clicks;
      sum.conversions += conversions;
      sum.amount += amount;
      sum.matureClicks += clicks * share;
    }
    return { key: from, from, to, ...sum };
  });
  const seen = buckets.filter(({ matureClicks }) => matureClicks >= MIN_MATURE_CLICKS);
  if (seen.length < 2 || seen.every(({ conversions }) => conversions === 0)) return [];
  const estimates = estimateEarnings(seen);
  return seen.map(({ from, to, clicks, conversions }, index) => {
    const { low = 0, mean = 0, high = 0 } = estimates[index] ?? {};
    return { from, to, clicks, conversions, low, mean, high };
  });
}
