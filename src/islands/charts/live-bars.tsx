import { Bar, BarChart, Cell, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { BAR_GAP } from './bar-columns.tsx';
import type { ChartProps } from './chart.tsx';
import { CHART_FILLS } from './chart-fills.ts';
import { ChartTooltip } from './chart-tooltip.tsx';

const NO_MARGIN = { top: 0, right: 0, bottom: 0, left: 0 };

/** Columns, or lying bars against a whole of 100. */
export function LiveBars({ kind, items, unit, caption }: ChartProps) {
  const isLying = kind === 'efficiency';
  const highest = isLying ? 100 : Math.max(...items.map(({ value }) => value));
  const names = { dataKey: 'label', type: 'category', hide: true } as const;
  const values = { type: 'number', domain: [0, highest], hide: true } as const;
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={[...items]}
        layout={isLying ? 'vertical' : 'horizontal'}
        margin={NO_MARGIN}
        barCategoryGap={`${BAR_GAP * 100}%`}
        title={caption}
      >
        <XAxis {...(isLying ? values : names)} />
        <YAxis {...(isLying ? names : values)} />
        <Tooltip content={<ChartTooltip unit={unit} />} cursor={false} isAnimationActive={false} />
        <Bar
          dataKey="value"
          isAnimationActive={false}
          background={isLying ? { fill: 'var(--sunken)' } : false}
        >
          {items.map(({ label, look }) => (
            <Cell key={label} fill={CHART_FILLS[look]} />
          ))}
        </Bar>
      </BarChart>
    </ResponsiveContainer>
  );
}
