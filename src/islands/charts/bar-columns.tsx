import { CHART_FILLS } from './chart-fills.ts';
import type { ChartItem } from './chart-item.ts';

/** Part of a band that stays free on each side of its bar. */
export const BAR_GAP = 0.2;

/** Columns without axes, in percent of the box, so that they stand before anything is measured. */
export function BarColumns(props: { readonly items: readonly ChartItem[]; readonly className?: string }) {
  const { items } = props;
  const band = 100 / items.length;
  const highest = Math.max(...items.map(({ value }) => value));
  return (
    <svg className={props.className ?? 'size-full'} aria-hidden="true">
      {items.map(({ label, value, look }, index) => (
        <rect
          key={label}
          x={`${(index + BAR_GAP) * band}%`}
          y={`${100 - (value / highest) * 100}%`}
          width={`${band * (1 - 2 * BAR_GAP)}%`}
          height={`${(value / highest) * 100}%`}
          fill={CHART_FILLS[look]}
        />
      ))}
    </svg>
  );
}
