import { Cell, Pie, PieChart, Tooltip } from 'recharts';
import { PIE_SHAPE } from '../../core/charts/pie-arcs.ts';
import type { ChartProps } from './chart.tsx';
import { CHART_FILLS } from './chart-fills.ts';
import { ChartTooltip } from './chart-tooltip.tsx';
import { PIE_BOX } from './pie-ring.tsx';

/** Shares as a ring. */
export function LivePie({ items, unit, caption }: ChartProps) {
  return (
    <PieChart width={PIE_BOX} height={PIE_BOX} title={caption}>
      <Tooltip content={<ChartTooltip unit={unit} />} isAnimationActive={false} />
      <Pie
        data={[...items]}
        dataKey="value"
        nameKey="label"
        innerRadius={PIE_SHAPE.inner}
        outerRadius={PIE_SHAPE.outer}
        paddingAngle={PIE_SHAPE.padding}
        startAngle={90}
        endAngle={-270}
        stroke="none"
        isAnimationActive={false}
      >
        {items.map(({ label, look }) => (
          <Cell key={label} fill={CHART_FILLS[look]} />
        ))}
      </Pie>
    </PieChart>
  );
}
