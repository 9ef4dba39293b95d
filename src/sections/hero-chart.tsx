import type { HeroFigureOf } from '../core/content/sections/hero.schema.ts';
import { BarColumns } from '../islands/charts/bar-columns.tsx';
import { ChartLabels } from './chart-labels.tsx';

/** One statement beside columns drawn large; the report itself has the same figures as a table. */
export function HeroChart({ figure }: { readonly figure: HeroFigureOf<'chart'> }) {
  const { statement } = figure;
  return (
    <figure className="charted grid gap-x-16 gap-y-8 border-t-2 border-line-strong pt-6 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]">
      {statement !== undefined && (
        <div className="self-end">
          <p className="n grand">{statement.figure}</p>
          <p className="mt-3 max-w-text text-lg text-muted">{statement.label}</p>
        </div>
      )}
      <div>
        <BarColumns items={figure.items} className="h-56 w-full" />
        <ChartLabels items={figure.items} unit={figure.unit} per={figure.per} />
      </div>
    </figure>
  );
}
