import { formatMoney, formatNumber, formatPeriod } from '../figures/format-figures.ts';
import type { CoursePoint } from '../pages/page-course.ts';
import { buildCourseChart, buildCourseFinding } from './build-course-chart.ts';
import type { ChartAnnotation } from './chart-annotation.ts';
import { ChartFigure } from './chart-figure.tsx';

const LEGEND = [
  { className: 'legend-mean', text: 'expected earnings per click' },
  { className: 'legend-band', text: '80% interval' },
];
const HEADINGS = ['Clicks of', 'Clicks', 'Conversions', 'Low', 'Mean', 'High'];

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
    <ChartFigure
      finding={finding}
      build={(width) => buildCourseChart({ points, currency, annotations, width })}
      legend={LEGEND}
      annotations={annotations}
      headings={HEADINGS}
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
