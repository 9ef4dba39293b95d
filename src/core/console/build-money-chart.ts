import type { MoneyBucket } from './build-money-series.ts';
import { MATURE_SHARE } from './build-money-series.ts';
import type { ChartAnnotation } from './chart-annotation.ts';
import {
  buildLine,
  buildRect,
  buildText,
  buildTicks,
  type ChartLayout,
  type ChartShape,
} from './chart-shapes.ts';
import {
  formatDay,
  formatMoney,
  formatNumber,
  formatPeriod,
  formatShare,
  formatShortMoney,
} from './format-figures.ts';

const TOP = 34;
const PLOT = 190;
const CLICKS_GAP = 12;
const CLICKS = 34;
const LABELS = 22;
const RIGHT = 8;
/** The part of a column that its bar takes. */
const BAR_SHARE = 0.76;

/**
 * Lays out money by day, week or month: approved, pending on top of it, reversed below the axis, clicks in a strip of
 * their own, and young clicks on a ground of their own. `width` is in the units of the text.
 */
export function buildMoneyChart(input: {
  readonly buckets: readonly MoneyBucket[];
  readonly currency: string;
  readonly youngShare: number | null;
  readonly annotations: readonly ChartAnnotation[];
  readonly width: number;
}): ChartLayout {
  const { buckets, currency, youngShare, annotations, width } = input;
  const left = width > 600 ? 56 : 48;
  const step = (width - left - RIGHT) / Math.max(1, buckets.length);
  const getX = (index: number) => left + index * step;
  const highest = Math.max(1, ...buckets.map(({ approved, pending }) => approved + pending));
  const lowest = Math.max(0, ...buckets.map(({ reversed }) => reversed));
  const scale = PLOT / (highest + lowest);
  const zero = TOP + highest * scale;
  const bottom = TOP + PLOT;
  const shapes: ChartShape[] = [];
  const firstYoung = buckets.findIndex(({ maturity }) => maturity < MATURE_SHARE);
  if (firstYoung >= 0 && youngShare !== null) {
    const x = getX(firstYoung);
    shapes.push(buildRect('chart-young', x, TOP - 14, width - RIGHT - x, bottom - TOP + 14));
    const note = width > 600 ? 'Young clicks: about' : 'Young: about';
    const text = `${note} ${formatShare(youngShare)} has usually arrived by now`;
    const isNarrow = width - x < text.length * 6.4;
    shapes.push(
      buildText('chart-note', isNarrow ? width - RIGHT : x + 6, TOP - 19, text, isNarrow ? 'end' : 'start'),
    );
  }
  for (const tick of buildTicks(highest)) {
    const y = zero - tick * scale;
    if (tick > 0) shapes.push(buildLine('chart-grid', left, y, width - RIGHT, y));
    shapes.push(buildText('chart-tick', left - 8, y + 4, formatShortMoney(tick, currency), 'end'));
  }
  const bar = step * BAR_SHARE;
  buckets.forEach((bucket, index) => {
    shapes.push(...buildBar(bucket, getX(index) + (step - bar) / 2, bar, zero, scale));
  });
  shapes.push(buildLine('chart-axis', left, zero, width - RIGHT, zero));
  const clicksTop = bottom + CLICKS_GAP;
  const mostClicks = Math.max(1, ...buckets.map(({ clicks }) => clicks ?? 0));
  buckets.forEach(({ clicks }, index) => {
    const height = ((clicks ?? 0) / mostClicks) * CLICKS;
    shapes.push(
      buildRect('chart-clicks', getX(index) + (step - bar) / 2, clicksTop + CLICKS - height, bar, height),
    );
  });
  const end = clicksTop + CLICKS;
  shapes.push(buildLine('chart-axis', left, end, width - RIGHT, end));
  const every = Math.ceil(buckets.length / Math.max(2, Math.floor((width - left) / 78)));
  buckets.forEach(({ from }, index) => {
    if (index % every === 0)
      shapes.push(buildText('chart-tick', getX(index) + step / 2, end + 16, formatDay(from), 'middle'));
  });
  annotations.forEach(({ day }, index) => {
    const at = buckets.findIndex(({ from, to }) => day >= from && day <= to);
    if (at < 0) return;
    const x = getX(at) + step / 2;
    shapes.push(buildLine('chart-flag', x, TOP - 2, x, zero));
    shapes.push({ kind: 'circle', look: 'chart-dot', x: Math.round(x), y: TOP - 8, radius: 7.5 });
    shapes.push(buildText('chart-number', x, TOP - 4, String(index + 1), 'middle'));
  });
  return {
    width,
    height: end + LABELS,
    shapes,
    top: TOP,
    columnHeight: end - TOP,
    columns: buckets.map((bucket, index) => ({
      x: Math.round(getX(index) * 10) / 10,
      width: Math.round(step * 10) / 10,
      text: describeBucket(bucket, currency),
    })),
  };
}

function buildBar(
  { approved, pending, reversed }: MoneyBucket,
  x: number,
  width: number,
  zero: number,
  scale: number,
): ChartShape[] {
  const shapes: ChartShape[] = [];
  const solid = Math.max(0, approved) * scale;
  const hatched = Math.max(0, pending) * scale;
  if (solid > 0) shapes.push(buildRect('chart-approved', x, zero - solid, width, solid));
  if (hatched > 0) shapes.push(buildRect('chart-pending', x, zero - solid - hatched, width, hatched));
  if (reversed > 0) {
    const height = reversed * scale;
    shapes.push(buildRect('chart-reversed', x, zero + 1, width, height));
    shapes.push(buildLine('chart-strike', x, zero + 1 + height, x + width, zero + 1));
  }
  return shapes;
}

/** One column in words. */
function describeBucket(bucket: MoneyBucket, currency: string): string {
  const { from, to, approved, pending, reversed, clicks } = bucket;
  const parts = [
    `${formatMoney(approved, currency)} approved`,
    ...(pending === 0 ? [] : [`${formatMoney(pending, currency)} pending`]),
    ...(reversed === 0 ? [] : [`${formatMoney(reversed, currency)} reversed`]),
    ...(clicks === null ? [] : [`${formatNumber(clicks)} ${clicks === 1 ? 'click' : 'clicks'}`]),
  ];
  return `${formatPeriod(from, to)}: ${parts.join(', ')}`;
}

/** The finding of the chart, one or two sentences. */
export function buildMoneyFinding(
  buckets: readonly MoneyBucket[],
  { currency, youngShare }: { readonly currency: string; readonly youngShare: number | null },
): string {
  const sum = buckets.reduce((all, { approved, pending }) => all + approved + pending, 0);
  const [best] = [...buckets].sort(
    (one, other) => other.approved + other.pending - one.approved - one.pending,
  );
  if (best === undefined || sum <= 0) return 'No money in this period yet.';
  const share = (best.approved + best.pending) / sum;
  const money = formatShortMoney(best.approved + best.pending, currency);
  const text = `${formatPeriod(best.from, best.to)} earned most: ${money}, ${formatShare(share)} of the period.`;
  return youngShare === null || youngShare > 0.99
    ? text
    : `${text} The clicks on the hatched ground are young: ${formatShare(youngShare)} of their money has usually arrived by now.`;
}
