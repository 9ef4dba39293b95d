import { syntaxTree } from '@codemirror/language';
import type { EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { splitRow } from './write-keys.ts';

/** The rows of the table at a position: its head, the line below it, and its body. */
function findRows(view: EditorView, at: number): readonly SyntaxNode[] {
  let node: SyntaxNode | null = syntaxTree(view.state).resolveInner(at, 1);
  while (node !== null && node.name !== 'Table') node = node.parent;
  const rows: SyntaxNode[] = [];
  for (let row = node?.firstChild ?? null; row !== null; row = row.nextSibling) rows.push(row);
  return rows;
}

interface Place {
  readonly row: number;
  readonly column: number;
}

/** Writes cells from a place on; `|` is escaped. Rows that the table does not have are added. */
export function fillCells(
  view: EditorView,
  at: number,
  { row, column }: Place,
  written: readonly (readonly string[])[],
): void {
  const rows = findRows(view, at).filter(({ name }) => name !== 'TableDelimiter');
  const last = rows.at(-1);
  if (last === undefined) return;
  const write = (text: string) => text.replace(/\s+/g, ' ').trim().replace(/\\?\|/g, '\\|');
  const changes = written.flatMap((cells, below) => {
    const found = rows[row + below];
    if (found === undefined)
      return [{ from: last.to, insert: `\n|${'  |'.repeat(column)} ${cells.map(write).join(' | ')} |` }];
    return cells.flatMap((text, right) => {
      const cell = findCell(view.state.sliceDoc(found.from, found.to), column + right);
      return cell === null
        ? []
        : [{ from: found.from + cell.from, to: found.from + cell.to, insert: write(text) }];
    });
  });
  queueMicrotask(() => view.dispatch({ changes, userEvent: 'input.cell' }));
}

/** Where the bars before the cells of a row are, and the last one. */
function findBars(row: string): readonly number[] {
  const bars = [...row.matchAll(/(?<!(?<!\\)\\(?:\\\\)*)\|/g)].map(({ index }) => index);
  return row.trimStart().startsWith('|') ? bars : [-1, ...bars];
}

/** Where the text of a cell is in its row; of an empty cell, the place between its bars. */
function findCell(row: string, column: number): { readonly from: number; readonly to: number } | null {
  const starts = findBars(row);
  const from = starts[column];
  if (from === undefined) return null;
  const to = starts[column + 1] ?? row.length;
  const text = row.slice(from + 1, to);
  const lead = text.length - text.trimStart().length;
  if (text.trim() === '')
    return { from: from + 1 + Math.min(1, text.length), to: from + 1 + Math.min(1, text.length) };
  return { from: from + 1 + lead, to: from + 1 + text.trimEnd().length };
}

/** Below the row of a cell, or at the end. */
export function addRow(view: EditorView, at: number, place?: Place): void {
  const rows = findRows(view, at);
  const last = rows[place === undefined ? -1 : place.row + 1] ?? rows.at(-1);
  const [head] = rows;
  if (last === undefined || head === undefined) return;
  const columns = splitRow(view.state.sliceDoc(head.from, head.to)).length;
  view.dispatch({
    changes: { from: last.to, insert: `\n|${'  |'.repeat(columns)}` },
    userEvent: 'input.row',
  });
}

export function removeRow(view: EditorView, at: number, place?: Place): void {
  const rows = findRows(view, at);
  const last = place === undefined || place.row === 0 ? rows.at(-1) : rows[place.row + 1];
  if (last?.name !== 'TableRow') return;
  view.dispatch({ changes: { from: last.from - 1, to: last.to }, userEvent: 'delete.row' });
}

/** Changes each row by one cell and nothing else. */
export function addColumn(view: EditorView, at: number, place?: Place): void {
  const changes = findRows(view, at).map(({ name, from, to }) => {
    const text = view.state.sliceDoc(from, to);
    const cell = name === 'TableDelimiter' ? ' --- |' : '  |';
    const bar = place === undefined ? undefined : findBars(text)[place.column + 1];
    if (bar !== undefined) return { from: from + bar + 1, insert: cell };
    return {
      from: to,
      insert: /(?<!(?<!\\)\\(?:\\\\)*)\|\s*$/.test(text) ? cell : ` |${cell.replace(/\|$/, '')}`,
    };
  });
  view.dispatch({ changes, userEvent: 'input.column' });
}

export function removeColumn(view: EditorView, at: number, place?: Place): void {
  const rows = findRows(view, at);
  const [head] = rows;
  if (head === undefined || splitRow(view.state.sliceDoc(head.from, head.to)).length < 2) return;
  const changes = rows.flatMap(({ from, to }) => {
    const text = view.state.sliceDoc(from, to);
    const bars = findBars(text);
    const [start, end] = [bars[place?.column ?? -1], bars[(place?.column ?? -1) + 1]];
    if (place !== undefined && start !== undefined && end !== undefined)
      return [{ from: from + Math.max(start, 0), to: from + end + (start < 0 ? 1 : 0) }];
    const body = text.replace(/(?<!(?<!\\)\\(?:\\\\)*)\|\s*$/, '');
    const bar = body.lastIndexOf('|');
    return bar < 0 ? [] : [{ from: from + bar, to: from + body.length }];
  });
  view.dispatch({ changes, userEvent: 'delete.column' });
}

const TOOLS = { addRow, addColumn, removeRow, removeColumn };

/** Does what a button says, to the row and the column of the cell that has the focus. */
export function useTool(view: EditorView, table: HTMLTableElement, tool: keyof typeof TOOLS): void {
  const at = view.posAtDOM(table);
  const cell = table.querySelector<HTMLElement>(':focus');
  const place = cell === null ? undefined : readPlace(table, cell);
  cell?.blur();
  queueMicrotask(() => TOOLS[tool](view, at, place));
  if (place !== undefined && tool.startsWith('add')) focusCell(view, at, place, tool === 'addRow' ? 1 : 0);
}

/** Pastes words into the cell that has the focus, or the cells of a sheet from a place on. */
export function pasteCells(view: EditorView, table: HTMLTableElement, place: Place, text: string): void {
  const pasted = text.replace(/[\r\n]+$/, '');
  if (!pasted.includes('\t')) document.execCommand('insertText', false, pasted.replace(/\s+/g, ' '));
  else {
    const cells = pasted.split(/\r?\n/).map((line) => line.split('\t'));
    fillCells(view, view.posAtDOM(table), place, cells);
  }
}

/** Leaves a cell by Enter, an arrow or Tab for another one, or by Escape for the text. */
export function leaveCell(
  view: EditorView,
  table: HTMLTableElement,
  cell: HTMLElement,
  event: KeyboardEvent,
): void {
  const cells = [...table.querySelectorAll<HTMLElement>('[contenteditable]')];
  const width = table.rows[0]?.cells.length ?? 1;
  const steps: Readonly<Record<string, number>> = {
    Enter: width,
    ArrowDown: width,
    ArrowUp: -width,
    Tab: event.shiftKey ? -1 : 1,
  };
  const step = steps[event.key] ?? 0;
  if (event.key === 'Escape') view.focus();
  if (step === 0) return;
  const next = cells[cells.indexOf(cell) + step];
  // Tab leaves the last cell, as it leaves every field.
  if (next === undefined && event.key === 'Tab') return;
  event.preventDefault();
  const at = view.posAtDOM(table);
  cell.blur();
  const place = readPlace(table, next ?? cell);
  if (next !== undefined) focusCell(view, at, place);
  else view.focus();
}

function readPlace(table: HTMLTableElement, cell: HTMLElement): Place {
  const row = [...table.rows].findIndex((one) => one.contains(cell));
  return { row, column: [...(table.rows[row]?.cells ?? [])].findIndex((one) => one.contains(cell)) };
}

/** Goes to a cell of the table at a position. Leaving another one may have drawn the table anew. */
export function focusCell(view: EditorView, at: number, { row, column }: Place, below = 0): void {
  requestAnimationFrame(() => {
    const tables = [...view.contentDOM.querySelectorAll<HTMLTableElement>('.desk-grid table')];
    const own = tables.find((one) => view.posAtDOM(one) === at);
    own?.rows[row + below]?.cells[column]?.querySelector<HTMLElement>('[contenteditable]')?.focus();
  });
}
