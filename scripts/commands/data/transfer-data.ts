import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { SqlRollupStore } from '../../../src/adapters/events/sql-rollup-store.ts';
import { rebuildCounts } from '../events/counts.ts';
import { FileExecutor } from './file-executor.ts';
import { openForExport, openForImport, type SiteData } from './open-databases.ts';
import { readArchivedRows } from './read-archived-rows.ts';
import { checkTransfer, readTransfer, type TransferRow, writeTransfer } from './transfer-file.ts';
import {
  buildInsert,
  buildTableKey,
  DATABASES,
  type DatabaseName,
  listColumns,
  TRANSFER_TABLES,
  type TransferTable,
} from './transfer-tables.ts';

/** Rows of one transaction. */
const ROWS_PER_COMMIT = 10_000;

/** Rows by table. */
export type RowCounts = ReadonlyMap<string, number>;

/** Writes everything of a site into a file, each database as it is at one moment. */
export async function exportData(
  site: SiteData,
  file: string,
): Promise<{ counts: RowCounts; sha256: string }> {
  const databases = openForExport(site);
  const counts = new Map<string, number>();
  try {
    const tables = TRANSFER_TABLES.flatMap((table) => {
      const db = databases.get(table.database);
      return db === undefined
        ? []
        : [{ table, db, columns: listColumns(table, (name) => readColumns(db, name)) }];
    });
    const head = Object.fromEntries(tables.map(({ table, columns }) => [buildTableKey(table), [...columns]]));
    async function* readRows(): AsyncGenerator<TransferRow> {
      const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
      for await (const values of readArchivedRows(site, databases.get('events'))) {
        count('events.events');
        yield ['events.events', values];
      }
      for (const { table, db, columns } of tables) {
        const key = buildTableKey(table);
        for (const values of selectRows(db, table, columns)) {
          count(key);
          yield [key, values];
        }
      }
    }
    for (const db of databases.values()) db.exec('BEGIN');
    const { sha256 } = await writeTransfer(file, { signpost: 'data', version: 1, tables: head }, readRows());
    return { counts, sha256 };
  } finally {
    for (const db of databases.values()) db.close();
  }
}

/**
 * Adds everything of a file to a site; what is there already stays, so that an import can be repeated. Nothing is
 * written unless the whole file is intact. Counts the events again.
 */
export async function importData(
  site: SiteData & { readonly timeZone: string },
  file: string,
): Promise<{ counts: RowCounts; rows: number }> {
  const content = await checkTransfer(file);
  const tables = new Map(
    Object.entries(content.head.tables)
      // A site without a ledger or operators gets no empty one.
      .filter(([key]) => content.tables.has(key))
      .map(([key, columns]) => [key, { ...findTable(key), columns }]),
  );
  const names = new Set([...tables.values()].map(({ database }) => database));
  const databases = await openForImport(site, names);
  try {
    const inserts = new Map<string, StatementSync>();
    for (const [key, table] of tables) {
      const db = databases.get(table.database);
      if (db !== undefined) inserts.set(key, prepareInsert(db, table));
    }
    const counts = await insertRows(readTransfer(file, content.rows), {
      databases: [...databases.values()],
      inserts,
    });
    const events = databases.get('events');
    if (events !== undefined)
      await rebuildCounts(new SqlRollupStore(new FileExecutor(events), site.timeZone));
    return { counts, rows: content.rows };
  } finally {
    for (const db of databases.values()) db.close();
  }
}

function prepareInsert(
  db: DatabaseSync,
  table: TransferTable & { readonly columns: readonly string[] },
): StatementSync {
  const known = new Set(listColumns(table, (name) => readColumns(db, name)));
  const unknown = table.columns.find((column) => !known.has(column));
  if (unknown !== undefined) {
    throw new Error(
      `${buildTableKey(table)} has the unknown column ${JSON.stringify(unknown)}: use a newer program.`,
    );
  }
  return db.prepare(buildInsert(table, table.columns));
}

async function insertRows(
  rows: AsyncIterable<TransferRow>,
  target: {
    readonly databases: readonly DatabaseSync[];
    readonly inserts: ReadonlyMap<string, StatementSync>;
  },
): Promise<RowCounts> {
  const counts = new Map<string, number>();
  const runAll = (sql: string) => {
    for (const db of target.databases) db.exec(sql);
  };
  let open = 0;
  runAll('BEGIN IMMEDIATE');
  for await (const [key, values] of rows) {
    const changes = Number(target.inserts.get(key)?.run(...values).changes ?? 0);
    counts.set(key, (counts.get(key) ?? 0) + changes);
    if (++open % ROWS_PER_COMMIT === 0) runAll('COMMIT; BEGIN IMMEDIATE');
  }
  runAll('COMMIT');
  return counts;
}

function* selectRows(
  db: DatabaseSync,
  { name, order, where = 'true' }: TransferTable,
  columns: readonly string[],
): Generator<TransferRow[1]> {
  const statement = db.prepare(`SELECT ${columns.join(', ')} FROM ${name} WHERE ${where} ORDER BY ${order}`);
  for (const row of statement.iterate()) {
    yield columns.map((column) => {
      const value = row[column] ?? null;
      if (value === null || typeof value === 'string' || typeof value === 'number') return value;
      throw new Error(`${name}.${column} has a value that cannot be moved.`);
    });
  }
}

function readColumns(db: DatabaseSync, table: string): readonly string[] {
  const rows = db.prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid').all(table);
  return rows.map((row) => String(row['name']));
}

function findTable(key: string): TransferTable {
  const table = TRANSFER_TABLES.find((one) => buildTableKey(one) === key);
  if (table === undefined)
    throw new Error(`The file has the unknown table ${JSON.stringify(key)}: use a newer program.`);
  return table;
}

/** Builds the lines that say how many rows of each table moved. */
export function describeCounts(counts: RowCounts): string {
  const isNamed = (key: string, database: DatabaseName) => key.startsWith(`${database}.`);
  return DATABASES.flatMap((database) => [...counts].filter(([key]) => isNamed(key, database)))
    .map(([key, count]) => `${String(count).padStart(10)}  ${key}\n`)
    .join('');
}
