import type { ReactNode } from 'react';
import { formatDay } from '../figures/format.ts';
import { ChartDrawing } from './chart-drawing.tsx';
import type { ChartLayout } from './chart-shapes.ts';
import type { ChartAnnotation } from './money-chart.ts';

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
export function ChartFigure(props: {
  /** What the chart shows, in a sentence or two. */
  readonly finding: string;
  readonly build: (width: number) => ChartLayout;
  /** The class and the text of each entry of the legend. */
  readonly legend: readonly { readonly className: string; readonly text: string }[];
  readonly annotations: readonly ChartAnnotation[];
  /** The headings of the table. */
  readonly headings: readonly string[];
  /** The rows of the table. */
  readonly children: ReactNode;
}) {
  const { finding, build, legend, annotations, headings, children } = props;
  return (
    <figure className="chart" data-chart>
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
        <table className="plain-table">
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
