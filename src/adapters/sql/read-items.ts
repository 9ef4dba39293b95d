import type { SqlRow, SqlStatement, SqlValue } from './sql-executor.ts';

const ROWS_PER_PAGE = 2_000;

/**
 * Reads the column `item`, which holds JSON, of all rows after a sequence, page by page. Each page is one text: many
 * rows take several times as long to pass from the database's thread. It is parsed before the next one is read.
 */
export async function readItems<Item>(
  read: (statement: SqlStatement) => Promise<readonly SqlRow[]>,
  sql: string,
  after: number,
  values: readonly SqlValue[],
  parse: (item: unknown) => Item,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (let last: SqlValue = after; last !== null; ) {
    const [row]: readonly SqlRow[] = await read({
      sql: `SELECT '[' || group_concat(item) || ']' AS list, count(*) AS count, max(sequence) AS last
        FROM (${sql} ORDER BY sequence LIMIT ${ROWS_PER_PAGE})`,
      values: [last, ...values],
    });
    const list: unknown = typeof row?.['list'] === 'string' ? JSON.parse(row['list']) : [];
    if (Array.isArray(list)) all.push(...list.map((item) => parse(item)));
    last = row?.['count'] === ROWS_PER_PAGE ? (row['last'] ?? null) : null;
  }
  return all;
}
