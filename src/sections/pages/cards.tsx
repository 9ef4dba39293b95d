import type { Cta } from '../../core/outbound/cta.ts';
import type { PageContext } from '../../core/pages/page-context.ts';
import type { SectionOf } from '../../core/pages/sections/section.schema.ts';
import { ActionLink, buildEventAttributes } from './action-links.tsx';
import { ImageFigure } from './image.tsx';
import { Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

type Card = SectionOf<'cards'>['items'][number];

/** Several short texts of the same kind, as columns, ledger rows, numbered columns or an index of links. */
export function CardsSection({ section, context }: SectionProps<'cards'>) {
  return (
    <SectionFrame section={section} context={context}>
      {section.variant === 'art' && <CardsWithArt items={section.items} context={context} />}
      {section.variant === 'slips' && (
        <ul className="grid gap-5 md:grid-cols-2">
          {section.items.map((item) => (
            <li key={item.title} className="flex flex-col rounded border border-line bg-raised p-5 sm:px-6">
              <h3 className="mb-2 text-2xl">{item.title}</h3>
              <CardBody item={item} context={context} />
            </li>
          ))}
        </ul>
      )}
      {section.variant === 'index' && <CardIndex items={section.items} cta={context.cta} />}
      {section.variant === 'rows' && (
        <div className="border-t-2 border-line-strong">
          {section.items.map((item) => (
            <article
              key={item.title}
              className="grid gap-x-12 gap-y-2 border-b border-line py-6 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
            >
              <div>
                <h3 className="text-xl">{item.title}</h3>
                {item.figure !== undefined && (
                  <p className="tabular mt-1 font-display text-3xl font-semibold">{item.figure}</p>
                )}
              </div>
              <CardBody item={item} context={context} />
            </article>
          ))}
        </div>
      )}
      {(section.variant === 'columns' || section.variant === 'numbered') && (
        <ol className={`grid gap-x-10 gap-y-6 sm:gap-y-8 ${columns(section.items.length)}`}>
          {section.items.map((item, index) => (
            <li key={item.title} className="flex flex-col border-t-2 border-line-strong pt-4">
              {section.variant === 'numbered' && (
                <p className="tabular mb-3 font-display text-3xl text-muted" aria-hidden="true">
                  {index + 1}
                </p>
              )}
              {item.figure !== undefined && (
                <p className="tabular mb-2 font-display text-3xl font-semibold">{item.figure}</p>
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

/** Cards two by two, each under its image. */
function CardsWithArt(props: { readonly items: readonly Card[]; readonly context: PageContext }) {
  const { items, context } = props;
  return (
    <ul className="grid gap-x-8 gap-y-12 sm:grid-cols-2">
      {items.map((item) => (
        <li key={item.title} className="grid content-start gap-4">
          {item.image !== undefined && (
            <ImageFigure figure={{ image: item.image }} context={context} place="card" />
          )}
          <div>
            <h3 className="mb-2 text-2xl">{item.title}</h3>
            <CardBody item={item} context={context} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function columns(count: number): string {
  if (count === 2) return 'sm:grid-cols-2';
  if (count === 3) return 'sm:grid-cols-3 sm:gap-x-8';
  return count % 4 === 0 ? 'sm:grid-cols-2 lg:grid-cols-4' : 'sm:grid-cols-2 lg:grid-cols-3';
}

function CardBody(props: { readonly item: Card; readonly context: PageContext }) {
  const { item, context } = props;
  return (
    <div className="flex grow flex-col">
      <Text text={item.text} cta={context.cta} className="text-muted" />
      <CardActions item={item} cta={context.cta} />
    </div>
  );
}

/** What follows the text of a card: its points, its quiet word, its link. */
function CardActions(props: { readonly item: Card; readonly cta: Cta }) {
  const { list, meta, action } = props.item;
  return (
    <>
      {list !== undefined && (
        <ul className="mt-3 grid gap-1.5">
          {list.map((point) => (
            <Text
              as="li"
              key={point}
              className="border-t border-line pt-1.5 text-sm"
              text={point}
              cta={props.cta}
            />
          ))}
        </ul>
      )}
      <Text text={meta} cta={props.cta} className="tabular mt-auto pt-3 text-sm text-muted" />
      {action !== undefined && (
        <p className={meta === undefined ? 'mt-auto pt-2' : 'pt-2'}>
          <ActionLink action={action} cta={props.cta} variant="link" />
        </p>
      )}
    </>
  );
}

/** Cards as a list of links: title, what is behind it, and a quiet word at the right edge. */
function CardIndex(props: { readonly items: readonly Card[]; readonly cta: Cta }) {
  return (
    <ul className="border-t-2 border-line-strong">
      {props.items.map((item) => {
        const link = item.action?.href === undefined ? undefined : item.action;
        return (
          <li
            key={item.title}
            className="grid gap-x-12 gap-y-1 border-b border-line py-5 md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)_8rem]"
          >
            <h3 className="text-xl">
              {link === undefined ? (
                item.title
              ) : (
                <a href={link.href} {...buildEventAttributes(link, props.cta)}>
                  {item.title}
                </a>
              )}
            </h3>
            <Text text={item.text} cta={props.cta} className="text-muted" />
            {link === undefined ? (
              <div>
                <CardActions item={item} cta={props.cta} />
              </div>
            ) : (
              item.meta !== undefined && (
                <p className="tabular text-sm text-muted md:text-right">{item.meta}</p>
              )
            )}
          </li>
        );
      })}
    </ul>
  );
}
