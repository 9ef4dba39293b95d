import { type ReactNode, useId } from 'react';
import { getBooked } from '../../core/commissions/metric-definitions.ts';
import { useFrame } from '../console-page.ts';
import { OpenAmount } from '../frame/links.tsx';
import { buildRowsAddress, selectDays } from '../reports/addresses.ts';
import { formatDay, formatMoney, formatNumber, formatPeriod, NO_FIGURE } from '../reports/format.ts';
import type { MoneyBucket } from '../reports/period-figures.ts';
import type { ChartLayout, ChartShape } from './chart-shapes.ts';
import { buildMoneyChart, buildMoneyFinding, type ChartAnnotation } from './money-chart.ts';
import { buildMonthChart, formatMonth, type MonthBar } from './month-chart.ts';
import {
  buildTrendChart,
  buildTrendFinding,
  describePoint,
  formatTick,
  type RangedPoint,
  type TrendPoint,
} from './trend-chart.ts';

/** Variants with a pattern: the classes of its background and lines. Paid is ruled, pending and immature are hatched. */
const PATTERN_CLASSES: Readonly<Record<string, { readonly background: string; readonly line: string }>> = {
  'chart-paid': { background: 'ruled-background', line: 'stroke-surface stroke-[2.6]' },
  'chart-pending': { background: 'fill-positive-wash', line: 'stroke-positive stroke-[2.2]' },
  'chart-young': { background: 'young-background', line: 'young-line' },
};

/**
 * A chart drawn from its layout. Columns read out on hover and lead to what they sum; the table behind the chart has the
 * same figures and links, one after another for the keyboard.
 */
function ChartDrawing(props: {
  readonly layout: ChartLayout;
  readonly label: string;
  readonly className: string;
}) {
  const { layout, label, className } = props;
  const { width, height, shapes, columns, top, columnHeight } = layout;
  const hatch = useId();
  return (
    <svg className={className} viewBox={`0 0 ${width} ${height}`} aria-label={label}>
      <defs>
        {Object.entries(PATTERN_CLASSES).map(([variant, { background, line }]) => (
          <pattern
            key={variant}
            id={`${hatch}-${variant}`}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform={`rotate(${variant === 'chart-paid' ? 90 : 45})`}
          >
            <rect className={background} width="6" height="6" />
            <path className={line} d="M0 0V6" />
          </pattern>
        ))}
      </defs>
      <svg aria-hidden="true">
        {shapes.map((shape) => (
          <Shape key={Object.values(shape).join(' ')} shape={shape} hatch={hatch} />
        ))}
      </svg>
      {columns.map(({ x, width: columnWidth, text, href }) => {
        const column = (
          <rect key={x} className="chart-column" x={x} y={top} width={columnWidth} height={columnHeight}>
            <title>{text}</title>
          </rect>
        );
        if (href === null) return column;
        return (
          <a key={x} href={href} tabIndex={-1} aria-label={text}>
            {column}
          </a>
        );
      })}
    </svg>
  );
}

function Shape({ shape, hatch }: { readonly shape: ChartShape; readonly hatch: string }) {
  const { variant } = shape;
  switch (shape.kind) {
    case 'rect': {
      const { x, y, width, height } = shape;
      const fill = PATTERN_CLASSES[variant] !== undefined ? `url(#${hatch}-${variant})` : undefined;
      return <rect className={variant} x={x} y={y} width={width} height={height} fill={fill} />;
    }
    case 'line':
      return <line className={variant} x1={shape.x1} y1={shape.y1} x2={shape.x2} y2={shape.y2} />;
    case 'circle':
      return <circle className={variant} cx={shape.x} cy={shape.y} r={shape.radius} />;
    case 'path':
      return <path className={variant} d={shape.d} />;
    case 'text':
      return (
        <text className={variant} x={shape.x} y={shape.y} textAnchor={shape.anchor}>
          {shape.text}
        </text>
      );
  }
}

/** What the numbers at the top of a chart stand for; nothing without any. */
function ChartNotes({ annotations }: { readonly annotations: readonly ChartAnnotation[] }) {
  if (annotations.length === 0) return null;
  return (
    <ol className="chart-notes" aria-label="What changed">
      {annotations.map(({ day, text }) => (
        <li key={`${day} ${text}`}>
          {formatDay(day)}: {text}
        </li>
      ))}
    </ol>
  );
}

/** Widths in the units of the text: for wide screens, for tablets and paper, for phones. */
const WIDE = 1040;
const MEDIUM = 760;
const NARROW = 400;

