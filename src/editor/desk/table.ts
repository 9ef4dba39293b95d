import type { Node } from 'prosemirror-model';
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { schema } from './schema.ts';

const { nodes } = schema;

interface Place {
  readonly table: Node;
  /** Where the table begins in the document. */
  readonly at: number;
  readonly row: number;
  readonly column: number;
}

/** The cell of the selection. */
function findCell({ selection: { $from } }: EditorState): Place | null {
  for (let depth = $from.depth; depth > 0; depth -= 1)
    if ($from.node(depth).type === nodes.table) {
      const place = { table: $from.node(depth), at: $from.before(depth), row: $from.index(depth) };
      return { ...place, column: $from.index(depth + 1) };
    }
  return null;
}

/** Where a cell begins in the document. */
function locateCell({ table, at }: Pick<Place, 'table' | 'at'>, row: number, column: number): number {
  let position = at + 1;
  for (let index = 0; index < row; index += 1) position += table.child(index).nodeSize;
  position += 1;
  for (let index = 0; index < column; index += 1) position += table.child(row).child(index).nodeSize;
  return position;
}

function putCursor(changed: Transaction, at: number): Transaction {
  return changed.setSelection(TextSelection.near(changed.doc.resolve(at))).scrollIntoView();
}

const buildRow = (like: Node, texts: readonly string[] = []) =>
  nodes.row.create(
    null,
    like.children.map(({ attrs }, index) =>
      nodes.cell.create(
        attrs,
        texts[index] === undefined || texts[index] === '' ? [] : schema.text(texts[index]),
      ),
    ),
  );

/** Goes to another cell. Tab in the last cell adds a row; Enter in the last row leaves the table. */
export const moveCell =
  (where: 'next' | 'back' | 'down'): Command =>
  (state, dispatch) => {
    const place = findCell(state);
    if (place === null) return false;
    const { table, at, row, column } = place;
    const width = table.child(row).childCount;
    const target =
      where === 'down'
        ? [row + 1, column]
        : [
            row + Math.floor((column + (where === 'next' ? 1 : -1)) / width),
            (column + (where === 'next' ? 1 : -1) + width) % width,
          ];
    const [toRow = 0, toColumn = 0] = target;
    if (toRow < 0) return false;
    if (dispatch === undefined) return true;
    const { tr } = state;
    if (toRow < table.childCount) dispatch(putCursor(tr, locateCell(place, toRow, toColumn) + 1));
    else if (where === 'next') {
      tr.insert(at + table.nodeSize - 1, buildRow(table.child(0)));
      dispatch(putCursor(tr, at + table.nodeSize + 1));
    } else {
      const end = at + table.nodeSize;
      if (tr.doc.nodeAt(end)?.isTextblock !== true) tr.insert(end, nodes.paragraph.create());
      dispatch(putCursor(tr, end + 1));
    }
    return true;
  };

type Align = 'left' | 'center' | 'right' | null;

/** What the buttons of a table do: to the row and the column of the cursor, else to the last ones. */
export function changeTable(
  state: EditorState,
  at: number,
  act: 'addRow' | 'addColumn' | 'removeRow' | 'removeColumn' | { readonly align: Align },
): Transaction | null {
  const table = state.doc.nodeAt(at);
  if (table?.type !== nodes.table) return null;
  const own = findCell(state);
  const place =
    own?.at === at
      ? own
      : { table, at, row: table.childCount - 1, column: (table.firstChild?.childCount ?? 1) - 1 };
  const { tr } = state;
  const [head] = table.children;
  if (head === undefined) return null;
  if (act === 'addRow') {
    const below = locateCell(place, place.row, 0) - 1 + table.child(place.row).nodeSize;
    return putCursor(tr.insert(below, buildRow(head)), below + 2);
  }
  if (act === 'removeRow') {
    if (place.row === 0) return null;
    const start = locateCell(place, place.row, 0) - 1;
    return tr.delete(start, start + table.child(place.row).nodeSize);
  }
  if (act === 'removeColumn' && head.childCount < 2) return null;
  table.forEach((row, offset, index) => {
    const cell = row.maybeChild(place.column);
    if (cell === null) return;
    const start =
      tr.mapping.map(at + 1 + offset) +
      1 +
      row.children.slice(0, place.column).reduce((sum, { nodeSize }) => sum + nodeSize, 0);
    if (act === 'addColumn')
      tr.insert(start + cell.nodeSize, (index === 0 ? nodes.head : nodes.cell).create());
    else if (act === 'removeColumn') tr.delete(start, start + cell.nodeSize);
    else tr.setNodeMarkup(start, null, { align: act.align });
  });
  return tr;
}

/** Fills cells of a table from the one of the cursor on; rows that it does not have are added. null: there is no cell. */
export function fillCells(state: EditorState, cells: readonly (readonly string[])[]): Transaction | null {
  const place = findCell(state);
  if (place === null) return null;
  const { table, at, row, column } = place;
  const rows = Array.from({ length: Math.max(table.childCount, row + cells.length) }, (_, index) => {
    const own = table.maybeChild(index) ?? buildRow(table.child(0));
    const filled = own.children.map((cell, across) => {
      const text = cells[index - row]?.[across - column]?.replace(/\s+/g, ' ').trim();
      return text === undefined ? cell : cell.type.create(cell.attrs, text === '' ? [] : schema.text(text));
    });
    return own.copy(nodes.row.create(null, filled).content);
  });
  return state.tr.replaceWith(at, at + table.nodeSize, table.copy(nodes.table.create(null, rows).content));
}

/** A table of texts; the first row is its head. */
export function buildTableNode(rows: readonly (readonly string[])[]): Node {
  const build = (cells: readonly string[], isHead: boolean) =>
    nodes.row.create(
      null,
      cells.map((text) =>
        (isHead ? nodes.head : nodes.cell).create(null, text.trim() === '' ? [] : schema.text(text.trim())),
      ),
    );
  return nodes.table.create(
    null,
    rows.map((cells, index) => build(cells, index === 0)),
  );
}
