import { createHash, hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { parseJson } from '../core/text/parse-text.ts';
import { parseArchiveName } from './archive-name.ts';
import { ARCHIVE_FOLDER } from './folder-archive.ts';
import { CONSOLE_FILE, LEDGER_FILE, OUTBOX_FILE } from './node-databases.ts';
import { readSchemaVersion, refuseNewer } from './sql/migrate.ts';
import { DATABASE_FILE, MIGRATIONS } from './sql/node-sqlite/node-sqlite-executor.ts';

/** The databases of a data folder whose rows are copied, in this order: money first. */
export const COPIED_DATABASES = {
  commissions: { file: LEDGER_FILE, migrations: path.join(MIGRATIONS, 'commissions') },
  console: { file: CONSOLE_FILE, migrations: path.join(MIGRATIONS, 'console') },
  notifications: { file: OUTBOX_FILE, migrations: path.join(MIGRATIONS, 'notifications') },
  events: { file: DATABASE_FILE, migrations: MIGRATIONS },
} as const;

export type CopiedDatabase = keyof typeof COPIED_DATABASES;
export const COPIED_NAMES = Object.keys(COPIED_DATABASES) as readonly CopiedDatabase[];

/** The tables that are not copied, and why. Every other one is, also one that a later migration adds. */
export const UNCOPIED_TABLES: ReadonlyMap<string, string> = new Map([
  ['commissions.leases', 'held by a process that is gone after a restore'],
  ['commissions.store_probe', 'written to see whether the disk takes it'],
  ['commissions.folded_commissions', 'folded from the messages, which are copied'],
  ['commissions.fold_marks', 'what is to be folded, which a restore notes itself'],
  ['commissions.label_marks', 'what is to be credited, as the fold notes it'],
  ['commissions.fold_clicks', 'empty outside of a transaction'],
  ['commissions.fold_rows', 'empty outside of a transaction'],
  ['commissions.fold_versions', 'of the folded commissions'],
  ['commissions.fold_days', 'of the folded commissions'],
  ...['visits', 'cells', 'days', 'spreads', 'dues'].map(
    (name) => [`commissions.commission_${name}`, 'computed with the folded commissions'] as const,
  ),
  ['commissions.link_hosts', 'when a host may be requested again, and its robots.txt'],
  ['console.setups', 'one-time addresses, valid for minutes'],
  ['console.temporary_values', 'valid for minutes'],
  ['console.attempts', 'limits of sign-ins, of minutes'],
  ['notifications.leases', 'held by a process that is gone after a restore'],
  ['events.store_probe', 'written to see whether the disk takes it'],
]);

/** Files of a data folder that are copied whole when they change, beside those of the archive. */
const COPIED_FILES = [
  'network-secrets.json',
  'last-content.json',
  'first-start.json',
  'sample-data.json',
] as const;

/** A table that is copied. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** Whether new rows are found by their number, which grows; false: a trigger notes them. */
  readonly isNumbered: boolean;
}

/** What a column holds. No copied table has a column of bytes. */
export type CopiedValue = string | number | null;

const isCopiedValue = (value: unknown): value is CopiedValue =>
  value === null || typeof value === 'string' || typeof value === 'number';

/** Tables with a number first: what counts their rows, such as the position of the counts, never comes before them. */
const SELECT_TABLES = `SELECT name, sql LIKE '%AUTOINCREMENT%' AS isNumbered,
    (SELECT json_group_array(name ORDER BY cid) FROM pragma_table_info(tables.name)) AS columns,
    (SELECT json_group_array(name ORDER BY pk) FROM pragma_table_info(tables.name) WHERE pk > 0) AS key
  FROM sqlite_schema AS tables WHERE type = 'table' AND name NOT LIKE 'sqlite^_%' ESCAPE '^'
    AND name NOT LIKE 'copy^_%' ESCAPE '^' ORDER BY isNumbered DESC, rowid`;
const namesSchema = z.preprocess(parseJson, z.array(z.string()));

/** Reads the tables of an open database that are copied. */
export const listCopiedTables = (db: DatabaseSync, database: CopiedDatabase): readonly CopiedTable[] =>
  db
    .prepare(SELECT_TABLES)
    .all()
    .map(({ name, columns, key, isNumbered }) => ({
      name: String(name),
      isNumbered: isNumbered === 1,
      columns: namesSchema.parse(columns),
      key: namesSchema.parse(key),
    }))
    .filter(({ name }) => !UNCOPIED_TABLES.has(`${database}.${name}`));

const list = (values: readonly unknown[]) => `(${values.map(() => '?').join(', ')})`;

/** Reads the row with a key, as values in the order of the table's columns; none when it is gone. */
export const readRow = (db: DatabaseSync, table: CopiedTable, key: readonly CopiedValue[]) =>
  readRows(db, table, `(${table.key.join()}) = ${list(key)}`, key);

/** Reads rows in the order of their keys: the first ones, or those after a key. */
export function readRowsAfter(
  db: DatabaseSync,
  table: CopiedTable,
  after: readonly CopiedValue[],
  limit: number,
): CopiedValue[][] {
  const condition = after.length === 0 ? 'true' : `(${table.key.join()}) > ${list(after)}`;
  return readRows(db, table, `${condition} ORDER BY ${table.key.join()} LIMIT ${limit}`, after);
}

