import { BAR_GAP } from './bar-columns.tsx';
import { CHART_FILLS } from './chart-fills.ts';
import type { ChartItem } from './chart-item.ts';

/** Lying bars against a whole of 100, in percent of the box. */
export function BarRows({ items }: { readonly items: readonly ChartItem[] }) {
  const band = 100 / items.length;
  return (
    <svg className="size-full" aria-hidden="true">
      {items.map(({ label, value, look }, index) => {
        const at = { y: `${(index + BAR_GAP) * band}%`, height: `${band * (1 - 2 * BAR_GAP)}%` };
        return (
          <g key={label}>
            <rect {...at} width="100%" fill="var(--sunken)" />
            <rect {...at} width={`${value}%`} fill={CHART_FILLS[look]} />
          </g>
        );
      })}
    </svg>
  );
}
