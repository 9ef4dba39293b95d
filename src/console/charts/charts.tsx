import { useId } from 'react';
import { useFrame } from '../console-page.ts';
import { OperatorLink } from '../frame/links.tsx';
import { formatCount, formatMoney, formatPeriod, formatShortMoney } from '../reports/format.ts';
import { countDays, listDrawn } from '../reports/range.ts';

/** A month of a chart, as far as it is in the range. Amounts: minor units. */
export interface MonthBar {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly from: string;
  readonly to: string;
  /** What is certain, and what is not yet. */
  readonly solid: number;
  readonly hatched: number;
  /** Both together in the same month a year ago; null without that month. */
  readonly before: number | null;
  /** Null where they are not shown. */
  readonly clicks: number | null;
  readonly customers: number | null;
}

const TOP = 12;
const PLOT = 150;
/** For wide screens, and for phones. */
const WIDTHS = [
  ['chart-wide', 1_040],
  ['chart-narrow', 354],
] as const;

/** The steps of an axis from 0 in minor units: one, two or five times a power of ten, two to four of them above 0. */
function buildTicks(max: number): readonly number[] {
  if (max <= 0) return [0];
  const largest = Math.max(1, max / 2);
  const power = 10 ** Math.floor(Math.log10(largest));
  const step = [5, 2, 1].map((factor) => factor * power).find((size) => size <= largest) ?? power;
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, index) => index * step);
}

const nameMonth = (month: string, width: 'short' | 'narrow') =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', { month: width, timeZone: 'UTC' });

const LONG_MONTH = { month: 'long', timeZone: 'UTC' } as const;

const isEmpty = ({ solid, hatched }: MonthBar) => solid === 0 && hatched === 0;

interface ChartProps {
  readonly bars: readonly MonthBar[];
  readonly currency: string;
  /** What the bars show, in a sentence. */
  readonly label: string;
  /** What solid and hatched mean. */
  readonly legend: readonly [solid: string, hatched: string];
  /** Where the commissions of a month are. */
  readonly toHref?: (bar: MonthBar) => string;
}

/** Fewer days of a month say nothing of it. */
const MIN_MONTH_DAYS = 14;

/** What the bars of earnings are, and how the last month does beside the same days a year ago. */
export function describeYear(bars: readonly MonthBar[], currency: string): string {
  const last = bars.findLast(({ from, to }) => countDays(from, to) >= MIN_MONTH_DAYS);
  if (last === undefined || last.before === null || last.before <= 0)
    return 'By the day of the click. Recent months still grow.';
  const now = last.solid + last.hatched;
  const month = new Date(`${last.month}-01T00:00:00Z`).toLocaleDateString('en-US', LONG_MONTH);
  const change = now === last.before ? 'as much as' : now > last.before ? 'up from' : 'down from';
  return `By the day of the click. ${month}: ${formatShortMoney(now, currency)} so far, ${change} ${formatShortMoney(last.before, currency)} last ${month}.`;
}