/** Preparing a statement takes longer than reading a row. */
const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

function readRows(
  db: DatabaseSync,
  { name, columns }: CopiedTable,
  condition: string,
  values: readonly CopiedValue[],
): CopiedValue[][] {
  const sql = `SELECT ${columns.join()} FROM ${name} WHERE ${condition}`;
  const prepared = statements.get(db) ?? new Map<string, StatementSync>();
  const statement = prepared.get(sql) ?? db.prepare(sql);
  statements.set(db, prepared.set(sql, statement));
  statement.setReturnArrays(true);
  const rows: readonly unknown[] = statement.all(...values);
  return rows.map((row) => {
    if (Array.isArray(row) && row.every(isCopiedValue)) return row;
    throw new Error(`${name} has a value that cannot be copied`);
  });
}

/** Takes the values of a row's key. */
export const takeKey = ({ columns, key }: CopiedTable, row: readonly CopiedValue[]): CopiedValue[] =>
  key.map((column) => row[columns.indexOf(column)] ?? null);

/** Names the database, to notice that another one is in its place. */
const ORIGIN = 'CREATE TABLE copy_origin (id TEXT NOT NULL) STRICT';
/**
 * Notes of what was changed and removed since it was copied: one for each row, so that they do not grow however long
 * they wait.
 */
const NOTES = `CREATE TABLE IF NOT EXISTS copy_notes (
    number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, key TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS copy_notes_by_key ON copy_notes (name, key);
  ${ORIGIN.replace('TABLE', 'TABLE IF NOT EXISTS')};
  INSERT INTO copy_origin SELECT lower(hex(randomblob(8))) WHERE NOT EXISTS (SELECT 1 FROM copy_origin)`;

/** The triggers that note a change. A statement's own conflict clause would replace one of the trigger. */
function buildTriggers({ name: table, key, isNumbered }: CopiedTable) {
  const note = (row: 'NEW' | 'OLD') => {
    const value = `json_array(${key.map((column) => `${row}.${column}`).join(', ')})`;
    return `DELETE FROM copy_notes WHERE name = '${table}' AND key = ${value};
      INSERT INTO copy_notes (name, key) VALUES ('${table}', ${value});`;
  };
  const build = (suffix: string, verb: string, body: string) => {
    const name = `copy_${table}_${suffix}`;
    return { name, sql: `CREATE TRIGGER ${name} AFTER ${verb} ON ${table} BEGIN ${body} END` };
  };
  const always = [
    build('changed', 'UPDATE', note('OLD') + note('NEW')),
    build('removed', 'DELETE', note('OLD')),
  ];
  return isNumbered ? always : [...always, build('added', 'INSERT', note('NEW'))];
}

/** A database of the site that is read for the copy, while the site writes to it. */
export class CopiedSource {
  readonly database: CopiedDatabase;
  readonly db: DatabaseSync;
  readonly version: number;
  readonly origin: string;
  readonly tables: readonly CopiedTable[];
  readonly #identity: string;
  readonly #schema: number;
  #seen = -1;

  /** Opens a database, and prepares it to note changes. Throws when it cannot, or a newer program has written it. */
  constructor(dataDir: string, database: CopiedDatabase) {
    const { file, migrations } = COPIED_DATABASES[database];
    const place = path.join(dataDir, file);
    this.database = database;
    this.#identity = identify(place);
    // The site writes the log back: a checkpoint of another connection makes it read every page, to find damage.
    // Without its own fsync: the notes that are removed are not missed, and a commit of the site includes them.
    this.db = new DatabaseSync(place, { timeout: 5_000 });
    try {
      this.db.exec(
        'PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA cache_size = -512; PRAGMA wal_autocheckpoint = 0',
      );
      refuseNewer(this.db, migrations);
      // In one transaction: a migration between two of these would never be noticed, and its tables not be copied.
      this.db.exec('BEGIN');
      if (!this.#isPrepared()) this.#prepare();
      this.tables = listCopiedTables(this.db, database);
      this.version = readSchemaVersion(this.db);
      this.origin = String(this.db.prepare('SELECT id FROM copy_origin').get()?.['id']);
      this.#schema = this.#readPragma('schema_version');
      this.db.exec('COMMIT');
    } catch (error) {
      this.db.close();
      throw error;
    }
  }

  #listTriggers() {
    return listCopiedTables(this.db, this.database).flatMap(buildTriggers);
  }

