import type { SiteEvent } from '../../core/events/site-event.ts';
import { type EventArchive, EventArchiver, unpackEvents } from '../../stores/archive.ts';
import { buildEventValues, EVENT_COLUMNS } from '../../stores/events.ts';
import { Rollups } from '../../stores/rollups.ts';
import { parseSqliteErrorKind } from '../../stores/sql/node-sqlite/sqlite-error.ts';
import {
  SqlError,
  type SqlExecutor,
  type SqlRow,
  type SqlStatement,
  type SqlValue,
} from '../../stores/sql/sql-executor.ts';
import { batchCounted } from '../../stores/sql/statements.ts';
import { rebuildCounts } from '../events.ts';
import {
  checkTransfer,
  readTransfer,
  type TransferRow,
  type TransferValues,
  writeTransfer,
} from './transfer-file.ts';

/** The databases of a site. */
export const DATABASES = ['events', 'commissions', 'console', 'notifications', 'articles'] as const;
export type DatabaseName = (typeof DATABASES)[number];

/** A table that moves with the site. */
export interface TransferTable {
  readonly database: DatabaseName;
  readonly name: string;
  /** Numbers the rows in the order of arrival; the target numbers them itself, in the same order. */
  readonly sequence?: string;
  readonly order: string;
  /**
   * What happens to a row whose key is in the target: `keep` keeps the target's, `replace` takes the new one. `add`:
   * the table has no key, a row is added unless an equal one is there.
   */
  readonly known: 'keep' | 'replace' | 'add';
  /** Which rows move; all when left out. */
  readonly where?: string;
}

/**
 * Counts of days whose events were removed, which cannot be counted again. The day of the oldest event and the next one
 * are included, because days are those of a time zone.
 */
const UNCOUNTABLE = `day <= (SELECT date(min(server_time) / 1000, 'unixepoch', '+1 day') FROM events)
  OR NOT EXISTS (SELECT 1 FROM events)`;

/** The tables that move, in this order. Leases, probes, one-time addresses and temporary values of the console stay. */
export const TRANSFER_TABLES: readonly TransferTable[] = [
  { database: 'events', name: 'events', sequence: 'seq', order: 'seq', known: 'keep' },
  { database: 'events', name: 'contact_message_states', order: 'id', known: 'keep' },
  { database: 'events', name: 'rollups', order: 'dimension, day, key', known: 'keep', where: UNCOUNTABLE },
  { database: 'events', name: 'crawler_requests', order: 'day, agent, page', known: 'keep' },
  { database: 'commissions', name: 'facts', sequence: 'sequence', order: 'sequence', known: 'keep' },
  { database: 'commissions', name: 'decisions', sequence: 'sequence', order: 'sequence', known: 'add' },
  { database: 'commissions', name: 'journeys', sequence: 'sequence', order: 'sequence', known: 'keep' },
  { database: 'commissions', name: 'label_days', sequence: 'sequence', order: 'sequence', known: 'keep' },
  { database: 'commissions', name: 'imports', sequence: 'sequence', order: 'sequence', known: 'add' },
  { database: 'commissions', name: 'costs', sequence: 'sequence', order: 'sequence', known: 'keep' },
  { database: 'commissions', name: 'cost_entries', sequence: 'sequence', order: 'sequence', known: 'add' },
  { database: 'commissions', name: 'cost_campaigns', order: 'platform, name', known: 'replace' },
  {
    database: 'commissions',
    name: 'arrivals',
    order: 'partner, account, currency, due_day',
    known: 'replace',
  },
  { database: 'commissions', name: 'expenses', order: 'id', known: 'replace' },
  { database: 'commissions', name: 'raw_messages', order: 'id', known: 'keep' },
  { database: 'commissions', name: 'unread_messages', order: 'id', known: 'keep' },
  { database: 'commissions', name: 'exchange_rates', order: 'day, base, origin', known: 'replace' },
  { database: 'commissions', name: 'links', order: 'url', known: 'replace' },
  { database: 'commissions', name: 'link_checks', order: 'id', known: 'keep' },
  { database: 'commissions', name: 'state', order: 'key', known: 'replace' },
  {
    database: 'commissions',
    name: 'analytics_messages',
    order: 'partner, account, native_id, name',
    known: 'keep',
  },
  { database: 'console', name: 'operators', order: 'id', known: 'keep' },
  { database: 'console', name: 'passkeys', order: 'id', known: 'keep' },
  { database: 'console', name: 'sessions', order: 'id', known: 'keep' },
  { database: 'console', name: 'share_links', order: 'id', known: 'keep' },
  { database: 'console', name: 'preferences', order: 'name', known: 'replace' },
  { database: 'console', name: 'snoozed_tasks', order: 'key', known: 'replace' },
  { database: 'console', name: 'payees', order: 'id', known: 'replace' },
  { database: 'console', name: 'content_versions', order: 'file, number', known: 'keep' },
  { database: 'console', name: 'working_copies', order: 'file, operator', known: 'keep' },
  { database: 'console', name: 'activity', sequence: 'number', order: 'number', known: 'add' },
  { database: 'notifications', name: 'deliveries', order: 'id, channel', known: 'keep' },
  { database: 'notifications', name: 'state', order: 'key', known: 'replace' },
  { database: 'articles', name: 'articles', order: 'slug', known: 'keep' },
  { database: 'articles', name: 'pages', order: 'rowid', known: 'keep' },
];

