import type { ReactNode } from 'react';
import type { Cta } from '../../core/outbound/cta.ts';
import type { PageContext } from '../../core/pages/page-context.ts';
import type { SectionFields } from '../../core/pages/sections/fields.schema.ts';
import type { HeroFigure, HeroFigureOf } from '../../core/pages/sections/hero.schema.ts';
import type { SectionOf, SectionType } from '../../core/pages/sections/section.schema.ts';
import { Illustration } from '../../ui/illustration.tsx';
import { Section } from '../../ui/section.tsx';
import { ActionLinks } from './action-links.tsx';
import { Text } from './inline-text.tsx';

/** What a section's component gets: its part of the document, the page around it, and its island, if it has one. */
export interface SectionProps<T extends SectionType> {
  readonly section: SectionOf<T>;
  readonly context: PageContext;
  readonly children?: ReactNode;
}

/** What the component of one composition of a hero gets. */
export interface HeroFigureProps<K extends HeroFigure['kind']> {
  readonly figure: HeroFigureOf<K>;
  readonly cta: Cta;
}

/** What all sections share: background, heading and lead, above or beside the content, then note and buttons. */
export function SectionFrame(props: {
  readonly section: SectionFields;
  readonly context: PageContext;
  /** An image under the heading; without one, above the content. */
  readonly figure?: ReactNode;
  readonly children?: ReactNode;
}) {
  const { section, context, figure, children } = props;
  const isSplit = section.layout === 'split' && section.title !== undefined;
  const body = (
    <>
      {section.title === undefined && figure}
      {children}
      <Text text={section.note} cta={context.cta} className="mt-6 max-w-text text-sm text-muted" />
      <ActionLinks actions={section.actions} cta={context.cta} className="mt-8" />
    </>
  );
  if (section.folded && section.title !== undefined) {
    return (
      <Section spacing="none">
        {/* A link to an anchor opens the details that the anchor is in. */}
        <details className="faq-item -mt-px border-y border-line">
          <FoldedHeading context={context} title={section.title} />
          <div className="pt-2 pb-12" id={section.id}>
            <Text
              text={section.lead}
              cta={context.cta}
              className="mb-8 max-w-text text-lg text-balance text-muted"
            />
            {figure !== undefined && <div className="mb-8">{figure}</div>}
            {body}
          </div>
        </details>
      </Section>
    );
  }
  return (
    <Section
      id={section.id}
      background={section.background}
      spacing={section.spacing}
      hasHeading={section.title !== undefined}
    >
      {isSplit ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]">
          <Heading section={section} context={context} figure={figure} isSplit />
          <div>{body}</div>
        </div>
      ) : (
        <>
          <Heading section={section} context={context} figure={figure} isSplit={false} />
          {body}
        </>
      )}
    </Section>
  );
}

function FoldedHeading(props: { readonly context: PageContext; readonly title: string }) {
  const { context, title } = props;
  return (
    <summary className="flex items-center justify-between gap-5 py-4">
      <Text as="h2" className="text-xl" text={title} cta={context.cta} />
    </summary>
  );
}

const SPLIT_CLASSES = 'lg:sticky lg:top-24 lg:self-start';
const STACKED_CLASSES = 'mb-6 sm:mb-10';

function Heading(props: {
  readonly section: SectionFields;
  readonly context: PageContext;
  readonly figure: ReactNode;
  /** Whether the heading is beside the content on wide screens. */
  readonly isSplit: boolean;
}) {
  const { title, lead, illustration } = props.section;
  if (title === undefined) return null;
  const text = (
    <div className="max-w-wide">
      <Text as="h2" className="text-3xl" text={title} cta={props.context.cta} />
      <Text text={lead} cta={props.context.cta} className="mt-4 max-w-text text-lg text-balance text-muted" />
    </div>
  );
  if (illustration === undefined)
    return (
      <div className={props.isSplit ? SPLIT_CLASSES : STACKED_CLASSES}>
        {text}
        {props.figure}
      </div>
    );
  return props.isSplit ? (
    <div className={SPLIT_CLASSES}>
      {text}
      <Illustration name={illustration} className="mt-8 max-w-88" />
      {props.figure}
    </div>
  ) : (
    <div className={STACKED_CLASSES}>
      <div className="md:grid md:grid-cols-[minmax(0,7fr)_minmax(0,4fr)] md:items-end md:gap-12">
        {text}
        <Illustration name={illustration} className="mt-8 max-w-88 md:mt-0 md:justify-self-end" />
      </div>
      {props.figure}
    </div>
  );
}
