import { buildCourseChart, buildCourseFinding } from '../../core/console/build-course-chart.ts';
import type { ChartAnnotation } from '../../core/console/chart-annotation.ts';
import { formatMoney, formatNumber, formatPeriod } from '../../core/console/format-figures.ts';
import type { CoursePoint } from '../../core/console/page-course.ts';
import { ChartDrawing } from './chart-drawing.tsx';
import { ChartNotes } from './chart-notes.tsx';

/** Widths in the units of the text: one for wide screens and paper, one for phones. */
const WIDE = 1040;
const NARROW = 400;

/** Earnings per click by click week as a line with the band of its intervals, and a table of the same numbers. */
export function CourseChart(props: {
  readonly points: readonly CoursePoint[];
  readonly currency: string;
  readonly annotations: readonly ChartAnnotation[];
}) {
  const { points, currency } = props;
  // Young clicks are not drawn, and what happened since cannot be seen in them.
  const annotations = props.annotations.filter(({ day }) =>
    points.some(({ from, to }) => day >= from && day <= to),
  );
  const finding = buildCourseFinding(points, currency);
  const money = (amount: number) => formatMoney(Math.round(amount), currency);
  return (
    <figure className="chart" data-chart>
      <figcaption>{finding}</figcaption>
      <ChartDrawing
        className="chart-wide"
        layout={buildCourseChart({ points, currency, annotations, width: WIDE })}
        label={finding}
      />
      <ChartDrawing
        className="chart-narrow"
        layout={buildCourseChart({ points, currency, annotations, width: NARROW })}
        label={finding}
      />
      <p className="chart-readout" role="status" hidden />
      <ul className="legend" aria-label="Legend">
        <li className="legend-mean">expected earnings per click</li>
        <li className="legend-band">80% interval</li>
      </ul>
      <ChartNotes annotations={annotations} />
      <details className="chart-numbers">
        <summary>The same numbers as a table</summary>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">Clicks of</th>
              <th scope="col">Clicks</th>
              <th scope="col">Conversions</th>
              <th scope="col">Low</th>
              <th scope="col">Mean</th>
              <th scope="col">High</th>
            </tr>
          </thead>
          <tbody>
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
          </tbody>
        </table>
      </details>
    </figure>
  );
}