/** The name of a table in a transfer file. */
export function buildTableKey({ database, name }: TransferTable): string {
  return `${database}.${name}`;
}

export function listColumns({ sequence }: TransferTable, columns: readonly string[]): string[] {
  return columns.filter((column) => column !== sequence);
}

/** The data of a site, on Node or on Workers. */
export interface TransferSite {
  readonly databases: ReadonlyMap<DatabaseName, SqlExecutor>;
  readonly archive: EventArchive;
  close(): Promise<void>;
}

/** Opens the data of one site. */
export interface SiteOpener {
  /** Opens the databases that are there, for reading. Throws without any. */
  openForExport(): Promise<TransferSite>;
  /** Opens databases for writing, or creates them; leaves out copies of articles that the site does not have. */
  openForImport(names: ReadonlySet<DatabaseName>): Promise<TransferSite>;
}

/** What a page should have: D1 sends it in one piece. */
const PAGE_BYTES = 1_000_000;
const PAGE_ROWS = { first: 100, max: 5_000 };

/** Reads the rows of a table in their order, a page at a time, because D1 has no cursors. */
export async function* selectRows(
  database: SqlExecutor,
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
    const values = rows.map((row) => columns.map((column) => readTransferValue(row, name, column)));
    yield* values;
    const end = rows.at(-1);
    if (end === undefined || rows.length < limit) return;
    last = keys.map((_, index) => end[`key${index}`] ?? null);
    const bytes = values.flat().reduce<number>((sum, value) => sum + (String(value).length || 0), 1);
    limit = Math.min(PAGE_ROWS.max, Math.max(1, Math.floor((PAGE_BYTES / bytes) * rows.length)));
  }
}

/** Reads a value that a transfer can have. Throws for others. */
export function readTransferValue(row: SqlRow, table: string, column: string): TransferValues[number] {
  const value = row[column] ?? null;
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new Error(`${table}.${column} has a value that cannot be moved.`);
}

async function readColumns(database: SqlExecutor, table: string): Promise<readonly string[]> {
  const sql = 'SELECT name FROM pragma_table_info(?) ORDER BY cid';
  return (await database.query({ sql, values: [table] })).map(({ name }) => String(name));
}

/** Rows of one transaction. D1 takes 2 MB in one value, which has the rows as JSON. */
const CHUNK = { rows: 2_000, length: 400_000 };
/** Statements of one transaction: the free plan of D1 allows 50 for each call, and each is followed by its count. */
const MAX_STATEMENTS = 25;

