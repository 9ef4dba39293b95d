import { DrawingView } from './drawing.tsx';
import { getProseClasses, listHeadings, Markdown } from './markdown-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** Running text at a readable measure, with its contents beside it when asked for. */
export function ProseSection({ section, context }: SectionProps<'prose'>) {
  // Headings of the text are below that of the section.
  const text = (
    <div className={getProseClasses(section.body)}>
      <Markdown text={section.body} cta={context.cta} isBelowHeading={section.title !== undefined} />
    </div>
  );
  const figure = section.drawing && (
    <div className="mt-8 max-w-[30rem]">
      <DrawingView drawing={section.drawing} />
    </div>
  );
  if (section.columns) {
    const parts = section.body.split(/^(?=## )/m);
    return (
      <SectionFrame section={section} context={context}>
        <div
          className={`gap-x-12 ${section.drawing === undefined && parts.length % 3 === 0 ? 'lg:columns-3' : 'lg:columns-2'}`}
        >
          {section.drawing && (
            <div className="mb-8">
              <DrawingView drawing={section.drawing} />
            </div>
          )}
          {parts.map((part) => (
            <div key={part} className={`${getProseClasses(part)} mb-8 break-inside-avoid`}>
              <Markdown text={part} cta={context.cta} isBelowHeading={section.title !== undefined} />
            </div>
          ))}
        </div>
      </SectionFrame>
    );
  }
  if (!section.contents) {
    return (
      <SectionFrame section={{ layout: 'split', ...section }} context={context} figure={figure}>
        {text}
      </SectionFrame>
    );
  }
  const headings = section.title === undefined ? context.contents : listHeadings(section.body);
  return (
    <SectionFrame section={section} context={context} figure={figure}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,8fr)]">
        <nav aria-label="Contents" className="lg:sticky lg:top-24 lg:self-start" data-print="hide">
          <p className="text-sm font-semibold">
            {section.title === undefined ? 'On this page' : 'In this section'}
          </p>
          <ol
            className={`mt-2 border-t border-line ${headings.length > 12 ? 'gap-x-6 max-lg:columns-2 sm:max-lg:columns-3' : ''}`}
          >
            {headings.map(({ id, text: heading }) => (
              <li key={id} className="break-inside-avoid border-b border-line">
                <a href={`#${id}`} className="block py-2 text-sm text-muted no-underline hover:text-ink">
                  {heading}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        {text}
      </div>
    </SectionFrame>
  );
}
