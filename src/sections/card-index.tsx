import type { Calls } from '../core/content/page.schema.ts';
import type { SectionOf } from '../core/content/sections/section.schema.ts';
import { CardActions } from './card-actions.tsx';
import { InlineText } from './inline-text.tsx';

/** Cards as a list of links: title, what is behind it, and a quiet word at the right edge. */
export function CardIndex(props: {
  readonly items: SectionOf<'cards'>['items'];
  readonly calls: Calls | undefined;
}) {
  return (
    <ul className="border-t-2 border-line-strong">
      {props.items.map((item) => {
        const href = item.action?.href;
        return (
          <li
            key={item.title}
            className="grid gap-x-12 gap-y-1 border-b border-line py-5 md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)_8rem]"
          >
            <h3 className="text-xl">
              {href === undefined ? (
                item.title
              ) : (
                <a href={href} className="text-ink no-underline hover:underline">
                  {item.title}
                </a>
              )}
            </h3>
            <p className="text-muted">
              <InlineText text={item.text} calls={props.calls} />
            </p>
            {href === undefined ? (
              <div>
                <CardActions item={item} calls={props.calls} />
              </div>
            ) : (
              item.meta !== undefined && <p className="n text-sm text-muted md:text-right">{item.meta}</p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
