import type { ReactNode } from 'react';
import type { PageContext } from '../core/content/page-context.ts';
import type { SectionFields } from '../core/content/sections/fields.schema.ts';
import { ILLUSTRATIONS } from '../ui/illustrations/illustrations.ts';
import { Section } from '../ui/section.tsx';
import { ActionLinks } from './action-links.tsx';
import { InlineText } from './inline-text.tsx';

/** What all sections share: ground, heading and lead, above or beside the content, then note and buttons. */
export function SectionFrame(props: {
  readonly section: SectionFields;
  readonly context: PageContext;
  readonly width?: 'page' | 'wide' | 'text';
  readonly children?: ReactNode;
}) {
  const { section, context, children } = props;
  const isSplit = section.layout === 'split' && section.title !== undefined;
  const body = (
    <>
      {children}
      {section.note !== undefined && (
        <p className="mt-6 max-w-text text-sm text-muted">
          <InlineText text={section.note} calls={context.calls} />
        </p>
      )}
      <ActionLinks actions={section.actions} calls={context.calls} className="mt-8" />
    </>
  );
  return (
    <Section id={section.id} ground={section.ground} space={section.space} width={props.width}>
      {isSplit ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]">
          <Heading section={section} context={context} className="lg:sticky lg:top-24 lg:self-start" />
          <div>{body}</div>
        </div>
      ) : (
        <>
          <Heading section={section} context={context} className="mb-8 sm:mb-10" />
          {body}
        </>
      )}
    </Section>
  );
}

function Heading(props: {
  readonly section: SectionFields;
  readonly context: PageContext;
  readonly className: string;
}) {
  const { title, lead, drawing } = props.section;
  if (title === undefined) return null;
  const Drawing = drawing === undefined ? null : ILLUSTRATIONS[drawing];
  const words = (
    <div className="max-w-wide">
      <h2 className="text-3xl">
        <InlineText text={title} />
      </h2>
      {lead !== undefined && (
        <p className="mt-4 max-w-text text-lg text-muted">
          <InlineText text={lead} calls={props.context.calls} />
        </p>
      )}
    </div>
  );
  if (Drawing === null) return <div className={props.className}>{words}</div>;
  return (
    <div className={`drawn ${props.className}`}>
      {words}
      <Drawing className="drawing" />
    </div>
  );
}
