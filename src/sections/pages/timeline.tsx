import { InlineText, Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

const SPLIT_CLASSES = 'md:grid-cols-[9rem_minmax(0,1fr)]';
const STACKED_CLASSES = 'md:grid-cols-[9rem_minmax(0,1fr)] lg:grid-cols-[9rem_minmax(0,1fr)_18rem]';
const SPLIT_RESULT_CLASSES = 'md:col-start-2';
const STACKED_RESULT_CLASSES =
  'md:col-start-2 lg:col-start-3 lg:row-start-1 lg:mt-0 lg:border-t-0 lg:border-l lg:pt-0 lg:pl-6';

/** Steps in time: the day in the margin, the task next to it, its result below or, stacked, in a third column. */
export function TimelineSection({ section, context }: SectionProps<'timeline'>) {
  const isSplit = section.layout !== 'stacked';
  return (
    <SectionFrame section={{ layout: 'split', ...section }} context={context}>
      <ol className="timeline">
        {section.items.map(({ when, title, text, done }) => (
          <li
            key={when}
            className={`grid gap-x-10 gap-y-1 pb-6 pl-8 last:pb-0 sm:pb-8 ${isSplit ? SPLIT_CLASSES : STACKED_CLASSES}`}
          >
            <div className="tabular font-display text-lg font-semibold text-accent">{when}</div>
            <div className="max-w-text">
              <h3 className="text-xl">{title}</h3>
              <Text text={text} cta={context.cta} className="mt-2 text-muted" />
            </div>
            {done !== undefined && (
              <p
                className={`mt-2 max-w-text border-t border-line pt-2 text-sm ${isSplit ? SPLIT_RESULT_CLASSES : STACKED_RESULT_CLASSES}`}
              >
                <strong className="font-semibold">Done when:</strong>{' '}
                <InlineText text={done} cta={context.cta} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </SectionFrame>
  );
}
