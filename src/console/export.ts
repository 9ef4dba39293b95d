import { buildTextCell } from '../core/text/csv.ts';
import { CONSOLE_HEADERS } from './app.ts';
import type { ExportTable } from './views.ts';

const CHUNK = 65_536;
/** Excel reads a file as UTF-8 only when it begins with this. */
const BYTE_ORDER_MARK = '\ufeff';
/** Begins like a formula, but is a number. */
const NEGATIVE_NUMBER = /^-\d+(\.\d+)?$/;

/** Builds the download of a table as CSV (RFC 4180), row by row, so that its length needs no memory. */
export function buildCsvResponse(table: ExportTable, name: string, hasByteOrderMark: boolean): Response {
  const chunks = encodeChunks(table, hasByteOrderMark);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(body, {
    headers: {
      ...CONSOLE_HEADERS,
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name.replace(/[^a-z0-9-]/g, '-')}.csv"`,
    },
  });
}

function* encodeChunks({ columns, rows }: ExportTable, hasByteOrderMark: boolean): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = (hasByteOrderMark ? BYTE_ORDER_MARK : '') + buildLine(columns);
  for (const row of rows) {
    text += buildLine(row);
    if (text.length < CHUNK) continue;
    yield encoder.encode(text);
    text = '';
  }
  yield encoder.encode(text);
}

const buildLine = (cells: readonly (string | number | null)[]) => `${cells.map(buildCell).join(',')}\r\n`;

function buildCell(value: string | number | null): string {
  if (value === null) return '';
  return typeof value === 'number' || NEGATIVE_NUMBER.test(value) ? String(value) : buildTextCell(value);
}
