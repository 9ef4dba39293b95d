import type { HeroFigureOf } from '../core/content/sections/hero.schema.ts';
import { InlineText } from './inline-text.tsx';

/** A score card: what was rated, a score a line, the verdict, the facts. */
export function HeroRating({ figure }: { readonly figure: HeroFigureOf<'rating'> }) {
  return (
    <div className="rounded-lg border border-line bg-raised p-6 sm:p-8">
      <p className="border-b-2 border-line-strong pb-3 text-sm text-muted">{figure.subject}</p>
      <dl className="n">
        {figure.rows.map(({ label, score }) => (
          <div key={label} className="flex items-baseline justify-between gap-6 border-b border-line py-2">
            <dt>{label}</dt>
            <dd className="font-display text-3xl font-semibold">{score}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-5 font-display text-xl font-semibold">
        <InlineText text={figure.verdict} />
      </p>
      {figure.facts.length > 0 && (
        <dl className="n mt-5 grid grid-cols-2 gap-x-8">
          {figure.facts.map((fact) => (
            <div key={fact.label} className="flex flex-col-reverse justify-end border-t border-line py-2.5">
              <dt className="text-sm text-muted">{fact.label}</dt>
              <dd className="font-display text-xl font-semibold">{fact.figure}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
