import { syntaxTree } from '@codemirror/language';
import { type EditorView, WidgetType } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { buildElement } from '../command-palette.ts';

/** A table of Markdown as a grid. An edited cell changes exactly its own characters, and no column is aligned anew. */
export class TableGrid extends WidgetType {
  readonly #text: string;
  readonly #figures: ReadonlyMap<string, string>;

  constructor(text: string, figures: ReadonlyMap<string, string>) {
    super();
    this.#text = text;
    this.#figures = figures;
  }

  override eq(other: TableGrid): boolean {
    return other.#text === this.#text && other.#figures === this.#figures;
  }

  override get estimatedHeight(): number {
    return this.#text.split('\n').length * 40;
  }

  toDOM(view: EditorView): HTMLElement {
    const box = buildElement('div', { class: 'desk-grid' });
    const table = buildElement('table');
    const [head = '', , ...rows] = this.#text.split('\n');
    [head, ...rows].forEach((row, index) => {
      const line = table.insertRow();
      splitRow(row).forEach((text, column) => {
        const cell = buildElement(index === 0 ? 'th' : 'td', index === 0 ? { scope: 'col' } : {});
        cell.append(this.#buildCell(view, table, { text, row: index, column }));
        line.append(cell);
      });
    });
    const bar = buildElement('p', { class: 'desk-block-bar' });
    const tools = [
      ['Add a row', (at: number) => addRow(view, at)],
      ['Add a column', (at: number) => addColumn(view, at)],
      ['Remove the last row', (at: number) => removeRow(view, at)],
      ['Remove the last column', (at: number) => removeColumn(view, at)],
      ['Remove the table', (at: number) => removeTable(view, at)],
    ] as const;
    for (const [name, act] of tools) {
      const button = buildElement('button', { type: 'button', class: 'desk-tool' }, name);
      button.addEventListener('click', () => act(view.posAtDOM(box)));
      bar.append(button);
    }
    box.append(table, bar);
    return box;
  }

  #buildCell(view: EditorView, table: HTMLTableElement, place: CellPlace): HTMLElement {
    const { text, row, column } = place;
    const show = (raw: string) =>
      raw.replace(/\{([a-z]+:[\w.:-]+)\}/g, (all, name) => this.#figures.get(name) ?? all);
    const label = `Row ${row + 1}, column ${column + 1}`;
    const cell = buildElement('div', { contenteditable: 'true', role: 'textbox', 'aria-label': label });
    cell.textContent = show(text);
    // While it is edited a cell has its own text: the names of figures, and bold words with their marks.
    cell.addEventListener('focus', () => {
      cell.textContent = text;
    });
    cell.addEventListener('paste', (event) => {
      event.preventDefault();
      document.execCommand(
        'insertText',
        false,
        event.clipboardData?.getData('text/plain').replace(/\s+/g, ' '),
      );
    });
    cell.addEventListener('blur', () => {
      const written = (cell.textContent ?? '').replace(/\s+/g, ' ').trim();
      if (written === text || !table.isConnected) cell.textContent = show(text);
      else changeCell(view, view.posAtDOM(table), place, written);
    });
    cell.addEventListener('keydown', (event) => {
      event.stopPropagation();
      const cells = [...table.querySelectorAll<HTMLElement>('[contenteditable]')];
      const width = table.rows[0]?.cells.length ?? 1;
      const index = cells.indexOf(cell);
      const step = event.key === 'Enter' ? width : event.key === 'Tab' ? (event.shiftKey ? -1 : 1) : 0;
      if (event.key === 'Escape') view.focus();
      if (step === 0) return;
      const next = cells[index + step];
      // Tab leaves the last cell, as it leaves every field.
      if (next === undefined && event.key === 'Tab') return;
      event.preventDefault();
      const at = view.posAtDOM(table);
      cell.blur();
      if (next !== undefined) focusCell(view, at, index + step);
    });
    return cell;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

interface CellPlace {
  /** As it is in the file. */
  readonly text: string;
  readonly row: number;
  readonly column: number;
}

/** The texts of the cells of a row, without the spaces around them. */
const splitRow = (row: string) =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, '|'));

/** Goes to a cell by its position. Leaving another one may have drawn the table anew. */
function focusCell(view: EditorView, at: number, index: number): void {
  requestAnimationFrame(() => {
    const tables = [...view.contentDOM.querySelectorAll<HTMLTableElement>('.desk-grid table')];
    const own = tables.find((one) => view.posAtDOM(one) === at);
    own?.querySelectorAll<HTMLElement>('[contenteditable]')[index]?.focus();
  });
}

/** The rows of the table at a position: its head, the line below it, and its body. */
function findRows(view: EditorView, at: number): readonly SyntaxNode[] {
  let node: SyntaxNode | null = syntaxTree(view.state).resolveInner(at, 1);
  while (node !== null && node.name !== 'Table') node = node.parent;
  const rows: SyntaxNode[] = [];
  for (let row = node?.firstChild ?? null; row !== null; row = row.nextSibling) rows.push(row);
  return rows;
}

/** Writes one cell; `|` is escaped. */
function changeCell(view: EditorView, at: number, { row, column }: CellPlace, written: string): void {
  const rows = findRows(view, at).filter(({ name }) => name !== 'TableDelimiter');
  const found = rows[row];
  if (found === undefined) return;
  const cell = findCell(view.state.sliceDoc(found.from, found.to), column);
  if (cell === null) return;
  const insert = written.replace(/\\?\|/g, '\\|');
  const change = { from: found.from + cell.from, to: found.from + cell.to, insert };
  queueMicrotask(() => view.dispatch({ changes: change, userEvent: 'input.cell' }));
}

/** Where the text of a cell is in its row; of an empty cell, the place between its bars. */
function findCell(row: string, column: number): { readonly from: number; readonly to: number } | null {
  const bars = [...row.matchAll(/(?<!\\)\|/g)].map(({ index }) => index);
  const starts = row.trimStart().startsWith('|') ? bars : [-1, ...bars];
  const from = starts[column];
  if (from === undefined) return null;
  const to = starts[column + 1] ?? row.length;
  const text = row.slice(from + 1, to);
  const lead = text.length - text.trimStart().length;
  if (text.trim() === '')
    return { from: from + 1 + Math.min(1, text.length), to: from + 1 + Math.min(1, text.length) };
  return { from: from + 1 + lead, to: from + 1 + text.trimEnd().length };
}

function addRow(view: EditorView, at: number): void {
  const rows = findRows(view, at);
  const last = rows.at(-1);
  const [head] = rows;
  if (last === undefined || head === undefined) return;
  const columns = splitRow(view.state.sliceDoc(head.from, head.to)).length;
  view.dispatch({
    changes: { from: last.to, insert: `\n|${'  |'.repeat(columns)}` },
    userEvent: 'input.row',
  });
}

function removeRow(view: EditorView, at: number): void {
  const last = findRows(view, at).at(-1);
  if (last?.name !== 'TableRow') return;
  view.dispatch({ changes: { from: last.from - 1, to: last.to }, userEvent: 'delete.row' });
}

/** Changes each row by one cell and nothing else. */
function addColumn(view: EditorView, at: number): void {
  const changes = findRows(view, at).map(({ name, from, to }) => {
    const text = view.state.sliceDoc(from, to);
    const cell = name === 'TableDelimiter' ? ' --- |' : '  |';
    return { from: to, insert: /(?<!\\)\|\s*$/.test(text) ? cell : ` |${cell.replace(/\|$/, '')}` };
  });
  view.dispatch({ changes, userEvent: 'input.column' });
}

function removeColumn(view: EditorView, at: number): void {
  const rows = findRows(view, at);
  const [head] = rows;
  if (head === undefined || splitRow(view.state.sliceDoc(head.from, head.to)).length < 2) return;
  const changes = rows.flatMap(({ from, to }) => {
    const text = view.state.sliceDoc(from, to);
    const body = text.replace(/(?<!\\)\|\s*$/, '');
    const bar = body.lastIndexOf('|');
    return bar < 0 ? [] : [{ from: from + bar, to: from + body.length }];
  });
  view.dispatch({ changes, userEvent: 'delete.column' });
}

function removeTable(view: EditorView, at: number): void {
  const rows = findRows(view, at);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return;
  const to = Math.min(view.state.doc.length, last.to + 2);
  view.dispatch({ changes: { from: first.from, to }, userEvent: 'delete.block' });
  view.focus();
}
