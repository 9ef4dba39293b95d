import { ComparisonRows } from './comparison-rows.tsx';
import { ScrollBox } from './scroll-box.tsx';
import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

/** Offers side by side; the first column and the head stay in view while the rest scrolls. */
export function ComparisonTableSection({ section, context }: SectionProps<'comparison-table'>) {
  const { columns, caption, rowHeading } = section;
  const table = (
    <table className="ledger w-full">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{rowHeading}</th>
          {columns.map(({ label, numeric, answer }) => (
            <th key={label} scope="col" data-numeric={numeric || undefined} data-answer={answer || undefined}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <ComparisonRows table={section} calls={context.calls} />
    </table>
  );
  return (
    <SectionFrame section={section} context={context}>
      {columns.length > 2 ? (
        <ScrollBox label={caption} className="ledger-wide">
          {table}
        </ScrollBox>
      ) : (
        table
      )}
    </SectionFrame>
  );
}
