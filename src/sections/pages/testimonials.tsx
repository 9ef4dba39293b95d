import { Stars } from '../../ui/stars.tsx';
import { InlineText } from './inline-text.tsx';
import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

/** Quotations. Samples are marked as samples. */
export function TestimonialsSection({ section, context }: SectionProps<'testimonials'>) {
  const hasSamples = section.items.some(({ sample }) => sample);
  // With an even number of quotations all of them fit into two columns.
  const isLarge = (index: number) => index === 0 && section.items.length % 2 === 1;
  return (
    <SectionFrame section={section} context={context}>
      {hasSamples && (
        <p className="mb-6 max-w-text border-l-3 border-marker pl-4 text-sm text-muted">
          The texts marked “Sample” are examples that this site wrote, not quotations. They make way for
          customers’ own words.
        </p>
      )}
      <ul className="grid gap-x-[clamp(2rem,5vw,4rem)] gap-y-10 md:grid-cols-2">
        {section.items.map(({ quote, name, company, rating, sample }, index) => (
          <li key={quote} className={isLarge(index) ? 'md:col-span-2' : ''}>
            <figure className="border-t-2 border-line-strong pt-5">
              {rating !== undefined && <Stars value={rating} label={`${rating} out of 5 stars`} />}
              <blockquote
                className={`mt-3 text-lg ${isLarge(index) ? 'md:max-w-wide md:font-display md:text-2xl md:leading-[1.2] md:font-[560]' : ''}`}
              >
                <p>
                  “<InlineText text={quote} cta={context.cta} />”
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
          <InlineText text={section.disclaimer} cta={context.cta} />
        </p>
      )}
    </SectionFrame>
  );
}
