/** How a formula may begin in a spreadsheet (OWASP, CSV injection); some leave out spaces and quotation marks before. */
const FORMULA = /^(?:["\s]*[=+\-@＝＋－＠]|[\t\r\n\0])/;

/**
 * A formula after a character that separates cells where the comma does not: the list separator of many regions, or a
 * line break, which quotation marks do not protect there. The comma separates nothing else, and is quoted.
 */
const INNER_FORMULA = /([;|\t\r\n]["\s]*)(?=[=+\-@＝＋－＠])/g;

/** A number in decimals, such as an amount: it may begin like a formula. */
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * Builds a line of CSV (RFC 4180) with its end. Numbers stay numbers, also those that are texts of decimals; null is an
 * empty cell. In other texts, what a spreadsheet would take for a formula gets a leading `'`.
 */
export function buildCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(buildCell).join(',')}\r\n`;
}

function buildCell(value: string | number | null): string {
  if (value === null) return '';
  return typeof value === 'number' || NUMBER.test(value) ? String(value) : buildTextCell(value);
}

function buildTextCell(text: string): string {
  const inner = text.replace(INNER_FORMULA, "$1'");
  const safe = FORMULA.test(inner) ? `'${inner}` : inner;
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
