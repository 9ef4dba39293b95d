import type { Cta } from '../../core/outbound/cta.ts';
import type { SectionOf } from '../../core/pages/sections/section.schema.ts';
import { Icon } from '../../ui/icon.tsx';
import { InlineText, Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

type Table = SectionOf<'comparison-table'>;
type Row = Table['rows'][number];

/** What cells with these words show, so that features can be compared at a glance. */
const MARKS = {
  yes: { icon: 'check', text: 'Yes', iconClassName: 'text-positive' },
  no: { icon: 'x', text: 'No', iconClassName: 'text-muted' },
  included: { icon: 'check', text: 'Included', iconClassName: 'text-positive' },
  'costs extra': { icon: 'plus', text: 'Costs extra', iconClassName: 'text-warning' },
  depends: { icon: 'minus', text: 'Depends', iconClassName: 'text-muted' },
  'not offered': { icon: 'x', text: 'Not offered', iconClassName: 'text-muted' },
  partly: { icon: 'minus', text: 'Partly', iconClassName: 'text-warning' },
} as const;

/** Ends a cell that is ours to answer for. */
const UNSOURCED = ', no source';

/**
 * Offers side by side. On phones a table becomes a list of rows, in which each cell names its column; only two columns
 * of figures fit as they are.
 */
export function ComparisonTableSection({ section, context }: SectionProps<'comparison-table'>) {
  const { columns, caption, rowHeading } = section;
  const fits = columns.length <= 2 && columns.some(({ numeric }) => numeric);
  return (
    <SectionFrame section={section} context={context}>
      <table className={`data-table w-full ${fits ? '' : 'table-stacked'}`}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{rowHeading}</th>
            {columns.map(({ label, numeric, recommended }) => (
              <th
                key={label}
                scope="col"
                data-numeric={numeric || undefined}
                data-recommended={recommended || undefined}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <ComparisonRows table={section} cta={context.cta} />
      </table>
    </SectionFrame>
  );
}

/** The body of a comparison: rows, the headings of their groups, and the sums under the line. */
function ComparisonRows(props: { readonly table: Table; readonly cta: Cta }) {
  const { rows, sums } = props.table;
  return (
    <>
      {splitGroups(rows).map((group) => (
        <tbody key={group[0]?.label}>{group.map((row) => renderRow(row, props.table, props.cta))}</tbody>
      ))}
      {sums.length > 0 && (
        <tfoot>
          {sums.map(({ label, cells }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {renderCells(cells, props.table, props.cta)}
            </tr>
          ))}
        </tfoot>
      )}
    </>
  );
}

/** The rows by groups: a row that names a group begins one. */
function splitGroups(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  for (const row of rows) {
    if (row.group !== undefined || groups.length === 0) groups.push([row]);
    else groups.at(-1)?.push(row);
  }
  return groups;
}

function renderRow(row: Row, table: Table, cta: Cta) {
  const line = (
    <tr key={row.label}>
      <th scope="row">
        <InlineText text={row.label} cta={cta} />
        <Text as="span" className="block text-sm font-normal text-muted" text={row.detail} cta={cta} />
      </th>
      {renderCells(row.cells, table, cta)}
    </tr>
  );
  if (row.group === undefined) return line;
  return [
    <tr key={row.group}>
      <th scope="rowgroup" colSpan={table.columns.length + 1}>
        {row.group}
      </th>
    </tr>,
    line,
  ];
}

function renderCells(cells: readonly string[], table: Table, cta: Cta) {
  return table.columns.map(({ label, numeric, recommended }, index) => (
    <td
      key={label}
      data-column={label}
      data-numeric={numeric || undefined}
      data-recommended={recommended || undefined}
    >
      {renderCell(cells[index] ?? '', cta)}
    </td>
  ));
}

function renderCell(text: string, cta: Cta) {
  const word = text.replace(UNSOURCED, '');
  if (!isMark(word)) return <InlineText text={text} cta={cta} />;
  const mark = MARKS[word];
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 whitespace-nowrap">
      <Icon name={mark.icon} className={`size-4 ${mark.iconClassName}`} />
      {mark.text}
      {word !== text && <span className="text-xs text-muted">no source</span>}
    </span>
  );
}

function isMark(text: string): text is keyof typeof MARKS {
  return Object.hasOwn(MARKS, text);
}
