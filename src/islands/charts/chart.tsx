import { type ComponentType, useEffect, useState } from 'react';
import { BarColumns } from './bar-columns.tsx';
import { BarRows } from './bar-rows.tsx';
import type { ChartItem } from './chart-item.ts';
import { PieRing } from './pie-ring.tsx';

/** What a chart draws and how it reads its values out. */
export interface ChartProps {
  readonly kind: 'pie' | 'bars' | 'efficiency';
  readonly items: readonly ChartItem[];
  readonly unit: '$' | '%';
  readonly caption: string;
}

const STILL = { pie: PieRing, bars: BarColumns, efficiency: BarRows } as const;

/** A chart that stands at once and answers to pointer, finger and keyboard as soon as its library has come. */
export function Chart(props: ChartProps) {
  const [Live, setLive] = useState<ComponentType<ChartProps>>();
  useEffect(() => {
    let isWanted = true;
    import('./live-chart.tsx').then(
      ({ LiveChart }) => isWanted && setLive(() => LiveChart),
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, []);
  const Still = STILL[props.kind];
  return <div className="plot">{Live ? <Live {...props} /> : <Still items={props.items} />}</div>;
}
