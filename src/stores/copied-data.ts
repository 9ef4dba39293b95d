import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
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

/** Reads the tables of an open database that are copied. */
export function listCopiedTables(db: DatabaseSync, database: CopiedDatabase): readonly CopiedTable[] {
  const sql = `SELECT name, sql FROM sqlite_schema
    WHERE type = 'table' AND name NOT LIKE 'sqlite^_%' ESCAPE '^' AND name NOT LIKE 'copy^_%' ESCAPE '^' ORDER BY rowid`;
  const tables = db
    .prepare(sql)
    .all()
    .flatMap(({ name, sql: definition }): CopiedTable[] => {
      if (UNCOPIED_TABLES.has(`${database}.${String(name)}`)) return [];
      const columns = db.prepare('SELECT name, pk FROM pragma_table_info(?) ORDER BY cid').all(String(name));
      const key = columns
        .filter(({ pk }) => pk !== 0)
        .sort((one, other) => Number(one['pk']) - Number(other['pk']));
      return [
        {
          name: String(name),
          columns: columns.map((column) => String(column['name'])),
          key: key.map((column) => String(column['name'])),
          isNumbered: String(definition).includes('AUTOINCREMENT'),
        },
      ];
    });
  // Rows with a number first: what counts them, such as the position of the counts, never comes before them.
  return [
    ...tables.filter(({ isNumbered }) => isNumbered),
    ...tables.filter(({ isNumbered }) => !isNumbered),
  ];
}

/** Reads rows of a table as values, in the order of its columns. */
export function readCopiedRows(
  db: DatabaseSync,
  { name, columns, key }: CopiedTable,
  condition: string,
  ...values: readonly SQLInputValue[]
): CopiedValue[][] {
  const sql = `SELECT ${columns.join(', ')} FROM ${name} WHERE ${condition.replaceAll('KEY', `(${key.join(', ')})`)}`;
  const statement = db.prepare(sql);
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

/** The condition that a row has the values of a key. */
export const isKey = (key: readonly unknown[]): string => `KEY = (${key.map(() => '?').join(', ')})`;

/**
 * Notes of what was changed and removed since it was copied: one for each row, so that they do not grow however long
 * they wait. `copy_origin` names the database, to notice that another one is in its place.
 */
const NOTES = `CREATE TABLE IF NOT EXISTS copy_notes (
    number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, key TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS copy_notes_by_key ON copy_notes (name, key);
  CREATE TABLE IF NOT EXISTS copy_origin (id TEXT NOT NULL) STRICT;
  INSERT INTO copy_origin SELECT lower(hex(randomblob(8))) WHERE NOT EXISTS (SELECT 1 FROM copy_origin)`;

/** The statements that note a change. A statement's own conflict clause would replace one of the trigger. */
function buildTriggers({ name, key, isNumbered }: CopiedTable): ReadonlyMap<string, string> {
  const build = (row: 'NEW' | 'OLD') => {
    const value = `json_array(${key.map((column) => `${row}.${column}`).join(', ')})`;
    return `DELETE FROM copy_notes WHERE name = '${name}' AND key = ${value};
      INSERT INTO copy_notes (name, key) VALUES ('${name}', ${value});`;
  };
  const triggers: [string, string, string][] = [
    ['changed', 'UPDATE', build('OLD') + build('NEW')],
    ['removed', 'DELETE', build('OLD')],
    ...(isNumbered ? [] : [['added', 'INSERT', build('NEW')] satisfies [string, string, string]]),
  ];
  return new Map(
    triggers.map(([suffix, verb, body]) => [
      `copy_${name}_${suffix}`,
      `CREATE TRIGGER copy_${name}_${suffix} AFTER ${verb} ON ${name} BEGIN ${body} END`,
    ]),
  );
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
      this.tables = listCopiedTables(this.db, database);
      this.#prepare();
      this.version = readSchemaVersion(this.db);
      this.origin = String(this.db.prepare('SELECT id FROM copy_origin').get()?.['id']);
      this.#schema = this.#readPragma('schema_version');
    } catch (error) {
      this.db.close();
      throw error;
    }
  }

  #prepare(): void {
    const wanted = new Map(this.tables.flatMap((table) => [...buildTriggers(table)]));
    const known = this.db
      .prepare("SELECT name, sql FROM sqlite_schema WHERE name LIKE 'copy^_%' ESCAPE '^'")
      .all();
    const isRight = [...wanted].every(([name, sql]) =>
      known.some((one) => one['name'] === name && one['sql'] === sql),
    );
    if (isRight && known.some(({ name }) => name === 'copy_origin')) return;
    this.db.exec('BEGIN IMMEDIATE');
    this.db.exec(NOTES);
    for (const [name, sql] of wanted) this.db.exec(`DROP TRIGGER IF EXISTS ${name}; ${sql}`);
    this.db.exec('COMMIT');
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

  /** The highest number that a numbered table or the notes have ever given. */
  readNumber(table: string): number {
    return Number(this.db.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.['seq'] ?? 0);
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

/**
 * Hashes what is copied of a data folder, by table and by file, with pauses for other work of the thread. `opened`:
 * connections to its databases, which see them as they were at one moment; opened here when left out.
 */
export async function hashCopied(
  dataDir: string,
  opened?: ReadonlyMap<string, { readonly db: DatabaseSync }>,
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const name of listCopiedFiles(dataDir).keys())
    hashes.set(
      name,
      createHash('sha256')
        .update(readFileSync(path.join(dataDir, name)))
        .digest('hex'),
    );
  for (const database of COPIED_NAMES) {
    const file = path.join(dataDir, COPIED_DATABASES[database].file);
    if (opened === undefined ? !existsSync(file) : !opened.has(database)) continue;
    const db = opened?.get(database)?.db ?? new DatabaseSync(file, { readOnly: true });
    for (const { name, columns, key } of listCopiedTables(db, database)) {
      const hash = createHash('sha256');
      let rows = 0;
      const statement = db.prepare(`SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${key.join(', ')}`);
      for (const row of statement.iterate()) {
        hash.update(`${JSON.stringify(Object.values(row))}\n`);
        if (++rows % ROWS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      hashes.set(`${database}.${name}`, `${rows} rows, ${hash.digest('hex')}`);
    }
    if (opened === undefined) db.close();
  }
  return hashes;
}
