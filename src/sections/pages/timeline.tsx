import { InlineText } from './inline-text.tsx';
import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

/** Steps in time: the day in the margin, the task beside it. */
export function TimelineSection({ section, context }: SectionProps<'timeline'>) {
  return (
    <SectionFrame section={{ layout: 'split', ...section }} context={context}>
      <ol className="timeline">
        {section.items.map(({ when, title, text, done }) => (
          <li key={when} className="grid gap-x-10 gap-y-1 pb-9 pl-8 md:grid-cols-[9rem_minmax(0,1fr)]">
            <p className="tabular font-display text-lg font-semibold text-accent">{when}</p>
            <div className="max-w-text">
              <h3 className="text-xl">{title}</h3>
              <p className="mt-2 text-muted">
                <InlineText text={text} cta={context.cta} />
              </p>
              {done !== undefined && (
                <p className="mt-2 border-t border-line pt-2 text-sm">
                  <strong className="font-semibold">Done when:</strong>{' '}
                  <InlineText text={done} cta={context.cta} />
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </SectionFrame>
  );
}
