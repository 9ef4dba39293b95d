import { Paragraph } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

const FIRST_CLASSES = {
  item: 'sm:col-span-6 sm:grid sm:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] sm:content-start sm:gap-x-14',
  figure: 'text-6xl sm:[grid-row:1/span_4]',
} as const;
const FIGURE_CLASSES = 'text-3xl leading-none font-[660] tracking-[-0.03em]';

/** Findings of a report, each with its source. The first one is the headline. */
export function FindingsSection({ section, context }: SectionProps<'findings'>) {
  return (
    <SectionFrame section={section} context={context}>
      <ol className="grid gap-x-[clamp(2rem,4vw,3.5rem)] gap-y-10 sm:grid-cols-6">
        {section.items.map(({ figure, label, text, status }, index) => (
          <li
            key={label}
            className={`border-t-2 border-line-strong pt-4 ${index === 0 ? FIRST_CLASSES.item : getSpan(index, section.items.length)}`}
          >
            <div className={`tabular font-display ${index === 0 ? FIRST_CLASSES.figure : FIGURE_CLASSES}`}>
              {figure}
            </div>
            <Paragraph text={label} cta={context.cta} className="mt-2 font-semibold" />
            <Paragraph text={text} cta={context.cta} className="mt-2 max-w-text text-muted" />
            <Paragraph text={status} cta={context.cta} className="mt-2 text-sm text-muted italic" />
          </li>
        ))}
      </ol>
    </SectionFrame>
  );
}

/** The columns of a finding after the first: rows of three, or of two where a row of three would leave one alone. */
function getSpan(index: number, count: number): string {
  const isHalf = count === 5 || (count === 6 && index >= 4);
  return isHalf ? 'sm:col-span-3' : 'sm:col-span-2';
}
