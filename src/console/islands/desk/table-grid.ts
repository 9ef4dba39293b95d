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
  readonly #buildButtons: BuildButtons;

  constructor(text: string, figures: ReadonlyMap<string, string>, buildButtons: BuildButtons) {
    super();
    this.#buildButtons = buildButtons;
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
    ] as const;
    for (const [name, edit] of tools) {
      const button = buildElement('button', { type: 'button', class: 'desk-tool' }, name);
      // The cell keeps the focus: its row and its column are meant, and without one the last.
      button.addEventListener('mousedown', (event) => event.preventDefault());
      button.addEventListener('click', () => withEdits((edits) => edits.useTool(view, table, edit)));
      bar.append(button);
    }
    bar.append(...this.#buildButtons(view, box, 'the table'));
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
      const pasted = event.clipboardData?.getData('text/plain') ?? '';
      withEdits((edits) => edits.pasteCells(view, table, place, pasted));
    });
    cell.addEventListener('blur', () => {
      const written = (cell.textContent ?? '').replace(/\s+/g, ' ').trim();
      if (written === text || !table.isConnected) cell.textContent = show(text);
      else withEdits((edits) => edits.fillCells(view, view.posAtDOM(table), place, [[written]]));
    });
    cell.addEventListener('keydown', (event) => {
      event.stopPropagation();
      withEdits((edits) => edits.leaveCell(view, table, cell, event));
    });
    return cell;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Builds what is done with a block as a whole. */
type BuildButtons = (view: EditorView, box: HTMLElement, name: string) => readonly HTMLElement[];

interface CellPlace {
  /** As it is in the file. */
  readonly text: string;
  readonly row: number;
  readonly column: number;
}
