import { formatMoney, formatNumber, formatPeriod, NO_FIGURE } from '../figures/format.ts';
import type { MoneyBucket } from '../figures/period-figures.ts';
import { MoneyAmount } from '../frame/figures.tsx';
import { ChartFigure } from './chart-figure.tsx';
import { buildMoneyChart, buildMoneyFinding, type ChartAnnotation } from './money-chart.ts';
import { buildTrendChart, buildTrendFinding, type TrendPoint } from './trend-chart.ts';

const TREND_LEGEND = [
  { className: 'legend-mean', text: 'expected earnings per click' },
  { className: 'legend-band', text: '80% interval' },
];
const TREND_HEADINGS = ['Clicks of', 'Clicks', 'Conversions', 'Low', 'Mean', 'High'];

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
      build={(width) => buildTrendChart({ points, currency, annotations, width })}
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

const LEGEND = [
  { className: 'legend-approved', text: 'approved' },
  { className: 'legend-pending', text: 'pending' },
  { className: 'legend-reversed', text: 'reversed' },
  { className: 'legend-clicks', text: 'clicks' },
];
const HEADINGS = ['Period', 'Approved', 'Pending', 'Reversed', 'Clicks'];

/** Money by day, week or month, with its finding, its legend and a table of the same numbers. */
export function MoneyChart(props: {
  readonly buckets: readonly MoneyBucket[];
  readonly currency: string;
  readonly immatureShare: number | null;
  readonly annotations: readonly ChartAnnotation[];
}) {
  const { buckets, currency, immatureShare, annotations } = props;
  const finding = buildMoneyFinding(buckets, { currency, immatureShare });
  return (
    <ChartFigure
      finding={finding}
      build={(width) => buildMoneyChart({ ...props, width })}
      legend={LEGEND}
      annotations={annotations}
      headings={HEADINGS}
    >
      {buckets.map(({ from, to, approved, pending, reversed, clicks }) => (
        <tr key={from}>
          <th scope="row">{formatPeriod(from, to)}</th>
          <td>
            <MoneyAmount amount={approved} currency={currency} />
          </td>
          <td>
            <MoneyAmount amount={pending} currency={currency} kind="pending" />
          </td>
          <td>
            <MoneyAmount amount={reversed} currency={currency} kind="reversed" />
          </td>
          <td>{clicks === null ? NO_FIGURE : formatNumber(clicks)}</td>
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
      <line className="interval-scale" x1="0" x2={width} y1="7" y2="7" />
      <line className="interval-range" x1={getX(low)} x2={getX(high)} y1="7" y2="7" />
      <circle className="interval-mean" cx={getX(mean)} cy="7" r="4" />
    </svg>
  );
}
