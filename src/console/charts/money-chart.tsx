import { buildMoneyChart, buildMoneyFinding } from '../../core/console/build-money-chart.ts';
import type { MoneyBucket } from '../../core/console/build-money-series.ts';
import type { ChartAnnotation } from '../../core/console/chart-annotation.ts';
import { formatNumber, formatPeriod, NO_FIGURE } from '../../core/console/format-figures.ts';
import { MoneyAmount } from '../money-amount.tsx';
import { ChartDrawing } from './chart-drawing.tsx';
import { ChartNotes } from './chart-notes.tsx';

/** Widths in the units of the text: one for wide screens and paper, one for phones. */
const WIDE = 1040;
const NARROW = 400;

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
    <figure className="chart" data-chart>
      <figcaption>{finding}</figcaption>
      <ChartDrawing
        className="chart-wide"
        layout={buildMoneyChart({ ...props, width: WIDE })}
        label={finding}
      />
      <ChartDrawing
        className="chart-narrow"
        layout={buildMoneyChart({ ...props, width: NARROW })}
        label={finding}
      />
      <p className="chart-readout" role="status" hidden />
      <ul className="legend" aria-label="Legend">
        <li className="legend-approved">approved</li>
        <li className="legend-pending">pending</li>
        <li className="legend-reversed">reversed</li>
        <li className="legend-clicks">clicks</li>
      </ul>
      <ChartNotes annotations={annotations} />
      <details className="chart-numbers">
        <summary>The same numbers as a table</summary>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">Period</th>
              <th scope="col">Approved</th>
              <th scope="col">Pending</th>
              <th scope="col">Reversed</th>
              <th scope="col">Clicks</th>
            </tr>
          </thead>
          <tbody>
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
          </tbody>
        </table>
      </details>
    </figure>
  );
}
