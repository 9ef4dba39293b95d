import { CHART_FILLS } from '../islands/charts/chart-fills.ts';
import type { ChartItem } from '../islands/charts/chart-item.ts';

/** The colour of a value, before its name. */
export function ChartSwatch({ look }: { readonly look: ChartItem['look'] }) {
  return (
    <svg viewBox="0 0 12 12" className="mr-2 inline-block size-3 align-baseline" aria-hidden="true">
      <rect width="12" height="12" rx="2" fill={CHART_FILLS[look]} />
    </svg>
  );
}
