import { InlineText } from './inline-text.tsx';
import type { HeroFigureProps } from './section-props.ts';

/** Two bills side by side with the difference between them under the line. */
export function HeroComparison({ figure, cta }: HeroFigureProps<'comparison'>) {
  return (
    <div className="border-t-2 border-line-strong">
      <div className="grid md:grid-cols-2">
        {figure.sides.map(({ name, rows, total, recommended }) => (
          <div
            key={name}
            className={[
              'flex flex-col border-line py-5 md:pr-10 md:not-first:border-l md:not-first:pl-10',
              recommended ? 'bg-positive-wash max-md:px-5' : '',
            ].join(' ')}
          >
            <h2 className="font-text text-base font-semibold tracking-normal">{name}</h2>
            <dl className="tabular mt-3 mb-4">
              {rows.map(({ label, amount }) => (
                <div key={label} className="flex justify-between gap-6 border-t border-line py-1.5 text-sm">
                  <dt className="text-muted">{label}</dt>
                  <dd className="text-right whitespace-nowrap">{amount}</dd>
                </div>
              ))}
            </dl>
            <p className="tabular mt-auto flex flex-wrap items-baseline justify-between gap-x-6">
              <span className="font-semibold">{total.label}</span>
              <span className="font-display text-4xl font-semibold">{total.amount}</span>
            </p>
          </div>
        ))}
      </div>
      <p className="tabular flex flex-wrap items-baseline justify-between gap-x-8 gap-y-1 border-t-2 border-line-strong pt-4">
        <span className="max-w-text font-semibold">
          <InlineText text={figure.difference.label} cta={cta} />
        </span>
        <span className="font-display text-5xl font-[680] tracking-[-0.03em] text-positive">
          {figure.difference.amount}
        </span>
      </p>
    </div>
  );
}