  #isPrepared(): boolean {
    const known = this.db.prepare('SELECT sql FROM sqlite_schema').all();
    const all = new Set(known.map(({ sql }) => sql));
    return this.#listTriggers().every(({ sql }) => all.has(sql)) && all.has(ORIGIN);
  }

  #prepare(): void {
    this.db.exec(`COMMIT; BEGIN IMMEDIATE; ${NOTES}`);
    for (const { name, sql } of this.#listTriggers()) this.db.exec(`DROP TRIGGER IF EXISTS ${name}; ${sql}`);
  }

  /** Whether the file is still the one that was opened, with the same tables. */
  isCurrent(dataDir: string): boolean {
    const place = path.join(dataDir, COPIED_DATABASES[this.database].file);
    return identify(place) === this.#identity && this.#readPragma('schema_version') === this.#schema;
  }

  /** Whether anything was committed since the last time that this was asked. */
  hasChanged(): boolean {
    const seen = this.#readPragma('data_version');
    const isChanged = seen !== this.#seen;
    this.#seen = seen;
    return isChanged;
  }

  /** The highest number that a numbered table or the notes have ever given: SQLite notes those of inserted rows alone. */
  readNumber(table: string): number {
    const given = 'SELECT seq AS number FROM sqlite_sequence WHERE name = ?';
    const sql = `SELECT max(number) AS number FROM (${given} UNION ALL SELECT max(rowid) FROM ${table})`;
    return Number(this.db.prepare(sql).get(table)?.['number'] ?? 0);
  }

  /** Removes notes of what is copied. */
  removeNotes(upTo: number): void {
    if (this.db.prepare('SELECT 1 FROM copy_notes WHERE number <= ?').get(upTo) === undefined) return;
    this.db.prepare('DELETE FROM copy_notes WHERE number <= ?').run(upTo);
  }

  #readPragma(name: 'schema_version' | 'data_version'): number {
    return Number(this.db.prepare(`PRAGMA ${name}`).get()?.[name]);
  }

  close(): void {
    this.db.close();
  }
}

/** Ends the notes in the databases of a folder whose copy was turned off: nothing would ever remove them. */
export function stopNotes(dataDir: string): void {
  for (const { file } of Object.values(COPIED_DATABASES)) {
    const place = path.join(dataDir, file);
    if (!existsSync(place)) continue;
    const db = new DatabaseSync(place, { timeout: 5_000 });
    const sql =
      "SELECT type, name FROM sqlite_schema WHERE name LIKE 'copy^_%' ESCAPE '^' AND type <> 'index' ORDER BY type DESC";
    for (const { type, name } of db.prepare(sql).all()) db.exec(`DROP ${String(type)} ${String(name)}`);
    db.close();
  }
}

/** Identifies a file, to notice that another one is in its place; empty without one. */
function identify(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.dev}:${stats.ino}`;
}

/** The files that are copied, with what changes when they do. An archived file never changes under its name. */
export function listCopiedFiles(dataDir: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const name of COPIED_FILES) {
    const stats = statSync(path.join(dataDir, name), { throwIfNoEntry: false });
    if (stats?.isFile()) files.set(name, `${stats.size}:${stats.mtimeMs}:${stats.ino}`);
  }
  const archive = path.join(dataDir, ARCHIVE_FOLDER);
  if (existsSync(archive))
    for (const name of readdirSync(archive))
      if (parseArchiveName(name) !== null) files.set(`${ARCHIVE_FOLDER}/${name}`, '');
  return files;
}

/** The size of the copied databases and files, in bytes. */
export function readCopiedBytes(dataDir: string): number {
  const databases = Object.values(COPIED_DATABASES).flatMap(({ file }) => [file, `${file}-wal`]);
  return [...databases, ...listCopiedFiles(dataDir).keys()]
    .map((name) => statSync(path.join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

/** Whether a copy may write a file of this name into a data folder. */
export function isCopiedFile(name: string): boolean {
  const [folder, file = '', ...rest] = name.split('/');
  if (COPIED_FILES.some((known) => known === name)) return true;
  return folder === ARCHIVE_FOLDER && rest.length === 0 && parseArchiveName(file) !== null;
}

/** Rows that are read without a pause. */
const ROWS_PER_TURN = 1_000;
const pause = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Hashes what is copied of a data folder, by table and by file, with pauses for other work of the thread. `opened`:
 * connections to its databases, which see them as they were at one moment; opened here when left out.
 */
export async function hashCopied(
  dataDir: string,
  opened?: ReadonlyMap<string, { readonly db: DatabaseSync }>,
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const name of listCopiedFiles(dataDir).keys()) {
    hashes.set(name, hash('sha256', readFileSync(path.join(dataDir, name))));
    await pause();
  }
  for (const database of COPIED_NAMES) {
    const file = path.join(dataDir, COPIED_DATABASES[database].file);
    if (opened === undefined ? !existsSync(file) : !opened.has(database)) continue;
    const db = opened?.get(database)?.db ?? new DatabaseSync(file, { readOnly: true });
    for (const { name, columns, key } of listCopiedTables(db, database)) {
      const sum = createHash('sha256');
      let rows = 0;
      const statement = db.prepare(`SELECT ${columns.join()} FROM ${name} ORDER BY ${key.join()}`);
      for (const row of statement.iterate()) {
        sum.update(`${JSON.stringify(Object.values(row))}\n`);
        if (++rows % ROWS_PER_TURN === 0) await pause();
      }
      hashes.set(`${database}.${name}`, `${rows} rows, ${sum.digest('hex')}`);
    }
    if (opened === undefined) db.close();
  }
  return hashes;
}
