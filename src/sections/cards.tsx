import type { SectionOf } from '../core/content/sections/section.schema.ts';
import { CardActions } from './card-actions.tsx';
import { CardIndex } from './card-index.tsx';
import { InlineText } from './inline-text.tsx';
import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

type Cards = SectionOf<'cards'>;

/** Several short texts of the same kind, as columns, ledger rows, numbered columns or an index of links. */
export function CardsSection({ section, context }: SectionProps<'cards'>) {
  return (
    <SectionFrame section={section} context={context}>
      {section.look === 'index' && <CardIndex items={section.items} calls={context.calls} />}
      {section.look === 'rows' && (
        <div className="border-t-2 border-line-strong">
          {section.items.map((item) => (
            <article
              key={item.title}
              className="grid gap-x-12 gap-y-2 border-b border-line py-6 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
            >
              <div>
                <h3 className="text-xl">{item.title}</h3>
                {item.figure !== undefined && (
                  <p className="n mt-1 font-display text-3xl font-semibold">{item.figure}</p>
                )}
              </div>
              <CardBody item={item} context={context} />
            </article>
          ))}
        </div>
      )}
      {(section.look === 'columns' || section.look === 'numbered') && (
        <ol className={`grid gap-x-10 gap-y-10 sm:grid-cols-2 ${columns(section.items.length)}`}>
          {section.items.map((item, index) => (
            <li key={item.title} className="border-t-2 border-line-strong pt-4">
              {section.look === 'numbered' && (
                <p className="n mb-3 font-display text-3xl text-muted" aria-hidden="true">
                  {index + 1}
                </p>
              )}
              {item.figure !== undefined && (
                <p className="n mb-2 font-display text-3xl font-semibold">{item.figure}</p>
              )}
              <h3 className="mb-2 text-xl">{item.title}</h3>
              <CardBody item={item} context={context} />
            </li>
          ))}
        </ol>
      )}
    </SectionFrame>
  );
}

function columns(count: number): string {
  return count % 4 === 0 ? 'lg:grid-cols-4' : count === 2 ? '' : 'lg:grid-cols-3';
}

function CardBody(props: {
  readonly item: Cards['items'][number];
  readonly context: SectionProps<'cards'>['context'];
}) {
  const { item, context } = props;
  return (
    <div>
      <p className="text-muted">
        <InlineText text={item.text} calls={context.calls} />
      </p>
      <CardActions item={item} calls={context.calls} />
    </div>
  );
}
