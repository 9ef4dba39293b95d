import { getBooked } from '../../core/commissions/metric-definitions.ts';
import {
  formatMoney,
  formatNumber,
  formatPeriod,
  formatRoughShare,
  formatShare,
  formatShortMoney,
} from '../reports/format.ts';
import { MATURE_SHARE, type MoneyBucket } from '../reports/period-figures.ts';
import {
  buildColumns,
  buildDayLabels,
  buildFlags,
  buildLine,
  buildRect,
  buildText,
  buildTicks,
  type ChartLayout,
  type ChartShape,
} from './chart-shapes.ts';

/** Something that happened to the site on a day, for the chart. */
export interface ChartAnnotation {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly text: string;
}

const TOP = 34;
const PLOT = 190;
const CLICKS_GAP = 12;
const CLICKS = 34;
const LABELS = 22;
const RIGHT = 8;
/** The parts of a bar from the axis up: the surest first. */
const STACK = ['paid', 'approved', 'pending'] as const;
/** The part of a column that its bar takes. */
const BAR_SHARE = 0.76;

/**
 * Lays out money by day, week or month: paid, approved on top of it, then pending, reversed below the axis, clicks in a
 * strip of their own, and immature clicks on a background of their own. `width` is in the units of the text.
 */
export function buildMoneyChart(input: {
  readonly buckets: readonly MoneyBucket[];
  readonly currency: string;
  readonly immatureShare: number | null;
  readonly annotations: readonly ChartAnnotation[];
  readonly width: number;
  /** The address of the commissions of a bar; null where they may not be opened. */
  readonly toHref: (bucket: MoneyBucket) => string | null;
}): ChartLayout {
  const { buckets, currency, immatureShare, annotations, width, toHref } = input;
  const left = width > 600 ? 56 : 48;
  const step = (width - left - RIGHT) / Math.max(1, buckets.length);
  const getX = (index: number) => left + index * step;
  const getCenter = (index: number) => getX(index) + step / 2;
  const highest = Math.max(
    1,
    ...buckets.map((bucket) => STACK.reduce((sum, kind) => sum + Math.max(0, bucket[kind]), 0)),
  );
  const lowest = Math.max(0, ...buckets.map(({ reversed }) => reversed));
  const hasMoney = buckets.some((bucket) => getBooked(bucket) > 0);
  const scale = PLOT / (highest + lowest);
  const zero = TOP + highest * scale;
  const end = TOP + PLOT + CLICKS_GAP + CLICKS;
  const bar = step * BAR_SHARE;
  const getBarX = (index: number) => getX(index) + (step - bar) / 2;
  const shapes: ChartShape[] = [
    ...buildImmatureBackground(buckets, immatureShare, { getX, width }),
    // Without money there is nothing that a scale could measure.
    ...buildTicks(hasMoney ? highest : 0).flatMap((tick) => {
      const y = zero - tick * scale;
      const label = buildText('chart-tick', left - 8, y + 4, formatShortMoney(tick, currency), 'end');
      return tick > 0 ? [buildLine('chart-grid', left, y, width - RIGHT, y), label] : [label];
    }),
    ...buckets.flatMap((bucket, index) => buildBar(bucket, getBarX(index), bar, zero, scale)),
    buildLine('chart-axis', left, zero, width - RIGHT, zero),
    ...buildClickStrip(buckets, { getBarX, bar, bottom: end }),
    buildLine('chart-axis', left, end, width - RIGHT, end),
    ...buildDayLabels(buckets, { getX: getCenter, y: end + 16, width: width - left }),
    ...buildFlags(annotations, buckets, { getX: getCenter, dotY: TOP - 8, top: TOP - 2, bottom: zero }),
  ];
  return {
    width,
    height: end + LABELS,
    shapes,
    top: TOP,
    columnHeight: end - TOP,
    columns: buildColumns(buckets, {
      left,
      step,
      toHref,
      toText: (bucket) => describeBucket(bucket, currency),
    }),
  };
}