/** Months as bars, with last year's as outlines behind them where there is a year, and a table of the same numbers. */
export function MonthChart(props: ChartProps) {
  const { bars, currency, label, legend, toHref } = props;
  const [solid, hatched] = legend;
  const [name, reason] = hatched.split(':');
  const drawn = listDrawn(bars);
  const hasBefore = drawn.some(({ before }) => before !== null && before > 0);
  const [first] = bars;
  const rest =
    first === undefined || drawn.includes(first) ? '' : ` with ${formatPeriod(first.from, first.to)}`;
  const headings = ['Month', solid, hatched, ...(hasBefore ? ['A year ago'] : [])];
  return (
    <figure className="chart" data-chart>
      {WIDTHS.map(([size, width]) => (
        <Bars key={size} {...props} bars={drawn} name={size} width={width} />
      ))}
      <p className="chart-readout" role="status" hidden />
      <ul className="legend" aria-label="Legend">
        <li className="legend-approved">{solid}</li>
        <li className="legend-pending">
          <span>
            {name}
            {reason !== undefined && <span className="small:hidden">:{reason}</span>}
          </span>
        </li>
        {hasBefore && <li className="legend-before">a year ago</li>}
      </ul>
      <details className="chart-numbers">
        <summary>The same numbers as a table{rest}</summary>
        <table className="plain-table" aria-label={label}>
          <thead>
            <tr>
              {headings.map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.from}>
                <th scope="row">
                  {toHref === undefined || isEmpty(bar) ? (
                    formatPeriod(bar.from, bar.to)
                  ) : (
                    <OperatorLink href={toHref(bar)}>{formatPeriod(bar.from, bar.to)}</OperatorLink>
                  )}
                </th>
                <td>{formatMoney(bar.solid, currency)}</td>
                <td>{formatMoney(bar.hatched, currency)}</td>
                {hasBefore && <td>{formatMoney(bar.before ?? 0, currency)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function Bars(props: ChartProps & { readonly name: string; readonly width: number }) {
  const { bars, currency, label, toHref, name, width } = props;
  const { viewer } = useFrame();
  const hatch = useId();
  const highest = Math.max(
    1,
    ...bars.flatMap(({ solid, hatched, before }) => [solid + hatched, before ?? 0]),
  );
  const ticks = buildTicks(highest).map((tick) => [tick, formatShortMoney(tick, currency)] as const);
  // A digit of the widest font that stands in for the system's is 7.7 px wide.
  const left = 10 + 7.7 * Math.max(...ticks.map(([, text]) => text.length));
  const step = (width - left - 4) / Math.max(1, bars.length);
  const size = Math.min(46, step * 0.62);
  const zero = TOP + PLOT;
  const round = (value: number) => Math.round(value * 10) / 10;
  const getY = (amount: number) => round(zero - (Math.max(0, amount) / highest) * PLOT);
  return (
    <svg className={name} viewBox={`0 0 ${width} ${zero + 24}`} aria-label={label}>
      <defs>
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className="fill-positive-wash" width="6" height="6" />
          <path className="stroke-positive stroke-[2.2]" d="M0 0V6" />
        </pattern>
      </defs>
      {ticks.map(([tick, text]) => (
        <g key={tick}>
          <line className="[stroke:var(--line)]" x1={left} x2={width} y1={getY(tick)} y2={getY(tick)} />
          <text className="fill-muted text-[12px]" x={left - 8} y={getY(tick) + 4} textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {bars.map((bar, index) => {
        const { month, from, to, solid, hatched, before, clicks, customers } = bar;
        const x = left + index * step;
        const start = round(x + (step - size) / 2);
        const counts = [
          ...(clicks === null ? [] : [formatCount(clicks, 'click')]),
          ...(customers === null ? [] : [formatCount(customers, 'customer')]),
          ...(before === null ? [] : [`${formatMoney(before, currency)} a year ago`]),
        ];
        const parts = [formatMoney(solid + hatched, currency), ...counts];
        const text = `${formatPeriod(from, to)}: ${parts.join(', ')}`;
        const column = (
          <rect className="chart-column" x={round(x)} y={TOP} width={round(step)} height={PLOT}>
            <title>{text}</title>
          </rect>
        );
        const isLink = toHref !== undefined && viewer.kind !== 'share' && !isEmpty(bar);
        return (
          <g key={from}>
            {before !== null && before > 0 && (
              <rect
                className="fill-none stroke-muted stroke-1 [stroke-dasharray:3_2]"
                x={start - 3}
                y={getY(before)}
                width={round(size + 6)}
                height={round(zero - getY(before))}
              />
            )}
            <rect
              className="[fill:var(--positive)]"
              x={start}
              y={getY(solid)}
              width={round(size)}
              height={round(zero - getY(solid))}
            />
            <rect
              className="stroke-positive stroke-1"
              fill={`url(#${hatch})`}
              x={start}
              y={getY(solid + hatched)}
              width={round(size)}
              height={round(getY(solid) - getY(solid + hatched))}
            />
            <text
              className="fill-muted text-[12px]"
              x={round(x + step / 2)}
              y={zero + 18}
              textAnchor="middle"
            >
              {nameMonth(month, width < 500 ? 'narrow' : 'short')}
            </text>
            {isLink ? (
              <a href={toHref(bar)} tabIndex={-1} aria-label={text}>
                {column}
              </a>
            ) : (
              column
            )}
          </g>
        );
      })}
      <line className="[stroke:var(--line-strong)]" x1={left} x2={width} y1={zero} y2={zero} />
    </svg>
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
      <polyline fill="none" points={points.map((point) => point.join()).join(' ')} />
      <circle className="fill-accent" cx={lastX} cy={lastY} r="2" />
    </svg>
  );
}
