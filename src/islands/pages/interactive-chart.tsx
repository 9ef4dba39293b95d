import { type ComponentType, useEffect, useState } from 'react';
import { BarColumns, BarRows } from '../../ui/charts/bar-chart.tsx';
import type { ChartProps } from '../../ui/charts/chart-item.ts';
import { PieRing } from '../../ui/charts/pie-ring.tsx';

const SIZE_CLASSES = { pie: 'mx-auto size-60', bars: 'h-72', efficiency: '' } as const;
const STATIC_CHARTS = { pie: PieRing, bars: BarColumns, efficiency: BarRows } as const;

/** A chart that renders as static SVG and gets tooltips and keyboard access once Recharts has loaded. */
export function InteractiveChart(props: ChartProps) {
  const [Interactive, setInteractive] = useState<ComponentType<ChartProps>>();
  useEffect(() => {
    let isMounted = true;
    import('./recharts-chart.tsx').then(
      ({ RechartsChart }) => isMounted && setInteractive(() => RechartsChart),
      // The static chart stays when the chunk does not load.
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, []);
  const Static = STATIC_CHARTS[props.kind];
  return (
    <div className={`chart-plot ${SIZE_CLASSES[props.kind]}`} data-kind={props.kind}>
      {Interactive ? <Interactive {...props} /> : <Static items={props.items} />}
    </div>
  );
}