/** A chart under its finding, with a legend, notes and a table of the same numbers. */
function ChartFigure(props: {
  /** What the chart shows, in a sentence or two. */
  readonly finding: string;
  readonly build: (width: number) => ChartLayout;
  readonly legend: readonly { readonly className: string; readonly text: string }[];
  readonly annotations: readonly ChartAnnotation[];
  readonly headings: readonly string[];
  /** The rows of the table. */
  readonly children: ReactNode;
  readonly className?: string;
}) {
  const { finding, build, legend, annotations, headings, children, className = '' } = props;
  return (
    <figure className={`chart ${className}`} data-chart>
      <figcaption>{finding}</figcaption>
      <ChartDrawing className="chart-wide" layout={build(WIDE)} label={finding} />
      <ChartDrawing className="chart-medium" layout={build(MEDIUM)} label={finding} />
      <ChartDrawing className="chart-narrow" layout={build(NARROW)} label={finding} />
      <p className="chart-readout" role="status" hidden />
      <ul className="legend" aria-label="Legend">
        {legend.map(({ className, text }) => (
          <li key={className} className={className}>
            {text}
          </li>
        ))}
      </ul>
      <ChartNotes annotations={annotations} />
      <details className="chart-numbers">
        <summary>The same numbers as a table</summary>
        <table className="plain-table" aria-label={finding}>
          <thead>
            <tr>
              {headings.map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </details>
    </figure>
  );
}

const TREND_LEGEND = [
  { className: 'legend-mean', text: 'expected earnings per click' },
  { className: 'legend-band', text: 'in 8 of 10 cases' },
];
const TREND_HEADINGS = ['Clicks of', 'Clicks', 'Customers', 'At least', 'Expected', 'At most'];

/** Earnings per click by click week as a line with the band of its intervals, and a table of the same numbers. */
export function TrendChart(props: {
  readonly points: readonly TrendPoint[];
  readonly currency: string;
  readonly annotations: readonly ChartAnnotation[];
}) {
  const { points, currency } = props;
  // Immature clicks are not drawn, and what happened since cannot be seen in them.
  const annotations = props.annotations.filter(({ day }) =>
    points.some(({ from, to }) => day >= from && day <= to),
  );
  const finding = buildTrendFinding(points, currency);
  const money = (amount: number) => formatMoney(Math.round(amount), currency);
  return (
    <ChartFigure
      finding={finding}
      build={(width) =>
        buildTrendChart({
          points,
          annotations,
          width,
          format: (tick, highest) => formatTick(tick, highest, currency),
          describe: (point) => describePoint(point, currency),
        })
      }
      legend={TREND_LEGEND}
      annotations={annotations}
      headings={TREND_HEADINGS}
    >
      {points.map(({ from, to, clicks, conversions, low, mean, high }) => (
        <tr key={from}>
          <th scope="row">{formatPeriod(from, to)}</th>
          <td>{formatNumber(clicks)}</td>
          <td>{formatNumber(conversions)}</td>
          <td>{money(low)}</td>
          <td>{money(mean)}</td>
          <td>{money(high)}</td>
        </tr>
      ))}
    </ChartFigure>
  );
}

const WEEK_LEGEND = [
  { className: 'legend-mean', text: 'clicks' },
  { className: 'legend-band', text: 'usual before the change' },
];

/** The clicks of weeks on the band of what is usual, if that is known, and a table of the same numbers. */
export function WeekChart(props: {
  readonly weeks: readonly { readonly from: string; readonly to: string; readonly clicks: number }[];
  readonly usual: { readonly low: number; readonly high: number } | null;
  readonly finding: string;
  readonly annotations: readonly ChartAnnotation[];
}) {
  const { weeks, usual, finding, annotations } = props;
  const points = weeks.map(({ clicks, ...week }): RangedPoint => {
    return { ...week, ...(usual ?? { low: clicks, high: clicks }), mean: clicks };
  });
  const count = (clicks: number) => `${formatNumber(clicks)} ${clicks === 1 ? 'click' : 'clicks'}`;
  return (
    <ChartFigure
      className="chart-weeks"
      finding={finding}
      build={(width) =>
        buildTrendChart({
          points,
          annotations,
          width,
          format: formatNumber,
          describe: ({ from, to, mean }) => `${formatPeriod(from, to)}: ${count(mean)}`,
        })
      }
      legend={usual === null ? [] : WEEK_LEGEND}
      annotations={annotations}
      headings={['Week', 'Clicks']}
    >
      {weeks.map(({ from, to, clicks }) => (
        <tr key={from}>
          <th scope="row">{formatPeriod(from, to)}</th>
          <td>{formatNumber(clicks)}</td>
        </tr>
      ))}
    </ChartFigure>
  );
}

const LEGEND = [
  { className: 'legend-paid', text: 'paid' },
  { className: 'legend-approved', text: 'approved' },
  { className: 'legend-pending', text: 'pending' },
  { className: 'legend-reversed', text: 'reversed' },
  { className: 'legend-clicks', text: 'clicks' },
];
const CHART_KINDS = ['approved', 'paid', 'pending', 'reversed'] as const;
const HEADINGS = ['Period', 'Approved', 'Paid', 'Pending', 'Reversed', 'Clicks'];

/** Money by day, week or month, with its finding, its legend and a table of the same numbers; all of them open. */
export function MoneyChart(props: {
  readonly buckets: readonly MoneyBucket[];
  readonly currency: string;
  readonly immatureShare: number | null;
  readonly annotations: readonly ChartAnnotation[];
}) {
  const { buckets, currency, immatureShare, annotations } = props;
  const { query, viewer } = useFrame();
  const select = (bucket: MoneyBucket) => selectDays(query, bucket);
  const isShared = viewer.kind === 'share';
  const toHref = (bucket: MoneyBucket) =>
    isShared || getBooked(bucket) + bucket.reversed === 0
      ? null
      : buildRowsAddress(select(bucket), currency, null);
  const finding = buildMoneyFinding(buckets, { currency, immatureShare });
  return (
    <ChartFigure
      finding={finding}
      build={(width) => buildMoneyChart({ buckets, currency, immatureShare, annotations, width, toHref })}
      legend={LEGEND}
      annotations={annotations}
      headings={HEADINGS}
    >
      {buckets.map((bucket) => (
        <tr key={bucket.from}>
          <th scope="row">{formatPeriod(bucket.from, bucket.to)}</th>
          {CHART_KINDS.map((kind) => (
            <td key={kind}>
              <OpenAmount query={select(bucket)} amount={bucket[kind]} currency={currency} kind={kind} />
            </td>
          ))}
          <td>{bucket.clicks === null ? NO_FIGURE : formatNumber(bucket.clicks)}</td>
        </tr>
      ))}
    </ChartFigure>
  );
}

/** What months bring, with the range of each, and a table of the same numbers. */
export function MonthChart(props: {
  readonly finding: string;
  readonly bars: readonly MonthBar[];
  readonly currency: string;
}) {
  const { finding, bars, currency } = props;
  const legend = [
    ...(bars.some(({ isOver }) => isOver) ? [{ className: 'legend-paid', text: 'came' }] : []),
    ...(bars.some(({ isOver, certain }) => !isOver && certain > 0)
      ? [{ className: 'legend-approved', text: 'approved and due' }]
      : []),
    { className: 'legend-pending', text: 'likely; the line is its range in 8 of 10 cases' },
  ];
  return (
    <ChartFigure
      finding={finding}
      legend={legend}
      annotations={[]}
      build={(width) => buildMonthChart(bars, currency, width)}
      headings={['Month', 'Likely, or what came', 'Low', 'High']}
    >
      {bars.map(({ month, certain, likely, low, high, isOver }) => (
        <tr key={month}>
          <th scope="row">
            {formatMonth(month)}
            {isOver && ', what came'}
          </th>
          {[certain + likely, low, high].map((amount, index) => (
            <td key={['sum', 'low', 'high'][index]}>{formatMoney(amount, currency)}</td>
          ))}
        </tr>
      ))}
    </ChartFigure>
  );
}

/** The trend of a figure in the height of a line; decorative next to the figure itself. Null without two values. */
export function Sparkline(props: { readonly values: readonly number[]; readonly width?: number }) {
  const { values, width = 88 } = props;
  if (values.length < 2) return null;
  const height = 22;
  const [low, high] = [Math.min(0, ...values), Math.max(...values, 0)];
  const span = high - low || 1;
  const points = values.map((value, index) => {
    const x = 1 + (index / (values.length - 1)) * (width - 5);
    const y = 2 + (1 - (value - low) / span) * (height - 5);
    return [Math.round(x * 10) / 10, Math.round(y * 10) / 10] as const;
  });
  const [lastX = 0, lastY = 0] = points.at(-1) ?? [];
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
      focusable="false"
    >
      <polyline points={points.map((point) => point.join()).join(' ')} />
      <circle cx={lastX} cy={lastY} r="2" />
    </svg>
  );
}

/** The 80 % interval of a figure on a scale from 0 to `max`; decorative next to the figures. */
export function Interval(props: {
  readonly low: number;
  readonly mean: number;
  readonly high: number;
  readonly max: number;
}) {
  const { low, mean, high, max } = props;
  const width = 84;
  const getX = (value: number) => Math.round((4 + (max <= 0 ? 0 : (value / max) * (width - 8))) * 10) / 10;
  return (
    <svg
      className="interval"
      viewBox={`0 0 ${width} 14`}
      width={width}
      height="14"
      aria-hidden="true"
      focusable="false"
    >
      <line className="stroke-line" x1="0" x2={width} y1="7" y2="7" />
      <line className="stroke-ink stroke-[3]" x1={getX(low)} x2={getX(high)} y1="7" y2="7" />
      <circle className="fill-surface stroke-ink stroke-[2.4]" cx={getX(mean)} cy="7" r="4" />
    </svg>
  );
}
