import { listShownQuotations, NO_QUOTATION } from '../../core/pages/claims/claims.ts';
import { Stars } from '../../ui/stars.tsx';
import { SampleNote } from '../shell/notes.tsx';
import { InlineText, Text } from './inline-text.tsx';
import { Markdown } from './markdown-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** Quotations. One label says that a block has samples. Where the site hides them, its place has an example of the site's files. */
export function TestimonialsSection({ section, context }: SectionProps<'testimonials'>) {
  const items = listShownQuotations(section.items, context.samples);
  if (items.length === 0) {
    return (
      <SectionFrame section={section} context={context}>
        <div className="prose">
          <Markdown text={section.example ?? NO_QUOTATION} cta={context.cta} />
        </div>
      </SectionFrame>
    );
  }
  const hasSamples = items.some(({ sample }) => sample);
  // With an even number of quotations all of them fit into two columns.
  const isLarge = (index: number) => index === 0 && items.length % 2 === 1 && !section.folded;
  return (
    <SectionFrame section={section} context={context}>
      {hasSamples && <SampleNote className="mb-6" />}
      <ul className="grid gap-x-[clamp(2rem,5vw,4rem)] gap-y-6 sm:gap-y-10 md:grid-cols-2">
        {items.map(({ quote, name, company, rating }, index) => (
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
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
      <Text text={section.disclaimer} cta={context.cta} className="mt-6 max-w-text text-sm text-muted" />
    </SectionFrame>
  );
}
