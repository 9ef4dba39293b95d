import type { HeroFigureOf } from '../core/content/sections/hero.schema.ts';
import { InlineText } from './inline-text.tsx';

/** Two bills side by side with the difference between them under the line. */
export function HeroComparison({ figure }: { readonly figure: HeroFigureOf<'comparison'> }) {
  return (
    <div className="border-t-2 border-line-strong">
      <div className="grid md:grid-cols-2">
        {figure.sides.map(({ name, rows, total, answer }) => (
          <div key={name} className={`bill flex flex-col py-5 ${answer ? 'bg-positive-wash' : ''}`}>
            <h2 className="font-text text-base font-semibold tracking-normal">{name}</h2>
            <dl className="n mt-3 mb-4">
              {rows.map(({ label, amount }) => (
                <div key={label} className="flex justify-between gap-6 border-t border-line py-1.5 text-sm">
                  <dt className="text-muted">{label}</dt>
                  <dd>{amount}</dd>
                </div>
              ))}
            </dl>
            <p className="n mt-auto flex flex-wrap items-baseline justify-between gap-x-6">
              <span className="font-semibold">{total.label}</span>
              <span className="font-display text-4xl font-semibold">{total.amount}</span>
            </p>
          </div>
        ))}
      </div>
      <p className="n flex flex-wrap items-baseline justify-between gap-x-8 gap-y-1 border-t-2 border-line-strong pt-4">
        <span className="max-w-text font-semibold">
          <InlineText text={figure.difference.label} />
        </span>
        <span className="total text-5xl">{figure.difference.amount}</span>
      </p>
    </div>
  );
}
