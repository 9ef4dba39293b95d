import { InlineText } from './inline-text.tsx';
import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

/** Findings of a report: the first one is the headline, each says what it rests on. */
export function FindingsSection({ section, context }: SectionProps<'findings'>) {
  return (
    <SectionFrame section={section} context={context}>
      <ol className="findings">
        {section.items.map(({ figure, label, text, status }) => (
          <li key={label} className="border-t-2 border-line-strong pt-4">
            <p className="n findings-figure">{figure}</p>
            <p className="mt-2 font-semibold">
              <InlineText text={label} />
            </p>
            {text !== undefined && (
              <p className="mt-2 max-w-text text-muted">
                <InlineText text={text} calls={context.calls} />
              </p>
            )}
            {status !== undefined && (
              <p className="mt-2 text-sm text-muted italic">
                <InlineText text={status} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </SectionFrame>
  );
}
