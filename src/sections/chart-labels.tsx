import { formatValue } from '../core/charts/format-value.ts';
import type { ChartValues } from '../core/content/sections/chart.schema.ts';

/** The value and the name under each column. */
export function ChartLabels(props: Pick<ChartValues, 'items' | 'unit' | 'per'>) {
  const { items, unit, per } = props;
  return (
    <ul className="n grid auto-cols-fr grid-flow-col border-t-2 border-line-strong text-center">
      {items.map(({ label, value, look }) => (
        <li key={label} className="px-1 pt-2">
          <span
            className={`block font-display text-2xl font-semibold ${look === 'answer' ? 'text-positive' : ''}`}
          >
            {formatValue(value, unit)}
          </span>
          <span className="block text-sm text-muted">
            {label}
            {per !== undefined && `, ${per}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
