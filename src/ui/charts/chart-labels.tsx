import { CHART_FILLS, type ChartItem, type ChartUnit, formatChartValue } from './chart-item.ts';

const COLUMN_CLASSES = {
  list: 'grid auto-cols-fr grid-flow-col border-t-2 border-line-strong text-center',
  label: 'px-1 pt-2',
};
const ROW_CLASSES = {
  list: 'grid auto-rows-fr border-r-2 border-line-strong',
  label: 'min-h-24 content-center pr-4',
};

/** The value and the label of each bar: below vertical bars, or to the left of horizontal ones. */
export function ChartLabels(props: {
  readonly items: readonly ChartItem[];
  readonly unit: ChartUnit;
  /** Follows each label, for example `a month`. */
  readonly per?: string | undefined;
  readonly isHorizontal?: boolean;
}) {
  const { items, unit, per, isHorizontal = false } = props;
  const classes = isHorizontal ? ROW_CLASSES : COLUMN_CLASSES;
  return (
    <ul className={`tabular ${classes.list}`}>
      {items.map(({ label, value, variant }) => (
        <li key={label} className={classes.label}>
          <span
            className={`block font-display text-2xl font-semibold ${variant === 'recommended' ? 'text-positive' : ''}`}
          >
            {formatChartValue(value, unit)}
          </span>
          <span className="block text-sm text-balance text-muted">
            {label}
            {per !== undefined && `, ${per}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A value's color in the chart, to show beside its label. */
export function ChartSwatch({ variant }: { readonly variant: ChartItem['variant'] }) {
  return (
    <svg viewBox="0 0 12 12" className="mr-2 inline-block size-3 align-baseline" aria-hidden="true">
      <rect width="12" height="12" rx="2" fill={CHART_FILLS[variant]} />
    </svg>
  );
}
