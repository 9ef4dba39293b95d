import { Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** A few sentences of this site set large, with a link to where it is from. */
export function QuoteSection({ section, context }: SectionProps<'quote'>) {
  const { text, source } = section;
  return (
    <SectionFrame section={section} context={context}>
      <figure className="max-w-wide">
        <blockquote className="font-display text-2xl font-semibold tracking-tight">
          <Text text={text} cta={context.cta} className="text-balance" />
        </blockquote>
        <figcaption className="mt-6">
          From <a href={source.href}>{source.label}</a>
        </figcaption>
      </figure>
    </SectionFrame>
  );
}
