import { Bar, BarChart, Cell, Pie, PieChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { BAR_GAP } from '../../ui/charts/bar-chart.tsx';
import {
  CHART_FILLS,
  type ChartItem,
  type ChartProps,
  type ChartUnit,
  formatChartValue,
} from '../../ui/charts/chart-item.ts';
import { PIE_BOX, PIE_SHAPE } from '../../ui/charts/pie-ring.tsx';

const NO_MARGIN = { top: 0, right: 0, bottom: 0, left: 0 };

/** The same chart as the static one, drawn by Recharts, with tooltips for pointer, touch and keyboard. */
export function RechartsChart(props: ChartProps) {
  return props.kind === 'pie' ? <RechartsPie {...props} /> : <RechartsBars {...props} />;
}

function RechartsPie({ items, unit, caption }: ChartProps) {
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
        {items.map(renderCell)}
      </Pie>
    </PieChart>
  );
}

function RechartsBars({ kind, items, unit, caption }: ChartProps) {
  const isHorizontal = kind === 'efficiency';
  const highest = isHorizontal ? 100 : Math.max(...items.map(({ value }) => value));
  const labelAxis = { dataKey: 'label', type: 'category', hide: true } as const;
  const valueAxis = { type: 'number', domain: [0, highest], hide: true } as const;
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={[...items]}
        // Recharts names the direction of the axes, not of the bars.
        layout={isHorizontal ? 'vertical' : 'horizontal'}
        margin={NO_MARGIN}
        barCategoryGap={`${BAR_GAP * 100}%`}
        title={caption}
      >
        <XAxis {...(isHorizontal ? valueAxis : labelAxis)} />
        <YAxis {...(isHorizontal ? labelAxis : valueAxis)} />
        <Tooltip content={<ChartTooltip unit={unit} />} cursor={false} isAnimationActive={false} />
        <Bar
          dataKey="value"
          isAnimationActive={false}
          background={isHorizontal ? { fill: 'var(--sunken)' } : false}
        >
          {items.map(renderCell)}
        </Bar>
      </BarChart>
    </ResponsiveContainer>
  );
}

function renderCell({ label, variant }: ChartItem) {
  return <Cell key={label} fill={CHART_FILLS[variant]} />;
}

interface ChartTooltipProps {
  readonly unit: ChartUnit;
  /** Set by Recharts. */
  readonly active?: boolean;
  /** Set by Recharts: the values under the pointer. */
  readonly payload?: readonly { readonly payload: ChartItem }[];
}

function ChartTooltip({ unit, active, payload }: ChartTooltipProps) {
  const item = payload?.[0]?.payload;
  if (!active || item === undefined) return null;
  return (
    <div className="tabular max-w-60 rounded bg-ink px-3 py-2 text-sm text-surface" role="status">
      <p className="font-semibold">{formatChartValue(item.value, unit)}</p>
      <p>{item.label}</p>
      {item.detail !== undefined && <p>{item.detail}</p>}
    </div>
  );
}
