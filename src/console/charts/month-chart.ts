import { formatMoney, formatShortMoney } from '../reports/format.ts';
import {
  buildColumns,
  buildLine,
  buildRect,
  buildText,
  buildTicks,
  type ChartLayout,
  type ChartVariant,
} from './chart-shapes.ts';

/** A month: what is certain or came, what is likely on top of it, and the range of both. Minor units. */
export interface MonthBar {
  readonly month: string;
  readonly certain: number;
  readonly likely: number;
  readonly low: number;
  readonly high: number;
  /** It has ended: `certain` is what came. */
  readonly isOver: boolean;
}

/** Names a month, such as `Dec 2026`. */
export const formatMonth = (month: string, isShort = false) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'short',
    timeZone: 'UTC',
    ...(!isShort && { year: 'numeric' }),
  });

const TOP = 12;
const PLOT = 170;

/** Lays out months as bars: solid what is certain, hatched what is likely, ruled what came, with the range as a line. */
export function buildMonthChart(bars: readonly MonthBar[], currency: string, width: number): ChartLayout {
  const left = 66;
  const step = (width - left - 8) / bars.length;
  const size = Math.min(46, step * 0.62);
  const highest = Math.max(1, ...bars.flatMap(({ certain, likely, high }) => [certain + likely, high]));
  const zero = TOP + PLOT;
  const getY = (amount: number) => zero - (Math.max(0, amount) / highest) * PLOT;
  const every = Math.ceil(32 / step);
  const getX = (index: number) => left + (index + 0.5) * step;
  const bar = (variant: ChartVariant, index: number, low: number, high: number, thickness = size) =>
    high > low
      ? [buildRect(variant, getX(index) - thickness / 2, getY(high), thickness, getY(low) - getY(high))]
      : [];
  return {
    width,
    height: zero + 24,
    top: TOP,
    columnHeight: PLOT,
    shapes: [
      ...buildTicks(highest).flatMap((tick) => [
        buildLine('chart-grid', left, getY(tick), width - 8, getY(tick)),
        buildText('chart-tick', left - 8, getY(tick) + 4, formatShortMoney(tick, currency), 'end'),
      ]),
      ...bars.flatMap(({ month, certain, likely, low, high, isOver }, index) => [
        ...bar(isOver ? 'chart-paid' : 'chart-approved', index, 0, certain),
        ...bar('chart-pending', index, certain, certain + likely),
        ...bar('chart-note', index, low, high, 1.8),
        ...(index % every === 0
          ? [buildText('chart-tick', getX(index), zero + 18, formatMonth(month, true), 'middle')]
          : []),
      ]),
      buildLine('chart-axis', left, zero, width - 8, zero),
    ],
    columns: buildColumns(bars, { left, step, toText: (one) => describeBar(one, currency) }),
  };
}

function describeBar({ month, certain, likely, low, high, isOver }: MonthBar, currency: string): string {
  const range = `${formatMoney(low, currency)} to ${formatMoney(high, currency)}`;
  const sum = formatMoney(certain + likely, currency);
  return isOver
    ? `${formatMonth(month)}: ${sum} came, ${range} was said`
    : `${formatMonth(month)}: likely ${sum}, in 8 of 10 cases ${range}`;
}
