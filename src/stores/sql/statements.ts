import type { Database, SqlExecutor, SqlRow, SqlStatement, SqlValue } from './sql-executor.ts';

/** UTF-16 units of one text; D1 binds values of up to 2 MB. */
const MAX_LENGTH = 500_000;

/**
 * Builds JSON lists of rows, for statements that read them with `json_each(?)`: one statement for all rows, because D1
 * binds at most 100 values and counts statements. A list exceeds half a megabyte only if it has a single row.
 */
export function buildJsonLists(rows: readonly (readonly unknown[])[]): readonly string[] {
  const lists: string[][] = [];
  let length = MAX_LENGTH;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (length + text.length > MAX_LENGTH) {
      lists.push([]);
      length = 0;
    }
    lists.at(-1)?.push(text);
    length += text.length;
  }
  return lists.map((list) => `[${list.join()}]`);
}

/** Builds one statement for each JSON list of rows; `values` follow the list. */
export function buildListStatements(
  sql: string,
  rows: readonly (readonly unknown[])[],
  ...values: readonly SqlValue[]
): readonly SqlStatement[] {
  return buildJsonLists(rows).map((list) => ({ sql, values: [list, ...values] }));
}

/** The values of a row by the names of fields: `tokenHash` for `token_hash`. */
export function renameColumns(row: SqlRow): SqlRow {
  const rename = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [rename(column), value]));
}

/**
 * Runs statements in one transaction; resolves with how many rows the first ones have changed, without those that triggers
 * have changed, which D1 includes.
 */
export async function batchCounted(
  database: { readonly batch: SqlExecutor['batch'] },
  statements: readonly SqlStatement[],
  others: readonly SqlStatement[] = [],
): Promise<number> {
  const counted = statements.flatMap((statement) => [statement, { sql: 'SELECT changes() AS count' }]);
  const results = await database.batch([...counted, ...others]);
  const counts = results.slice(0, counted.length).map(({ rows }) => Number(rows[0]?.['count'] ?? 0));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Reads and writes a value in a table `state`, by its key. */
export const READ_STATE = 'SELECT value FROM state WHERE key = ?';
export const WRITE_STATE = `INSERT INTO state (key, value) VALUES (?, ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

/** The right to do something alone until a time. */
export interface Lease {
  readonly holder: string;
  /** ms since 1970. */
  readonly now: number;
  readonly until: number;
}

/** No lease lasts as long: one that ends later was taken while a clock was wrong, and binds no one. */
const MAX_LEASE_MS = 86_400_000;

const TAKE_LEASE = `INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
  WHERE until <= ? OR until > ? OR holder = excluded.holder`;

/** Takes or prolongs a lease until a time; false while another holder has it. */
export async function takeLease(database: Database, name: string, { holder, now, until }: Lease) {
  return (await database.change(TAKE_LEASE, name, holder, until, now, now + MAX_LEASE_MS)) === 1;
}

const ROWS_PER_PAGE = 2_000;

/**
 * Reads the column `item`, which holds JSON, of all rows, page by page. Each page is one text: many
 * rows take several times as long to pass from the database's thread. It is parsed before the next one is read. Equal
 * texts of all pages are one string in memory.
 */
export async function readItems<Item>(
  database: Database,
  sql: string,
  values: readonly SqlValue[],
  parse: (item: unknown) => Item,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  const known = new Map<string, string>();
  for (let last: SqlValue = 0; last !== null; ) {
    const page = `SELECT '[' || group_concat(item) || ']' AS list, count(*) AS count, max(sequence) AS last
      FROM (${sql} ORDER BY sequence LIMIT ${ROWS_PER_PAGE})`;
    const row: SqlRow | undefined = await database.readRow(page, last, ...values);
    const list: unknown = typeof row?.['list'] === 'string' ? JSON.parse(row['list']) : [];
    if (Array.isArray(list)) all.push(...list.map((item) => parse(shareStrings(item, known))));
    last = row?.['count'] === ROWS_PER_PAGE ? (row['last'] ?? null) : null;
  }
  return all;
}

/** The parser itself makes shorter ones that are equal one string. */
const MAX_PARSED_ONCE = 10;

/** Replaces each string of a JSON value by the first one that is equal to it; changes arrays and objects in place. */
function shareStrings(value: unknown, known: Map<string, string>): unknown {
  if (typeof value === 'string') {
    if (value.length <= MAX_PARSED_ONCE) return value;
    const first = known.get(value);
    if (first === undefined) known.set(value, value);
    return first ?? value;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) value[index] = shareStrings(item, known);
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) value[name] = shareStrings(item, known);
  }
  return value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
