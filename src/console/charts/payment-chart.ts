import { formatDay, formatMoney, formatShortMoney } from '../reports/format.ts';
import { OUTLOOK_DAYS, type OutlookDay, type PaymentOutlook } from '../reports/payments.ts';
import { addDays, countDays } from '../reports/range.ts';
import {
  buildDayLabels,
  buildLine,
  buildRect,
  buildText,
  buildTicks,
  type ChartLayout,
  type ChartShape,
} from './chart-shapes.ts';

const TOP = 34;
const PLOT = 150;
const LABELS = 24;
const RIGHT = 8;

/** Where the sum of some days changes: it lasts until the next one. */
interface Step {
  readonly day: OutlookDay;
  readonly x: number;
  readonly end: number;
  /** Sums from the first day of the half on, minor units; `expected` has the approved money in it. */
  readonly paid: number;
  readonly approved: number;
  readonly expected: number;
}

/**
 * Lays out two sums side by side: what was paid in the last 60 days, and the line of what is expected in the next 60,
 * approved money below and pending money on top of it. `width` is in the units of the text, `names` are those of the
 * partners by key.
 */
export function buildPaymentChart(
  outlook: PaymentOutlook,
  names: ReadonlyMap<string, string>,
  width: number,
): ChartLayout {
  const { currency, from, today, paidDays, dueDays, paid, expected } = outlook;
  const isWide = width > 600;
  const left = isWide ? 56 : 48;
  const step = (width - left - RIGHT) / (2 * OUTLOOK_DAYS);
  const middle = left + OUTLOOK_DAYS * step;
  const past = buildSteps(paidDays, (day) => left + (countDays(from, day) - 1) * step, middle);
  const next = buildSteps(dueDays, (day) => middle + (countDays(today, day) - 1) * step, width - RIGHT);
  const highest = Math.max(1, ...[...past, ...next].flatMap((one) => [one.paid, one.approved, one.expected]));
  const zero = TOP + PLOT;
  const getY = (amount: number) => zero - (Math.max(0, amount) / highest) * PLOT;
  const fill = (variant: ChartShape['variant'], { x, end }: Step, low: number, high: number) =>
    high > low ? [buildRect(variant, x, getY(high), end - x, getY(low) - getY(high))] : [];
  const days = [from, today].flatMap((first) =>
    Array.from({ length: OUTLOOK_DAYS }, (_, index) => addDays(first, index)),
  );
  const money = (amount: number) => formatShortMoney(amount, currency);
  const [paidText, dueText] = isWide
    ? [`Paid in the last 60 days: ${money(paid)}`, `Expected in the next 60 days: ${money(expected)}`]
    : [`Paid: ${money(paid)}`, `Expected: ${money(expected)}`];
  const shapes: ChartShape[] = [
    ...buildTicks(paid > 0 || expected > 0 ? highest : 0).flatMap((tick) => [
      ...(tick > 0 ? [buildLine('chart-grid', left, getY(tick), width - RIGHT, getY(tick))] : []),
      buildText('chart-tick', left - 8, getY(tick) + 4, money(tick), 'end'),
    ]),
    ...past.flatMap((one) => fill('chart-paid', one, 0, one.paid)),
    ...next.flatMap((one) => [
      ...fill('chart-approved', one, 0, one.approved),
      ...fill('chart-pending', one, Math.max(0, one.approved), one.expected),
    ]),
    ...buildSteppedLine(next, middle, getY),
    buildLine('chart-axis', left, zero, width - RIGHT, zero),
    buildLine('chart-flag', middle, TOP - 26, middle, zero),
    buildText('chart-note', middle - 8, TOP - 16, paidText, 'end'),
    buildText('chart-note', middle + 8, TOP - 16, dueText),
    ...buildDayLabels(
      days.map((day) => ({ from: day, to: day })),
      { getX: (index) => left + index * step, y: zero + 18, width: width - left },
    ),
  ];
  return {
    width,
    height: zero + LABELS,
    shapes,
    top: TOP,
    columnHeight: PLOT,
    columns: [...past, ...next].map((one) => ({
      x: Math.round(one.x * 10) / 10,
      width: Math.round((one.end - one.x) * 10) / 10,
      text: describeStep(one, outlook, names),
      href: null,
    })),
  };
}

function buildSteps(days: readonly OutlookDay[], getX: (day: string) => number, end: number): Step[] {
  const sums = { paid: 0, approved: 0, expected: 0 };
  return days.map((day, index) => {
    sums.paid += day.paid;
    sums.approved += day.approved;
    sums.expected += day.expected;
    const next = days[index + 1];
    return { day, x: getX(day.day), end: next === undefined ? end : getX(next.day), ...sums };
  });
}

/** The line above all that is expected: flat until a payment, then up. */
function buildSteppedLine(
  steps: readonly Step[],
  start: number,
  getY: (amount: number) => number,
): ChartShape[] {
  if (steps.length === 0) return [];
  let path = `M${start.toFixed(1)} ${getY(0).toFixed(1)}`;
  for (const { x, end, expected } of steps) {
    path += `H${x.toFixed(1)}V${getY(expected).toFixed(1)}H${end.toFixed(1)}`;
  }
  return [{ kind: 'path', variant: 'chart-mean', d: path }];
}

/** One day in words, with the sum until then. */
function describeStep(
  { day: { day, payments }, paid, expected }: Step,
  { currency, today }: PaymentOutlook,
  names: ReadonlyMap<string, string>,
): string {
  const money = (amount: number) => formatMoney(amount, currency);
  const isPaid = payments[0]?.state === 'paid';
  const parts = payments.map((payment) => {
    const name = names.get(payment.partner) ?? payment.partner;
    return `${name} ${money(isPaid ? payment.paid : payment.expected)}`;
  });
  const sum = isPaid ? `${money(paid)} paid until then` : `${money(expected)} expected until then`;
  return `${formatDay(day, today)}: ${parts.join(', ')}; ${sum}`;
}

/** The finding of the chart: how much is expected, from whom and when first, next to what was paid. */
export function buildPaymentFinding(outlook: PaymentOutlook, names: ReadonlyMap<string, string>): string {
  const { currency, today, dueDays, expected, paid } = outlook;
  const money = (amount: number) => formatShortMoney(amount, currency);
  const before = paid > 0 ? `${money(paid)} was paid in the last 60.` : 'Nothing was paid in the last 60.';
  const [next] = dueDays;
  if (next === undefined) return `No payment has a date in the next 60 days. ${before}`;
  const from = [...new Set(next.payments.map(({ partner }) => names.get(partner) ?? partner))];
  const day = next.day === today ? 'today' : `on ${formatDay(next.day, today)}`;
  return (
    `${money(expected)} is expected in the next 60 days, ` +
    `the first ${money(next.expected)} from ${NAMES.format(from)} ${day}. ${before}`
  );
}

const NAMES = new Intl.ListFormat('en-US');
