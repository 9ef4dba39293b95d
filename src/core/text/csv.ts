/** First characters with which a spreadsheet may begin a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n\0＝＋－＠]/;

/** A text that begins like a formula gets a leading `'`, which spreadsheets do not show. */
export function buildTextCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
