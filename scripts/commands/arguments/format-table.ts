/** Formats rows as a table for a terminal; columns of numbers are aligned to the right. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)));
  const isNumber = head.map((_, column) => rows.every((cells) => /^-?[\d.]*$/.test(cells[column] ?? '')));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return isNumber[column] ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
    .concat('\n');
}
