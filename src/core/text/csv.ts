/** First characters with which a spreadsheet may begin a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n\0＝＋－＠]/;

/** A text that begins like a formula gets a leading `'`, which spreadsheets do not show. */
export function buildTextCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Begins like a formula, but is a number. */
const NEGATIVE_NUMBER = /^-\d+(\.\d+)?$/;

/** Builds a line of CSV (RFC 4180) with its end; numbers stay numbers, null is an empty cell. */
export function buildCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(buildCell).join(',')}\r\n`;
}

function buildCell(value: string | number | null): string {
  if (value === null) return '';
  return typeof value === 'number' || NEGATIVE_NUMBER.test(value) ? String(value) : buildTextCell(value);
}
