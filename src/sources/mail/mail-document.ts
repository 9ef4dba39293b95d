import { escapeHtml } from '../../core/text/escape-html.ts';

/** A table of an email: plain texts; every column but the first is aligned to the right. */
export interface MailTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Builds the HTML of an email from plain text: its paragraphs, then a table. Nothing is loaded from anywhere. */
export function buildMailDocument(title: string, text: string, table: MailTable | null = null): string {
  const paragraphs = text
    .split(/\n{2,}/)
    .map((part) => `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`)
    .join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="font: 15px/1.5 system-ui, sans-serif; max-width: 40em">
${paragraphs}${table === null ? '' : `\n${buildTable(table)}`}
</body></html>
`;
}

function buildTable({ head, rows }: MailTable): string {
  const align = (column: number) => `text-align: ${column === 0 ? 'left' : 'right'}; padding: 4px 12px 4px 0`;
  const cell = (tag: string) => (text: string, column: number) =>
    `<${tag} style="${align(column)}">${escapeHtml(text)}</${tag}>`;
  const line = (cells: readonly string[], tag: string) => `<tr>${cells.map(cell(tag)).join('')}</tr>`;
  return `<table style="border-collapse: collapse">
<thead>${line(head, 'th')}</thead>
<tbody>${rows.map((row) => line(row, 'td')).join('\n')}</tbody>
</table>`;
}
