import type { ChartProps } from './chart.tsx';
import { LiveBars } from './live-bars.tsx';
import { LivePie } from './live-pie.tsx';

/** The same chart drawn by Recharts, with tooltips. */
export function LiveChart(props: ChartProps) {
  return props.kind === 'pie' ? <LivePie {...props} /> : <LiveBars {...props} />;
}