/** Collects rows of a table and inserts them in transactions. */
class RowInserter {
  readonly #database: SqlExecutor;
  readonly #table: TransferTable;
  readonly #columns: readonly string[];
  readonly #isJoined: boolean;
  #rows: TransferValues[] = [];
  #length = 0;
  #added = 0;
  /** Joined rows that the target cannot have, because something has changed them. */
  refused = 0;

  /** `isJoined`: rows of a database that was moved away: what the target has stays. */
  constructor(database: SqlExecutor, table: TransferTable, columns: readonly string[], isJoined: boolean) {
    this.#database = database;
    this.#table = table;
    this.#columns = columns;
    this.#isJoined = isJoined;
  }

  async add(values: TransferValues): Promise<void> {
    this.#rows.push(values);
    for (const value of values) this.#length += typeof value === 'string' ? value.length : 8;
    const maxRows = this.#table.known === 'add' ? MAX_STATEMENTS : CHUNK.rows;
    if (this.#rows.length >= maxRows || this.#length >= CHUNK.length) await this.flush();
  }

  /** Inserts what is left; resolves with the number of rows that were not there before. */
  async flush(): Promise<number> {
    if (this.#rows.length > 0) {
      const rows = this.#rows;
      [this.#rows, this.#length] = [[], 0];
      this.#added += await this.#insert(rows);
    }
    return this.#added;
  }

  async #insert(rows: readonly TransferValues[]): Promise<number> {
    try {
      return await batchCounted(this.#database, this.#buildStatements(rows));
    } catch (error) {
      const isRefused = error instanceof SqlError && parseSqliteErrorKind(error.cause) === 'invalid';
      if (!this.#isJoined || !isRefused) throw error;
    }
    let added = 0;
    if (rows.length === 1) this.refused += 1;
    else for (const row of rows) added += await this.#insert([row]);
    return added;
  }

  #buildStatements(rows: readonly TransferValues[]): SqlStatement[] {
    const { name, known } = this.#table;
    const list = this.#columns.join(', ');
    if (known === 'add') {
      const equal = this.#columns.map((column, index) => `${column} IS ?${index + 1}`).join(' AND ');
      const values = this.#columns.map((_, index) => `?${index + 1}`).join(', ');
      const sql = `INSERT INTO ${name} (${list}) SELECT ${values} WHERE NOT EXISTS (SELECT 1 FROM ${name} WHERE ${equal})`;
      return rows.map((row) => ({ sql, values: row }));
    }
    const values = this.#columns.map((_, index) => `value ->> '$[${index}]'`).join(', ');
    const verb = known === 'keep' || this.#isJoined ? 'INSERT OR IGNORE' : 'INSERT OR REPLACE';
    const sql = `${verb} INTO ${name} (${list}) SELECT ${values} FROM json_each(?) ORDER BY key`;
    return [{ sql, values: [JSON.stringify(rows)] }];
  }
}

/** Reads the archived events of a site, each file once however often it is called. */
function createArchiveReader({ databases, archive }: TransferSite): () => AsyncGenerator<SiteEvent> {
  const done = new Set<string>();
  return async function* readNew() {
    const events = databases.get('events');
    if (events === undefined) return;
    // A database of an older version has no archive.
    const sql = "SELECT 1 FROM sqlite_master WHERE name = 'archive_state'";
    if ((await events.query({ sql })).length === 0) return;
    for (const { name } of await new EventArchiver(events, archive).list()) {
      if (done.has(name)) continue;
      done.add(name);
      const content = await archive.read(name);
      if (content === null) {
        throw new Error(`The archived file ${name} is missing: put it back, or restore it from a backup.`);
      }
      yield* await unpackEvents(name, content);
    }
  };
}

async function readArchivedIds(site: TransferSite): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { id } of createArchiveReader(site)()) ids.add(id);
  return ids;
}