/** The background of the clicks that have not yet earned what they will, with the share that has usually arrived. */
function buildImmatureBackground(
  buckets: readonly MoneyBucket[],
  immatureShare: number | null,
  { getX, width }: { readonly getX: (index: number) => number; readonly width: number },
): ChartShape[] {
  const first = buckets.findIndex(({ maturity }) => maturity < MATURE_SHARE);
  if (first < 0 || immatureShare === null) return [];
  const x = getX(first);
  const arrived = `about ${formatRoughShare(immatureShare)}`;
  const text =
    width > 600
      ? `Young clicks: ${arrived} of their money has usually arrived`
      : `Young clicks: ${arrived} has usually arrived`;
  const isNarrow = width - x < text.length * 6.4;
  const label = isNarrow
    ? buildText('chart-note', width - RIGHT, TOP - 19, text, 'end')
    : buildText('chart-note', x + 6, TOP - 19, text);
  return [buildRect('chart-young', x, TOP - 14, width - RIGHT - x, PLOT + 14), label];
}

function buildClickStrip(
  buckets: readonly MoneyBucket[],
  place: { readonly getBarX: (index: number) => number; readonly bar: number; readonly bottom: number },
): ChartShape[] {
  const { getBarX, bar, bottom } = place;
  const most = Math.max(1, ...buckets.map(({ clicks }) => clicks ?? 0));
  return buckets.map(({ clicks }, index) => {
    const height = ((clicks ?? 0) / most) * CLICKS;
    return buildRect('chart-clicks', getBarX(index), bottom - height, bar, height);
  });
}

function buildBar(bucket: MoneyBucket, x: number, width: number, zero: number, scale: number): ChartShape[] {
  const { reversed } = bucket;
  const shapes: ChartShape[] = [];
  let top = zero;
  for (const kind of STACK) {
    const height = Math.max(0, bucket[kind]) * scale;
    top -= height;
    if (height > 0) shapes.push(buildRect(`chart-${kind}`, x, top, width, height));
  }
  if (reversed > 0) {
    const height = reversed * scale;
    shapes.push(buildRect('chart-reversed', x, zero + 1, width, height));
    shapes.push(buildLine('chart-strike', x, zero + 1 + height, x + width, zero + 1));
  }
  return shapes;
}

/** One column in words. */
function describeBucket(bucket: MoneyBucket, currency: string): string {
  const { from, to, approved, paid, pending, reversed, clicks } = bucket;
  const parts = [
    `${formatMoney(approved, currency)} approved`,
    ...(paid === 0 ? [] : [`${formatMoney(paid, currency)} paid`]),
    ...(pending === 0 ? [] : [`${formatMoney(pending, currency)} pending`]),
    ...(reversed === 0 ? [] : [`${formatMoney(reversed, currency)} reversed`]),
    ...(clicks === null ? [] : [`${formatNumber(clicks)} ${clicks === 1 ? 'click' : 'clicks'}`]),
  ];
  return `${formatPeriod(from, to)}: ${parts.join(', ')}`;
}

/** The finding of the chart, one or two sentences. */
export function buildMoneyFinding(
  buckets: readonly MoneyBucket[],
  { currency, immatureShare }: { readonly currency: string; readonly immatureShare: number | null },
): string {
  const sum = buckets.reduce((all, bucket) => all + getBooked(bucket), 0);
  const [best] = [...buckets].sort((one, other) => getBooked(other) - getBooked(one));
  if (best === undefined || sum <= 0) return 'No money in this period yet.';
  const share = getBooked(best) / sum;
  const money = formatShortMoney(getBooked(best), currency);
  const text = `${formatPeriod(best.from, best.to)} earned most: ${money}, ${formatShare(share)} of the period.`;
  if (immatureShare === null || immatureShare > 0.99) return text;
  const arrived = `about ${formatRoughShare(immatureShare)} of their money has usually arrived by now`;
  return `${text} The clicks on the hatched background are young: ${arrived}.`;
}
