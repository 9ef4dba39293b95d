import { type EarnedSum, NOTHING, weighWeek } from '../../core/commissions/ranges/build-ranking.ts';
import type { MaturityCurve } from '../../core/commissions/ranges/maturity.ts';
import { type EarnedClicks, estimateEarnings } from '../../core/commissions/ranges/rank-by-earnings.ts';
import { formatMoney, formatNumber, formatPeriod, formatShortMoney } from '../reports/format.ts';
import { listBuckets } from '../reports/period-figures.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import { addDays, countDays, getWeekStart } from '../reports/range.ts';
import {
  buildColumns,
  buildDayLabels,
  buildFlags,
  buildLine,
  buildText,
  buildTicks,
  type ChartLayout,
  type ChartShape,
} from './chart-shapes.ts';
import type { ChartAnnotation } from './money-chart.ts';

/** A point of a line with the range in which it lies, or usually lies. */
export interface RangedPoint {
  readonly from: string;
  readonly to: string;
  readonly low: number;
  readonly mean: number;
  readonly high: number;
}

/** What a click of one week or month is expected to earn, with its range in 8 of 10 cases; minor units. */
export interface TrendPoint extends RangedPoint {
  readonly clicks: number;
  readonly conversions: number;
}

/** Clicks and credited money of one day. */
export interface TrendDay extends EarnedSum {
  readonly clicks: number;
}

const DAYS_FOR_MONTHS = 400;
/** Fewer clicks whose money has arrived say nothing. */
const MIN_MATURE_CLICKS = 5;

/**
 * Builds the trend of a page's earnings per click by click week, or by month over more than 400 days. Clicks count by
 * the share of their money that has usually arrived. Buckets with too few or immature clicks are left out. Empty with
 * fewer than two such buckets, without a conversion, and while it is not known how long commissions take. `site`: what all
 * clicks of the period have earned.
 */
export function buildPageTrend(input: {
  readonly query: Pick<ConsoleQuery, 'from' | 'to' | 'weekStart'>;
  readonly days: ReadonlyMap<string, TrendDay>;
  readonly curve: MaturityCurve | null;
  readonly site: EarnedClicks;
  readonly now: number;
}): readonly TrendPoint[] {
  const { query, days, curve, site, now } = input;
  if (curve === null) return [];
  const unit = countDays(query.from, query.to) > DAYS_FOR_MONTHS ? 'month' : 'week';
  const buckets = listBuckets(query, unit).map(({ from, to }) => {
    const sum = { ...NOTHING, clicks: 0, matureClicks: 0, clicksError: 0 };
    for (let day = from; day <= to; day = addDays(day, 1)) {
      const { clicks = 0, conversions = 0, amount = 0, squares = 0 } = days.get(day) ?? {};
      const { weight, error } = weighWeek(curve, Date.parse(getWeekStart(day, 'monday')), now);
      sum.clicks += clicks;
      sum.conversions += conversions;
      sum.amount += amount;
      sum.squares += squares;
      sum.matureClicks += clicks * weight;
      sum.clicksError += clicks * error;
    }
    return { from, to, ...sum };
  });
  const seen = buckets.filter(({ matureClicks }) => matureClicks >= MIN_MATURE_CLICKS);
  if (seen.length < 2 || seen.every(({ conversions }) => conversions === 0)) return [];
  return seen.map(({ from, to, ...own }) => {
    const { low = 0, mean = 0, high = 0 } = estimateEarnings(own, site) ?? {};
    return { from, to, clicks: own.clicks, conversions: own.conversions, low, mean, high };
  });
}

const TOP = 26;
const PLOT = 150;
const LABELS = 24;
const RIGHT = 14;

/** Lays out a line with the band of its ranges, such as earnings per click; what is below its range is marked. */
export function buildTrendChart<Point extends RangedPoint>(input: {
  readonly points: readonly Point[];
  readonly format: (tick: number, highest: number) => string;
  readonly describe: (point: Point) => string;
  readonly annotations: readonly ChartAnnotation[];
  readonly width: number;
}): ChartLayout {
  const { points, format, describe, annotations, width } = input;
  const left = 56;
  const step = (width - left - RIGHT) / Math.max(1, points.length);
  const getX = (index: number) => left + (index + 0.5) * step;
  const highest = Math.max(1, ...points.flatMap(({ mean, high }) => [mean, high]));
  const getY = (amount: number) => TOP + PLOT - (amount / highest) * PLOT;
  const at = (amounts: readonly number[]) =>
    amounts.map((amount, index) => `${getX(index).toFixed(1)} ${getY(amount).toFixed(1)}`);
  const upper = at(points.map(({ high }) => high));
  const lower = at(points.map(({ low }) => low)).reverse();
  const shapes: ChartShape[] = buildTicks(highest).flatMap((tick) => [
    buildLine(tick === 0 ? 'chart-axis' : 'chart-grid', left, getY(tick), width - RIGHT, getY(tick)),
    buildText('chart-tick', left - 8, getY(tick) + 4, format(tick, highest), 'end'),
  ]);
  shapes.push({ kind: 'path', variant: 'chart-band', d: `M${[...upper, ...lower].join('L')}Z` });
  shapes.push({ kind: 'path', variant: 'chart-mean', d: `M${at(points.map(({ mean }) => mean)).join('L')}` });
  points.forEach(({ mean, low }, index) => {
    const variant = mean < low ? 'chart-low' : 'chart-point';
    shapes.push({ kind: 'circle', variant, x: getX(index), y: getY(mean), radius: mean < low ? 4 : 3 });
  });
  const bottom = TOP + PLOT;
  shapes.push(...buildDayLabels(points, { getX, y: bottom + 18, width: width - left }));
  shapes.push(...buildFlags(annotations, points, { getX, dotY: TOP - 10, top: TOP - 2, bottom }));
  return {
    width,
    height: bottom + LABELS,
    shapes,
    top: TOP,
    columnHeight: PLOT,
    columns: buildColumns(points, { left, step, toText: describe }),
  };
}

/** A scale of less than a few dollars needs the cents. */
export const formatTick = (amount: number, highest: number, currency: string) =>
  highest < 500 ? formatMoney(amount, currency) : formatShortMoney(amount, currency);

export function describePoint({ from, to, clicks, low, mean, high }: TrendPoint, currency: string): string {
  const money = [mean, low, high].map((amount) => formatMoney(Math.round(amount), currency));
  const counted = `${formatNumber(clicks)} ${clicks === 1 ? 'click' : 'clicks'}`;
  return `${formatPeriod(from, to)}: about ${money[0]} a click, between ${money[1]} and ${money[2]} (${counted})`;
}

/** The finding of the chart: whether the newest interval is apart from the one before. */
export function buildTrendFinding(points: readonly TrendPoint[], currency: string): string {
  const [before, last] = points.slice(-2);
  if (before === undefined || last === undefined) return '';
  const between = `between ${formatMoney(Math.round(last.low), currency)} and ${formatMoney(Math.round(last.high), currency)}`;
  const text = `A click of ${formatPeriod(last.from, last.to)} is expected to earn ${between} in 8 of 10 cases.`;
  if (last.low > before.high) return `${text} That is more than in the period before, beyond chance.`;
  if (last.high < before.low) return `${text} That is less than in the period before, beyond chance.`;
  return `${text} The difference from the period before may be chance.`;
}
