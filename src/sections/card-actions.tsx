import type { Calls } from '../core/content/page.schema.ts';
import type { SectionOf } from '../core/content/sections/section.schema.ts';
import { ActionLink } from './action-links.tsx';
import { InlineText } from './inline-text.tsx';

/** What follows the text of a card: its points, its quiet word, its link. */
export function CardActions(props: {
  readonly item: SectionOf<'cards'>['items'][number];
  readonly calls: Calls | undefined;
}) {
  const { list, meta, action } = props.item;
  return (
    <>
      {list !== undefined && (
        <ul className="mt-3 grid gap-1.5">
          {list.map((point) => (
            <li key={point} className="border-t border-line pt-1.5 text-sm">
              <InlineText text={point} calls={props.calls} />
            </li>
          ))}
        </ul>
      )}
      {meta !== undefined && (
        <p className="n mt-3 text-sm text-muted">
          <InlineText text={meta} />
        </p>
      )}
      {action !== undefined && (
        <p className="mt-2">
          <ActionLink action={action} calls={props.calls} look="link" />
        </p>
      )}
    </>
  );
}
