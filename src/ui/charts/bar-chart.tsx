import { CHART_FILLS, type ChartItem } from './chart-item.ts';

/** The share of a band that stays empty on each side of its bar. */
export const BAR_GAP = 0.2;

/** Vertical bars without axes. All sizes are percentages, so the chart needs no measured width. */
export function BarColumns(props: { readonly items: readonly ChartItem[]; readonly className?: string }) {
  const { items } = props;
  const band = 100 / items.length;
  const highest = Math.max(...items.map(({ value }) => value));
  return (
    <svg className={props.className ?? 'size-full'} aria-hidden="true">
      {items.map(({ label, value, variant }, index) => (
        <rect
          key={label}
          x={`${(index + BAR_GAP) * band}%`}
          y={`${100 - (value / highest) * 100}%`}
          width={`${band * (1 - 2 * BAR_GAP)}%`}
          height={`${(value / highest) * 100}%`}
          fill={CHART_FILLS[variant]}
        />
      ))}
    </svg>
  );
}

/** Horizontal bars, each against a track of 100 percent. */
export function BarRows({ items }: { readonly items: readonly ChartItem[] }) {
  const band = 100 / items.length;
  return (
    <svg className="size-full" aria-hidden="true">
      {items.map(({ label, value, variant }, index) => {
        const box = { y: `${(index + BAR_GAP) * band}%`, height: `${band * (1 - 2 * BAR_GAP)}%` };
        return (
          <g key={label}>
            <rect {...box} width="100%" fill="var(--sunken)" />
            <rect {...box} width={`${value}%`} fill={CHART_FILLS[variant]} />
          </g>
        );
      })}
    </svg>
  );
}