const EVENTS = 'events.events';
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
    const present = keys.map((key) => [key, content.head.tables[key] ?? []] as const);
    const counts = await insertRows(site, present, readTransfer(file, content.rows));
    const events = site.databases.get('events');
    if (events !== undefined) {
      const rollups = new Rollups(events, timeZone);
      // The counts in the file have the events of their days, also those that are in it.
      await rollups.keep(await rollups.readKept());
      await rebuildCounts(rollups);
    }
    return { counts, rows: content.rows };
  } finally {
    await site.close();
  }
}

/**
 * Adds the rows of a database that was moved away to the one that went on, whose own rows stay: again, nothing is added. Days
 * up to `keptDay` (as `Rollups.readKept` has it) keep their counts; the events of the others are counted again. Resolves with
 * how many rows of each table were not there, and how many could not be added.
 */
export async function joinRows(
  opener: SiteOpener,
  timeZone: string,
  tables: readonly TableColumns[],
  rows: Iterable<TransferRow>,
  kept: { readonly day: string; readonly archivedBefore: number },
): Promise<{ counts: RowCounts; refused: number }> {
  const site = await opener.openForImport(new Set(tables.map(([key]) => findTable(key).database)));
  try {
    const events = site.databases.get('events');
    const rollups = events && new Rollups(events, timeZone);
    // Before the events, which a running site counts at once.
    await rollups?.keep(kept.day);
    const archived = 'UPDATE archive_state SET archived_before = max(archived_before, ?)';
    await events?.batch([{ sql: archived, values: [kept.archivedBefore] }]);
    const refusals = { count: 0 };
    const counts = await insertRows(site, tables, rows, refusals);
    if (rollups !== undefined) await rebuildCounts(rollups);
    return { counts, refused: refusals.count };
  } finally {
    await site.close();
  }
}

const OPERATORS = 'console.operators';

/** What the roles of operators in files of earlier versions have become: see migrations/console/0007_capabilities.sql. */
const parseRole = (role: TransferValues[number]) =>
  role === 'owner' ? 'money content publish manage' : 'money';

/** A table by its key in a transfer file, and its columns. */
export type TableColumns = readonly [key: string, columns: readonly string[]];

/** `refusals`: counts rows that the target cannot have, which are left out; without it, one of them ends the import. */
async function insertRows(
  site: TransferSite,
  tables: readonly TableColumns[],
  rows: Iterable<TransferRow> | AsyncIterable<TransferRow>,
  refusals?: { count: number },
): Promise<RowCounts> {
  const inserters = new Map<string, RowInserter>();
  const places = new Map(tables);
  const roleIndex = places.get(OPERATORS)?.indexOf('role') ?? -1;
  for (const [key, given] of tables) {
    const columns = key === OPERATORS ? given.map((one) => (one === 'role' ? 'capabilities' : one)) : given;
    const table = findTable(key);
    const database = site.databases.get(table.database);
    if (database === undefined) continue;
    const known = new Set(listColumns(table, await readColumns(database, table.name)));
    if (known.size === 0) {
      throw new Error(`The target has no table ${key}: signpost edge deploy creates those of a worker.`);
    }
    const unknown = columns.find((column) => !known.has(column));
    if (unknown !== undefined) {
      throw new Error(`${key} has the unknown column ${JSON.stringify(unknown)}: use a newer program.`);
    }
    inserters.set(key, new RowInserter(database, table, columns, refusals !== undefined));
  }
  const archived = await readArchivedIds(site);
  const idIndex = places.get(EVENTS)?.indexOf('id') ?? -1;
  for await (const [key, values] of rows) {
    // What is in the archive stays there.
    if (key === EVENTS && archived.has(String(values[idIndex]))) continue;
    const isOld = key === OPERATORS && roleIndex >= 0;
    await inserters
      .get(key)
      ?.add(isOld ? values.map((value, index) => (index === roleIndex ? parseRole(value) : value)) : values);
  }
  const counts = new Map<string, number>();
  for (const [key, inserter] of inserters) {
    counts.set(key, await inserter.flush());
    if (refusals !== undefined) refusals.count += inserter.refused;
  }
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
