import type { HeroFigureOf } from '../core/content/sections/hero.schema.ts';

/** Days on one line, first to last, and what stands at its end. */
export function HeroTimeline({ figure }: { readonly figure: HeroFigureOf<'timeline'> }) {
  return (
    <ol className="route n" data-stops={figure.steps.length + 1}>
      {figure.steps.map(({ when, what }) => (
        <li key={when}>
          <span className="font-display font-semibold text-accent">{when}</span>
          <span className="mt-1 block text-sm">{what}</span>
        </li>
      ))}
      <li className="route-end">
        <span className="font-display font-semibold text-positive">{figure.end}</span>
      </li>
    </ol>
  );
}
