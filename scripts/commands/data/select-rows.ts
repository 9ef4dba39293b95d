import type { SqlRow, SqlValue } from '../../../src/stores/sql/sql-executor.ts';
import type { TransferValues } from './transfer-file.ts';
import type { TransferDatabase } from './transfer-site.ts';
import type { TransferTable } from './transfer-tables.ts';

/** What a page should have: D1 sends it in one piece. */
const PAGE_BYTES = 1_000_000;
const PAGE_ROWS = { first: 100, max: 5_000 };

/** Reads the rows of a table in their order, a page at a time, because D1 has no cursors. */
export async function* selectRows(
  database: TransferDatabase,
  table: Pick<TransferTable, 'name' | 'order' | 'where'>,
  columns: readonly string[],
): AsyncGenerator<TransferValues> {
  const { name, order, where = 'true' } = table;
  const keys = order.split(', ');
  const list = [...columns, ...keys.map((key, index) => `${key} AS key${index}`)].join(', ');
  const next = `(${order}) > (${keys.map(() => '?').join(', ')})`;
  let last: readonly SqlValue[] = [];
  for (let limit = PAGE_ROWS.first; ; ) {
    const condition = last.length === 0 ? `(${where})` : `(${where}) AND ${next}`;
    const sql = `SELECT ${list} FROM ${name} WHERE ${condition} ORDER BY ${order} LIMIT ?`;
    const rows = await database.query({ sql, values: [...last, limit] });
    const values = rows.map((row) => columns.map((column) => readValue(row, name, column)));
    yield* values;
    const end = rows.at(-1);
    if (end === undefined || rows.length < limit) return;
    last = keys.map((_, index) => end[`key${index}`] ?? null);
    const bytes = values.flat().reduce<number>((sum, value) => sum + (String(value).length || 0), 1);
    limit = Math.min(PAGE_ROWS.max, Math.max(1, Math.floor((PAGE_BYTES / bytes) * rows.length)));
  }
}

function readValue(row: SqlRow, table: string, column: string): TransferValues[number] {
  const value = row[column] ?? null;
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new Error(`${table}.${column} has a value that cannot be moved.`);
}

/** Reads the names of a table's columns. */
export async function readColumns(database: TransferDatabase, table: string): Promise<readonly string[]> {
  const sql = 'SELECT name FROM pragma_table_info(?) ORDER BY cid';
  return (await database.query({ sql, values: [table] })).map(({ name }) => String(name));
}
