import { getProseClasses, Markdown } from './markdown-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** Questions in an accordion: one open at most, all found by the browser's search. */
export function FaqSection({ section, context }: SectionProps<'faq'>) {
  const name = `faq-${section.id ?? 'questions'}`;
  return (
    <SectionFrame section={{ layout: 'split', ...section }} context={context}>
      <div className="border-t-2 border-line-strong">
        {section.items.map(({ question, answer }) => (
          <details key={question} name={name} className="faq-item border-b border-line">
            <summary className="flex min-h-14 items-center justify-between gap-5 py-4">
              <h3 className="font-text text-base font-semibold tracking-normal">{question}</h3>
            </summary>
            <div className={`${getProseClasses(answer)} pb-6 text-muted`}>
              <Markdown text={answer} cta={context.cta} />
            </div>
          </details>
        ))}
      </div>
    </SectionFrame>
  );
}
