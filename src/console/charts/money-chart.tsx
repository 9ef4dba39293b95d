import type { MoneyBucket } from '../figures/build-money-series.ts';
import { formatNumber, formatPeriod, NO_FIGURE } from '../figures/format-figures.ts';
import { MoneyAmount } from '../frame/money-amount.tsx';
import { buildMoneyChart, buildMoneyFinding } from './build-money-chart.ts';
import type { ChartAnnotation } from './chart-annotation.ts';
import { ChartFigure } from './chart-figure.tsx';

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
  readonly youngShare: number | null;
  readonly annotations: readonly ChartAnnotation[];
}) {
  const { buckets, currency, youngShare, annotations } = props;
  const finding = buildMoneyFinding(buckets, { currency, youngShare });
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
