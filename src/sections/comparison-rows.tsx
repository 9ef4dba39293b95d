import type { Calls } from '../core/content/page.schema.ts';
import type { ComparisonTable } from '../core/content/sections/comparison-table.schema.ts';
import { CellMark } from './cell-mark.tsx';
import { InlineText } from './inline-text.tsx';

type Row = ComparisonTable['rows'][number];

/** The body of a comparison: rows, the headings of their groups, and the sums under the line. */
export function ComparisonRows(props: {
  readonly table: ComparisonTable;
  readonly calls: Calls | undefined;
}) {
  const { rows, sums } = props.table;
  return (
    <>
      <tbody>{rows.map((row) => renderRow(row, props.table, props.calls))}</tbody>
      {sums.length > 0 && (
        <tfoot>
          {sums.map(({ label, cells }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {renderCells(cells, props.table, props.calls)}
            </tr>
          ))}
        </tfoot>
      )}
    </>
  );
}

function renderRow(row: Row, table: ComparisonTable, calls: Calls | undefined) {
  const line = (
    <tr key={row.label}>
      <th scope="row">
        <InlineText text={row.label} calls={calls} />
        {row.detail !== undefined && (
          <span className="block text-sm font-normal text-muted">
            <InlineText text={row.detail} calls={calls} />
          </span>
        )}
      </th>
      {renderCells(row.cells, table, calls)}
    </tr>
  );
  if (row.group === undefined) return line;
  return [
    <tr key={row.group} className="group-head">
      <th scope="colgroup" colSpan={table.columns.length + 1}>
        {row.group}
      </th>
    </tr>,
    line,
  ];
}

function renderCells(cells: readonly string[], table: ComparisonTable, calls: Calls | undefined) {
  return table.columns.map(({ label, numeric, answer }, index) => (
    <td key={label} data-numeric={numeric || undefined} data-answer={answer || undefined}>
      <CellMark text={cells[index] ?? ''} calls={calls} />
    </td>
  ));
}
