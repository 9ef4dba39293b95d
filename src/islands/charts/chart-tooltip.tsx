import { formatValue } from '../../core/charts/format-value.ts';
import type { ChartItem } from './chart-item.ts';

interface TooltipProps {
  readonly unit: '$' | '%';
  /** Set by Recharts. */
  readonly active?: boolean;
  /** Set by Recharts: the values under the pointer. */
  readonly payload?: readonly { readonly payload: ChartItem }[];
}

/** What a chart says about the value under the pointer, the finger or the keyboard. */
export function ChartTooltip({ unit, active, payload }: TooltipProps) {
  const item = payload?.[0]?.payload;
  if (!active || item === undefined) return null;
  return (
    <div className="n max-w-60 rounded bg-ink px-3 py-2 text-sm text-surface" role="status">
      <p className="font-semibold">{formatValue(item.value, unit)}</p>
      <p>{item.label}</p>
      {item.detail !== undefined && <p>{item.detail}</p>}
    </div>
  );
}
