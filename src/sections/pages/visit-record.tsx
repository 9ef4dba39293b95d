import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** Shows what is stored about this visit, and deletes it, by the number that the browser has of it. */
export function VisitRecordSection({ section, context }: SectionProps<'visit-record'>) {
  const { text, show, remove, browser, server, none, unknown, removed, failed } = section;
  return (
    <SectionFrame section={section} context={context}>
      <div
        className="max-w-text"
        data-visit-record={JSON.stringify({ browser, server, none, unknown, removed, failed })}
      >
        <p>{text}</p>
        <p className="mt-4 flex flex-wrap gap-4 noscript:hidden">
          <button type="button" className="button button-quiet" data-visit="show">
            {show}
          </button>{' '}
          <button type="button" className="button button-quiet" data-visit="delete">
            {remove}
          </button>
        </p>
        <div role="status" className="mt-4" />
      </div>
    </SectionFrame>
  );
}
