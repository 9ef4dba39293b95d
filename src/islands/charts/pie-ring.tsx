import { buildPieArcs, PIE_SHAPE } from '../../core/charts/pie-arcs.ts';
import { CHART_FILLS } from './chart-fills.ts';
import type { ChartItem } from './chart-item.ts';

/** Width and height of the box that the ring stands in, in px. */
export const PIE_BOX = 240;

/** Shares as a ring. */
export function PieRing({ items }: { readonly items: readonly ChartItem[] }) {
  const arcs = buildPieArcs(
    items.map(({ value }) => value),
    PIE_SHAPE,
  );
  return (
    <svg
      width={PIE_BOX}
      height={PIE_BOX}
      viewBox={`${-PIE_BOX / 2} ${-PIE_BOX / 2} ${PIE_BOX} ${PIE_BOX}`}
      aria-hidden="true"
    >
      {items.map(({ label, look }, index) => (
        <path key={label} d={arcs[index]} fill={CHART_FILLS[look]} />
      ))}
    </svg>
  );
}
