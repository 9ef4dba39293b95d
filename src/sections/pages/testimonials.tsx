import { InlineText } from './inline-text.tsx';
import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';
import { Stars } from './stars.tsx';

/** Quotations, the first one large. Samples say that they are samples. */
export function TestimonialsSection({ section, context }: SectionProps<'testimonials'>) {
  const hasSamples = section.items.some(({ sample }) => sample);
  return (
    <SectionFrame section={section} context={context}>
      {hasSamples && (
        <p className="mb-6 max-w-text border-l-3 border-marker pl-4 text-sm text-muted">
          The quotations marked “Sample” are examples of form, written by this site. Nobody said them; they
          stand here until customers’ own words replace them.
        </p>
      )}
      <ul className="quotes">
        {section.items.map(({ quote, name, company, rating, sample }) => (
          <li key={quote}>
            <figure className="border-t-2 border-line-strong pt-5">
              {rating !== undefined && <Stars value={rating} label={`${rating} out of 5 stars`} />}
              <blockquote className="mt-3">
                <p>
                  “<InlineText text={quote} />”
                </p>
              </blockquote>
              <figcaption className="mt-4 text-sm text-muted">
                <span className="font-semibold text-ink">{name}</span>, {company}
                {sample && (
                  <span className="ml-2 inline-block rounded-sm border border-line-strong px-1.5 text-xs">
                    Sample
                  </span>
                )}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
      {section.disclaimer !== undefined && (
        <p className="mt-6 max-w-text text-sm text-muted">
          <InlineText text={section.disclaimer} />
        </p>
      )}
    </SectionFrame>
  );
}
