import { formatValue } from '../core/charts/format-value.ts';
import type { ChartValues } from '../core/content/sections/chart.schema.ts';

const ACROSS = 'grid auto-cols-fr grid-flow-col border-t-2 border-line-strong text-center';
const DOWN = 'grid auto-rows-fr border-r-2 border-line-strong';

/** The value and the name of each bar: under columns, or, `isDown`, before lying bars. */
export function ChartLabels(
  props: Pick<ChartValues, 'items' | 'unit' | 'per'> & { readonly isDown?: boolean },
) {
  const { items, unit, per, isDown = false } = props;
  return (
    <ul className={`n ${isDown ? DOWN : ACROSS}`}>
      {items.map(({ label, value, look }) => (
        <li key={label} className={isDown ? 'min-h-24 content-center pr-4' : 'px-1 pt-2'}>
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
