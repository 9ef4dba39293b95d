import type { ReactNode } from 'react';

const COLUMN_CLASSES = ['', '', 'sm:grid-cols-2', 'sm:grid-cols-3', 'sm:grid-cols-2 lg:grid-cols-4'] as const;

/** Two to four figures side by side, each with its label. `renderText` renders labels and notes. */
export function FigureList(props: {
  readonly items: readonly {
    readonly figure: string;
    readonly label: string;
    readonly note?: string | undefined;
  }[];
  readonly renderText: (text: string) => ReactNode;
}) {
  const { items, renderText } = props;
  return (
    <dl className={`grid border-y border-line ${COLUMN_CLASSES[items.length] ?? ''}`}>
      {items.map(({ figure, label, note }) => (
        <div
          key={label}
          className="flex flex-col-reverse justify-end gap-1 border-line py-6 not-first:border-t sm:pr-5 sm:not-first:border-t-0 sm:not-first:border-l sm:not-first:pl-7"
        >
          <dt className="text-muted">
            {renderText(label)}
            {note !== undefined && <span className="mt-1 block text-sm">{renderText(note)}</span>}
          </dt>
          <dd className="tabular font-display text-3xl font-semibold">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
