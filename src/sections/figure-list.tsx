import type { Calls } from '../core/content/page.schema.ts';
import type { FigureItem } from '../core/content/sections/fields.schema.ts';
import { InlineText } from './inline-text.tsx';

const COLUMNS = ['', '', 'sm:grid-cols-2', 'sm:grid-cols-3', 'sm:grid-cols-2 lg:grid-cols-4'] as const;

/** Two to four figures side by side, each with what it counts. */
export function FigureList(props: {
  readonly items: readonly FigureItem[];
  readonly calls?: Calls | undefined;
}) {
  return (
    <dl className={`figures grid border-y border-line ${COLUMNS[props.items.length] ?? ''}`}>
      {props.items.map(({ figure, label, note }) => (
        <div key={label} className="flex flex-col-reverse justify-end gap-1 py-6">
          <dt className="text-muted">
            <InlineText text={label} />
            {note !== undefined && (
              <span className="mt-1 block text-sm">
                <InlineText text={note} calls={props.calls} />
              </span>
            )}
          </dt>
          <dd className="n font-display text-3xl font-semibold">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
