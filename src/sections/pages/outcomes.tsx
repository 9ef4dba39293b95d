import { InlineText, Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** What to expect: the figure in the margin, what it takes beside it, how sure it is underneath. */
export function OutcomesSection({ section, context }: SectionProps<'outcomes'>) {
  return (
    <SectionFrame section={section} context={context}>
      <ul className="border-t-2 border-line-strong">
        {section.items.map(({ title, text, figure, status }) => (
          <li
            key={title}
            className="grid gap-x-10 gap-y-1 border-b border-line py-4 sm:py-6 md:grid-cols-[minmax(0,3fr)_minmax(0,8fr)]"
          >
            <p className="tabular font-display text-2xl font-semibold">
              {figure !== undefined && <InlineText text={figure} cta={context.cta} />}
            </p>
            <div className="max-w-text">
              <h3 className="text-xl">{title}</h3>
              <Text text={text} cta={context.cta} className="mt-2 text-muted" />
              <Text text={status} cta={context.cta} className="mt-2 text-sm text-muted italic" />
            </div>
          </li>
        ))}
      </ul>
    </SectionFrame>
  );
}
