import { collapseSpaces, type HtmlElement, type HtmlNode, isBlock } from './html-text.ts';

/** What fits side by side on a phone of 360 px, in characters with the gaps between columns. */
const MAX_CHARACTERS = 37;
const GAP_CHARACTERS = 2;
/** Words in narrow columns break into many lines, although they fit. */
const MAX_TEXT_COLUMNS = 2;
/** Cells of the first column that are no longer than this stay on one line: `Mon Nov 10`, `12 months`. */
const MAX_UNBROKEN_CHARACTERS = 12;
/** What needs no name of a column before it: `1` or `A` does, `3 months` does not. */
const NAME = /\p{L}{3}/u;

/**
 * Marks a table that is too wide for phones, where its rows become lists, and names the column in each of its cells;
 * the first cell of a row, its title, needs that only when it is a number.
 * Tables with cells that span rows or columns or have a table inside, or without a head of one row, stay tables.
 */
export function stackTable(table: HtmlElement): void {
  const [head = [], ...others] = findAll(table, 'thead').flatMap((part) =>
    findAll(part, 'tr').map(listCells),
  );
  const rows = findAll(table, 'tbody', 'tfoot').flatMap((part) => findAll(part, 'tr').map(listCells));
  const cells = [head, ...rows].flat();
  if (others.length > 0 || rows.some((row) => row.length !== head.length)) return;
  if (cells.some(isIrregular) || !isTooWide(head, rows)) return;
  table.attribs['data-stacked'] = '';
  const isFirstNamed = rows.some(([first]) => first && !NAME.test(readText(first)));
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      const heading = head[index];
      if (heading && (index > 0 || (isFirstNamed && !isName(cell))))
        cell.attribs['data-column'] = collapseSpaces(readText(heading));
    }
  }
}

/** Marks the cells of a first column in which all are short, such as dates, so that they stay on one line. */
export function keepShortCells(table: HtmlElement): void {
  const rows = findAll(table, 'tbody').flatMap((part) => findAll(part, 'tr').map(listCells));
  const cells = rows.flatMap(([first]) => first ?? []);
  if (areShort(cells)) {
    for (const cell of cells) if (readText(cell).trim().includes(' ')) cell.attribs['data-short'] = '';
  }
}

function areShort(cells: readonly HtmlElement[]): boolean {
  return cells.every((cell) => measureLine(cell) <= MAX_UNBROKEN_CHARACTERS);
}

function isName(cell: HtmlElement): boolean {
  const text = readText(cell);
  return NAME.test(text) && !/\d/.test(text);
}

function isIrregular(cell: HtmlElement): boolean {
  return 'colspan' in cell.attribs || 'rowspan' in cell.attribs || hasTable(cell);
}

function hasTable(parent: HtmlElement): boolean {
  return parent.children.some((node) => 'attribs' in node && (node.name === 'table' || hasTable(node)));
}

function isTooWide(head: readonly HtmlElement[], rows: readonly (readonly HtmlElement[])[]): boolean {
  if (head.length < 3) return false;
  const columns = head.map((heading, index) => [heading, ...rows.flatMap((row) => row[index] ?? [])]);
  const titles = rows.flatMap(([first]) => first ?? []);
  const texts = head.slice(1).filter(({ attribs }) => attribs['data-align'] !== 'right').length;
  const widths = columns.map((cells) => Math.max(...cells.map(measureCell)));
  if (areShort(titles)) widths[0] = Math.max(widths[0] ?? 0, ...titles.map(measureLine));
  const total = widths.reduce((sum, width) => sum + width + GAP_CHARACTERS, -GAP_CHARACTERS);
  return texts > MAX_TEXT_COLUMNS || total > MAX_CHARACTERS;
}

/** Characters of the longest part that stays on one line: figures do not wrap, other text does between words. */
function measureCell(cell: HtmlElement): number {
  const isFigure = cell.name === 'td' && cell.attribs['data-align'] === 'right';
  if (isFigure) return measureLine(cell);
  const words = collapseSpaces(readText(cell)).split(' ');
  return Math.max(...words.map((word) => word.length));
}

function measureLine(cell: HtmlElement): number {
  return collapseSpaces(readText(cell)).length;
}

function listCells(row: HtmlElement): HtmlElement[] {
  return findAll(row, 'th', 'td');
}

function findAll(parent: HtmlElement, ...names: readonly string[]): HtmlElement[] {
  return parent.children.filter(
    (node): node is HtmlElement => 'attribs' in node && names.includes(node.name),
  );
}

function readText(node: HtmlNode): string {
  if ('data' in node) return node.data;
  if (!('attribs' in node)) return '';
  const text = node.children.map(readText).join('');
  return isBlock(node.name) ? ` ${text} ` : text;
}
