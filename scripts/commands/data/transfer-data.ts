import type { SiteEvent } from '../../../src/core/events/site-event.ts';
import { buildEventValues, EVENT_COLUMNS } from '../../../src/stores/events.ts';
import { SqlRollupStore } from '../../../src/stores/rollups.ts';
import { rebuildCounts } from '../events/counts.ts';
import { RowInserter } from './insert-rows.ts';
import { createArchiveReader, readArchivedIds } from './read-archive.ts';
import { readColumns, selectRows } from './select-rows.ts';
import {
  checkTransfer,
  readTransfer,
  type TransferContent,
  type TransferRow,
  type TransferValues,
  writeTransfer,
} from './transfer-file.ts';
import type { SiteOpener, TransferSite } from './transfer-site.ts';
import {
  buildTableKey,
  DATABASES,
  type DatabaseName,
  listColumns,
  TRANSFER_TABLES,
  type TransferTable,
} from './transfer-tables.ts';

const EVENTS = 'events.events';
/** The columns of an archived event, in the order of its values. */
const COLUMNS: readonly string[] = EVENT_COLUMNS;

/** Rows by table. */
export type RowCounts = ReadonlyMap<string, number>;

/** Writes everything of a site into a file. */
export async function exportData(
  opener: SiteOpener,
  file: string,
): Promise<{ counts: RowCounts; sha256: string }> {
  const site = await opener.openForExport();
  const counts = new Map<string, number>();
  try {
    const head: Record<string, string[]> = {};
    for (const table of TRANSFER_TABLES) {
      const database = site.databases.get(table.database);
      if (database === undefined) continue;
      const columns = listColumns(table, await readColumns(database, table.name));
      // A database of an older version does not have every table.
      if (columns.length > 0) head[buildTableKey(table)] = columns;
    }
    async function* countRows(): AsyncGenerator<TransferRow> {
      for await (const row of readRows(site, head)) {
        counts.set(row[0], (counts.get(row[0]) ?? 0) + 1);
        yield row;
      }
    }
    const { sha256 } = await writeTransfer(file, { signpost: 'data', version: 1, tables: head }, countRows());
    return { counts, sha256 };
  } finally {
    await site.close();
  }
}

async function* readRows(
  site: TransferSite,
  head: Readonly<Record<string, readonly string[]>>,
): AsyncGenerator<TransferRow> {
  const readArchive = createArchiveReader(site);
  for (const table of TRANSFER_TABLES) {
    const key = buildTableKey(table);
    const [database, columns] = [site.databases.get(table.database), head[key]];
    if (database === undefined || columns === undefined) continue;
    if (key === EVENTS) for await (const event of readArchive()) yield [key, buildEventRow(event, columns)];
    for await (const values of selectRows(database, table, columns)) yield [key, values];
    // Events that a running site has archived meanwhile; an import ignores one that comes twice.
    if (key === EVENTS) for await (const event of readArchive()) yield [key, buildEventRow(event, columns)];
  }
}

/** The values of an archived event in the order of the table's columns. */
function buildEventRow(event: SiteEvent, columns: readonly string[]): TransferValues {
  const values = buildEventValues(event);
  return columns.map((column) => {
    const value = values[COLUMNS.indexOf(column)];
    return typeof value === 'string' || typeof value === 'number' ? value : null;
  });
}

/**
 * Adds everything of a file to a site; what is there already stays, so that an import can be repeated. Nothing is
 * written unless the whole file is intact. Counts the events again.
 */
export async function importData(
  opener: SiteOpener,
  timeZone: string,
  file: string,
): Promise<{ counts: RowCounts; rows: number }> {
  const content = await checkTransfer(file);
  // A site without a ledger or operators gets no empty one.
  const keys = Object.keys(content.head.tables).filter((key) => content.tables.has(key));
  const site = await opener.openForImport(new Set(keys.map((key) => findTable(key).database)));
  try {
    const counts = await insertRows(site, content, file);
    const events = site.databases.get('events');
    if (events !== undefined) await rebuildCounts(new SqlRollupStore(events, timeZone));
    return { counts, rows: content.rows };
  } finally {
    await site.close();
  }
}

async function insertRows(site: TransferSite, content: TransferContent, file: string): Promise<RowCounts> {
  const inserters = new Map<string, RowInserter>();
  for (const [key, columns] of Object.entries(content.head.tables)) {
    const table = findTable(key);
    const database = site.databases.get(table.database);
    if (database === undefined || !content.tables.has(key)) continue;
    const known = new Set(listColumns(table, await readColumns(database, table.name)));
    if (known.size === 0) {
      throw new Error(`The target has no table ${key}: npm run edge -- deploy creates those of a worker.`);
    }
    const unknown = columns.find((column) => !known.has(column));
    if (unknown !== undefined) {
      throw new Error(`${key} has the unknown column ${JSON.stringify(unknown)}: use a newer program.`);
    }
    inserters.set(key, new RowInserter(database, table, columns));
  }
  const archived = await readArchivedIds(site);
  const idIndex = content.head.tables[EVENTS]?.indexOf('id') ?? -1;
  for await (const [key, values] of readTransfer(file, content.rows)) {
    // What is in the archive stays there.
    if (key === EVENTS && archived.has(String(values[idIndex]))) continue;
    await inserters.get(key)?.add(values);
  }
  const counts = new Map<string, number>();
  for (const [key, inserter] of inserters) counts.set(key, await inserter.flush());
  return counts;
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
