import { formatDay } from '../reports/format.ts';
import type { ChartAnnotation } from './money-chart.ts';

/** A part of a chart. Its variant is its class in the style sheet. */
export type ChartShape = { readonly variant: ChartVariant } & (
  | Readonly<Record<'x' | 'y' | 'width' | 'height', number> & { kind: 'rect' }>
  | Readonly<Record<'x1' | 'y1' | 'x2' | 'y2', number> & { kind: 'line' }>
  | Readonly<Record<'x' | 'y' | 'radius', number> & { kind: 'circle' }>
  | { readonly kind: 'path'; readonly d: string }
  | {
      readonly kind: 'text';
      readonly x: number;
      readonly y: number;
      readonly anchor: 'start' | 'middle' | 'end';
      readonly text: string;
    }
);

/** What each part of a chart shows, as the class of its element. */
const VARIANT_CLASSES = [
  'chart-approved',
  'chart-paid',
  'chart-pending',
  'chart-reversed',
  'chart-strike',
  'chart-young',
  'chart-clicks',
  'chart-grid',
  'chart-axis',
  'chart-band',
  'chart-mean',
  'chart-point',
  'chart-low',
  'chart-flag',
  'chart-dot',
  'chart-tick',
  'chart-note',
  'chart-number',
] as const;
export type ChartVariant = (typeof VARIANT_CLASSES)[number];

/** A chart as shapes, and what its columns say. */
export interface ChartLayout {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly ChartShape[];
  /** What a pointer or the keyboard reads out, column by column. */
  readonly columns: readonly {
    readonly x: number;
    readonly width: number;
    readonly text: string;
    /** The address of what the column sums; null without one. */
    readonly href: string | null;
  }[];
  readonly top: number;
  readonly columnHeight: number;
}

/** Width of a day's label with the space around it. */
const LABEL_WIDTH = 78;

const round = (value: number) => Math.round(value * 10) / 10;

export const buildRect = (
  variant: ChartVariant,
  x: number,
  y: number,
  width: number,
  height: number,
): ChartShape => ({
  kind: 'rect',
  variant,
  x: round(x),
  y: round(y),
  width: round(Math.max(0, width)),
  height: round(Math.max(0, height)),
});

export const buildLine = (
  variant: ChartVariant,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
): ChartShape => ({
  kind: 'line',
  variant,
  x1: round(x1),
  y1: round(y1),
  x2: round(x2),
  y2: round(y2),
});

export const buildText = (
  variant: ChartVariant,
  x: number,
  y: number,
  text: string,
  anchor: 'start' | 'middle' | 'end' = 'start',
): ChartShape => ({ kind: 'text', variant, x: round(x), y: round(y), anchor, text });

/** The steps of an axis from 0 in minor units: one, two or five times a power of ten, two to four of them above 0. */
export function buildTicks(max: number): readonly number[] {
  if (max <= 0) return [0];
  const largest = Math.max(1, max / 2);
  const power = 10 ** Math.floor(Math.log10(largest));
  const step = [5, 2, 1].map((factor) => factor * power).find((size) => size <= largest) ?? power;
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, index) => index * step);
}

/** Days that one column of a chart is about, as `YYYY-MM-DD`. */
interface ColumnDays {
  readonly from: string;
  readonly to: string;
}

/** Labels of days below the columns, as many as have room in `width`. */
export function buildDayLabels(
  columns: readonly ColumnDays[],
  {
    getX,
    y,
    width,
  }: { readonly getX: (index: number) => number; readonly y: number; readonly width: number },
): ChartShape[] {
  const every = Math.ceil(columns.length / Math.max(2, Math.floor(width / LABEL_WIDTH)));
  return columns.flatMap(({ from }, index) =>
    index % every === 0 ? [buildText('chart-tick', getX(index), y, formatDay(from), 'middle')] : [],
  );
}

/** Flags with less room between them share one number, such as `2–3`. */
const FLAG_ROOM = 19;

/** Numbered flags on the columns that the days of annotations, oldest first, belong to, from `top` to `bottom`. */
export function buildFlags(
  annotations: readonly ChartAnnotation[],
  columns: readonly ColumnDays[],
  place: {
    readonly getX: (index: number) => number;
    readonly dotY: number;
    readonly top: number;
    readonly bottom: number;
  },
): ChartShape[] {
  const { getX, dotY, top, bottom } = place;
  const flags = annotations.flatMap(({ day }, index) => {
    const column = columns.findIndex(({ from, to }) => day >= from && day <= to);
    return column < 0 ? [] : [{ x: getX(column), number: index + 1 }];
  });
  const groups: { readonly x: number; readonly first: number; last: number; end: number }[] = [];
  for (const { x, number } of flags) {
    const before = groups.at(-1);
    if (before === undefined || x - before.end >= FLAG_ROOM) {
      groups.push({ x, first: number, last: number, end: x });
    } else {
      before.last = number;
      before.end = x;
    }
  }
  return [
    ...[...new Set(flags.map(({ x }) => x))].map((x) => buildLine('chart-flag', x, top, x, bottom)),
    ...groups.flatMap(({ x, first, last, end }): ChartShape[] => {
      const center = (x + end) / 2;
      const [text, radius] = first === last ? [String(first), 7.5] : [`${first}–${last}`, 10.5];
      return [
        { kind: 'circle', variant: 'chart-dot', x: Math.round(center), y: dotY, radius },
        buildText('chart-number', center, dotY + 4, text, 'middle'),
      ];
    }),
  ];
}

/** What each column says, and where it is. */
export function buildColumns<Column>(
  columns: readonly Column[],
  place: {
    readonly left: number;
    readonly step: number;
    readonly toText: (column: Column) => string;
    readonly toHref?: (column: Column) => string | null;
  },
): ChartLayout['columns'] {
  const { left, step, toText, toHref = () => null } = place;
  return columns.map((column, index) => ({
    x: round(left + index * step),
    width: round(step),
    text: toText(column),
    href: toHref(column),
  }));
}
