import { formatMoney, formatNumber, formatPeriod, formatShortMoney } from '../figures/format-figures.ts';
import type { CoursePoint } from '../pages/page-course.ts';
import type { ChartAnnotation } from './chart-annotation.ts';
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

const TOP = 26;
const PLOT = 150;
const LABELS = 24;
const RIGHT = 14;

/** Lays out the course of earnings per click: a line with the band of its 80 % intervals. */
export function buildCourseChart(input: {
  readonly points: readonly CoursePoint[];
  readonly currency: string;
  readonly annotations: readonly ChartAnnotation[];
  readonly width: number;
}): ChartLayout {
  const { points, currency, annotations, width } = input;
  const left = 56;
  const step = (width - left - RIGHT) / Math.max(1, points.length);
  const getX = (index: number) => left + (index + 0.5) * step;
  const highest = Math.max(1, ...points.map(({ high }) => high));
  const getY = (amount: number) => TOP + PLOT - (amount / highest) * PLOT;
  const at = (amounts: readonly number[]) =>
    amounts.map((amount, index) => `${getX(index).toFixed(1)} ${getY(amount).toFixed(1)}`);
  const upper = at(points.map(({ high }) => high));
  const lower = at(points.map(({ low }) => low)).reverse();
  const shapes: ChartShape[] = buildTicks(highest).flatMap((tick) => [
    buildLine(tick === 0 ? 'chart-axis' : 'chart-grid', left, getY(tick), width - RIGHT, getY(tick)),
    buildText('chart-tick', left - 8, getY(tick) + 4, formatTick(tick, highest, currency), 'end'),
  ]);
  shapes.push({ kind: 'path', variant: 'chart-band', d: `M${[...upper, ...lower].join('L')}Z` });
  shapes.push({ kind: 'path', variant: 'chart-mean', d: `M${at(points.map(({ mean }) => mean)).join('L')}` });
  points.forEach(({ mean }, index) => {
    shapes.push({ kind: 'circle', variant: 'chart-point', x: getX(index), y: getY(mean), radius: 3 });
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
    columns: buildColumns(points, { left, step, toText: (point) => describePoint(point, currency) }),
  };
}

/** A scale of less than a few dollars needs the cents. */
const formatTick = (amount: number, highest: number, currency: string) =>
  highest < 500 ? formatMoney(amount, currency) : formatShortMoney(amount, currency);

function describePoint({ from, to, clicks, low, mean, high }: CoursePoint, currency: string): string {
  const money = [mean, low, high].map((amount) => formatMoney(Math.round(amount), currency));
  const counted = `${formatNumber(clicks)} ${clicks === 1 ? 'click' : 'clicks'}`;
  return `${formatPeriod(from, to)}: about ${money[0]} a click, between ${money[1]} and ${money[2]} (${counted})`;
}

/** The finding of the chart: whether the newest interval is apart from the one before. */
export function buildCourseFinding(points: readonly CoursePoint[], currency: string): string {
  const [before, last] = points.slice(-2);
  if (before === undefined || last === undefined) return '';
  const between = `between ${formatMoney(Math.round(last.low), currency)} and ${formatMoney(Math.round(last.high), currency)}`;
  const text = `A click of ${formatPeriod(last.from, last.to)} is expected to earn ${between} (80% interval).`;
  if (last.low > before.high) return `${text} That is more than in the period before, beyond chance.`;
  if (last.high < before.low) return `${text} That is less than in the period before, beyond chance.`;
  return `${text} The difference from the period before may be chance.`;
}
