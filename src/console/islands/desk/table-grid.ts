import { type EditorView, WidgetType } from '@codemirror/view';
import { buildElement } from '../command-palette.ts';
import { splitRow } from './write-keys.ts';

let loaded: typeof import('./edit-table.ts') | undefined;

/** Edits a table, at once after the first time: what edits is loaded when a cell or a button is used. */
function withEdits(act: (edits: typeof import('./edit-table.ts')) => void): void {
  if (loaded !== undefined) act(loaded);
  else
    void import('./edit-table.ts').then((edits) => {
      loaded = edits;
      act(edits);
    });
}

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
    const table = buildElement('table', { 'aria-label': 'Table' });
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
      ['Add a row', 'addRow'],
      ['Add a column', 'addColumn'],
      ['Remove the row', 'removeRow'],
      ['Remove the column', 'removeColumn'],
      ['Remove the table', 'removeTable'],
    ] as const;
    for (const [name, edit] of tools) {
      const button = buildElement('button', { type: 'button', class: 'desk-tool' }, name);
      // The cell keeps the focus: its row and its column are meant, and without one the last.
      button.addEventListener('mousedown', (event) => event.preventDefault());
      button.addEventListener('click', () => {
        const at = view.posAtDOM(box);
        const cell = table.querySelector<HTMLElement>(':focus');
        const place = cell === null ? undefined : readPlace(table, cell);
        cell?.blur();
        withEdits((edits) => queueMicrotask(() => edits[edit](view, at, place)));
        if (place !== undefined && edit.startsWith('add'))
          focusCell(view, at, place, edit === 'addRow' ? 1 : 0);
      });
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
      withEdits(() => undefined);
      cell.textContent = text;
    });
    cell.addEventListener('paste', (event) => {
      event.preventDefault();
      const pasted = (event.clipboardData?.getData('text/plain') ?? '').replace(/[\r\n]+$/, '');
      if (!pasted.includes('\t')) document.execCommand('insertText', false, pasted.replace(/\s+/g, ' '));
      else {
        const cells = pasted.split(/\r?\n/).map((line) => line.split('\t'));
        withEdits((edits) => edits.fillCells(view, view.posAtDOM(table), place, cells));
      }
    });
    cell.addEventListener('blur', () => {
      const written = (cell.textContent ?? '').replace(/\s+/g, ' ').trim();
      if (written === text || !table.isConnected) cell.textContent = show(text);
      else withEdits((edits) => edits.fillCells(view, view.posAtDOM(table), place, [[written]]));
    });
    cell.addEventListener('keydown', (event) => {
      event.stopPropagation();
      const cells = [...table.querySelectorAll<HTMLElement>('[contenteditable]')];
      const width = table.rows[0]?.cells.length ?? 1;
      const index = cells.indexOf(cell);
      const steps: Readonly<Record<string, number>> = {
        ...{ Enter: width, ArrowDown: width, ArrowUp: -width, Tab: event.shiftKey ? -1 : 1 },
      };
      const step = steps[event.key] ?? 0;
      if (event.key === 'Escape') view.focus();
      if (step === 0) return;
      const next = cells[index + step];
      // Tab leaves the last cell, as it leaves every field.
      if (next === undefined && event.key === 'Tab') return;
      event.preventDefault();
      const at = view.posAtDOM(table);
      cell.blur();
      const place = readPlace(table, next ?? cell);
      if (next !== undefined) focusCell(view, at, place);
      else view.focus();
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

function readPlace(table: HTMLTableElement, cell: HTMLElement) {
  const row = [...table.rows].findIndex((one) => one.contains(cell));
  return { row, column: [...(table.rows[row]?.cells ?? [])].findIndex((one) => one.contains(cell)) };
}

/** Goes to a cell of the table at a position. Leaving another one may have drawn the table anew. */
export function focusCell(
  view: EditorView,
  at: number,
  { row, column }: { readonly row: number; readonly column: number },
  below = 0,
): void {
  requestAnimationFrame(() => {
    const tables = [...view.contentDOM.querySelectorAll<HTMLTableElement>('.desk-grid table')];
    const own = tables.find((one) => view.posAtDOM(one) === at);
    own?.rows[row + below]?.cells[column]?.querySelector<HTMLElement>('[contenteditable]')?.focus();
  });
}
