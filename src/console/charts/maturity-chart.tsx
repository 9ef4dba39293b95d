import { DataTable } from '../frame/data-table.tsx';
import type { MaturityModel } from '../partners/read.ts';
import { formatNumber, formatShare, NO_FIGURE } from '../reports/format.ts';

const WIDTH = 460;
const HEIGHT = 150;
const LEFT = 44;
const TOP = 10;
const LINES = [0, 0.5, 1];

/** The share of the final commission by weeks since the click, with a table of the same figures. */
export function MaturityChart(props: { readonly curve: MaturityModel }) {
  const { name, shares, ranges, conversions, isPooled } = props.curve;
  const weeks = Math.max(1, shares.length - 1);
  const x = (week: number) => LEFT + (week / weeks) * (WIDTH - LEFT - 8);
  const y = (share: number) => TOP + (1 - Math.min(1, Math.max(0, share))) * HEIGHT;
  const points = shares.map((share, week) => `${x(week).toFixed(1)},${y(share).toFixed(1)}`).join(' ');
  const edge = (bound: 'low' | 'high') =>
    ranges.map((range, week) => `${x(week).toFixed(1)},${y(range[bound]).toFixed(1)}`);
  const band = [...edge('high'), ...edge('low').reverse()].join(' ');
  const half = shares.findIndex((share) => share >= 0.5);
  return (
    <figure className="pt-[.9rem] [&>svg]:max-w-136 [&_figcaption]:pb-[.6rem]">
      <figcaption>
        <b>{name}</b>: half of the money has usually arrived{' '}
        {half <= 1 ? 'within a week' : `within ${half} weeks`} of the click ({formatNumber(conversions)}{' '}
        customers
        {isPooled && ', pooled with other partners'})
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + TOP + 24}`} role="img" aria-label={`Maturity of ${name}`}>
        <polygon className="chart-band" points={band} />
        {LINES.map((share) => (
          <g key={share}>
            <line className="stroke-line" x1={LEFT} x2={WIDTH} y1={y(share)} y2={y(share)} />
            <text className="chart-label" x={LEFT - 8} y={y(share) + 4} textAnchor="end">
              {formatShare(share)}
            </text>
          </g>
        ))}
        <polyline className="chart-curve" points={points} />
        <text className="chart-label" x={LEFT} y={HEIGHT + TOP + 20}>
          click
        </text>
        <text className="chart-label" x={WIDTH - 8} y={HEIGHT + TOP + 20} textAnchor="end">
          {weeks} weeks later
        </text>
      </svg>
      <MaturityTable name={name} shares={shares} ranges={ranges} />
    </figure>
  );
}

function MaturityTable({ name, shares, ranges }: Pick<MaturityModel, 'name' | 'shares' | 'ranges'>) {
  return (
    <details className="chart-table">
      <summary>The same numbers as a table</summary>
      <DataTable
        caption={`Share of the final commission of ${name} by weeks since the click`}
        rows={shares.map((share, week) => ({ share, week }))}
        getKey={({ week }) => String(week)}
        columns={[
          { name: 'Weeks since the click', render: ({ week }) => week },
          {
            key: 'share',
            name: 'Share that has arrived',
            isNumeric: true,
            render: ({ share }) => formatShare(share),
          },
          {
            key: 'range',
            name: 'In 8 of 10 cases',
            isNumeric: true,
            render: ({ week }) => formatRange(ranges[week]),
          },
        ]}
      />
    </details>
  );
}

function formatRange(range: MaturityModel['ranges'][number] | undefined): string {
  return range === undefined ? NO_FIGURE : `${formatShare(range.low)} to ${formatShare(range.high)}`;
}
