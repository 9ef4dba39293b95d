import type { Cta } from '../../core/outbound/cta.ts';
import type { SectionOf } from '../../core/pages/sections/section.schema.ts';
import { InlineText, Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

const COLUMN_CLASSES = ['', '', 'sm:grid-cols-2', 'sm:grid-cols-3', 'sm:grid-cols-2 lg:grid-cols-4'] as const;

/** Figures in a row between hairlines. */
export function StatsSection({ section, context }: SectionProps<'stats'>) {
  return (
    <SectionFrame section={section} context={context}>
      <FigureList items={section.items} cta={context.cta} />
    </SectionFrame>
  );
}

/** Two to four figures side by side, each with its label. */
function FigureList(props: { readonly items: SectionOf<'stats'>['items']; readonly cta: Cta }) {
  const { items, cta } = props;
  return (
    <dl className={`grid border-y border-line ${COLUMN_CLASSES[items.length] ?? ''}`}>
      {items.map(({ figure, label, note }) => (
        <div
          key={label}
          className="flex flex-col-reverse justify-end gap-1 border-line py-6 not-first:border-t sm:pr-5 sm:not-first:border-t-0 sm:not-first:border-l sm:not-first:pl-7"
        >
          <dt className="text-muted">
            <InlineText text={label} cta={cta} />
            <Text as="span" className="mt-1 block text-sm" text={note} cta={cta} />
          </dt>
          <dd className="tabular font-display text-3xl font-semibold">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
