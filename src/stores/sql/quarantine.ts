import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { nameCommand } from '../../core/text/name-command.ts';
import {
  createPrivateFile,
  createPrivateFolder,
  makePrivate,
  move,
  remove,
  writeNote,
  writePrivateFile,
} from '../disk.ts';
import { readJsonFile } from '../private-files.ts';
import { NewerSchemaError, refuseNewer } from './migrate.ts';
import {
  describeSqliteError,
  parseSqliteErrorKind,
  SHORT_READ,
  UnusableDatabaseError,
} from './node-sqlite/sqlite-error.ts';

/** Databases up to 64 MB are checked page by page when opened (about 0.1 s); larger ones as they are read. */
export const MAX_CHECKED_BYTES = 64 * 1024 * 1024;

/** Follows the name of a database whose file was there once; the file has the numbers that it had. */
export const CREATED_SUFFIX = '.created';

/** The highest number of each table that numbers its rows, as SQLite keeps them; tables of two words follow from others. */
type RowNumbers = Readonly<Record<string, number>>;

/** The numbers that a file notes; none where it is empty or cannot be read. */
export function readNumbers(file: string): RowNumbers {
  const entries = Object.entries(Object(readJsonFile(file)));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])),
  );
}

/** `facts up to 89, journeys up to 12`; empty without any. */
export const describeNumbers = (numbers: RowNumbers): string =>
  Object.entries(numbers)
    .map(([table, number]) => `${table} up to ${number}`)
    .join(', ');

function findNumbers(db: DatabaseSync): RowNumbers {
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").get() === undefined) return {};
  const rows = db.prepare("SELECT name, seq FROM sqlite_sequence WHERE name NOT GLOB '*_*'").all();
  return Object.fromEntries(rows.map(({ name, seq }) => [String(name), Number(seq)]));
}

/**
 * Notes which rows a database has, all of which are on the disk. It may be older after a loss of power: a database has at least
 * what its note says.
 */
export function noteNumbers(db: DatabaseSync, file: string): void {
  const numbers = findNumbers(db);
  if (Object.keys(numbers).length > 0) writeNote(file + CREATED_SUFFIX, JSON.stringify(numbers));
}

/**
 * Compares a database with its note; returns what it lacks, and leaves that beside it for the operator. SQLite takes a log
 * that is gone, cut or older for the end of what was committed.
 */
function noteShortness(db: DatabaseSync, file: string): string {
  const had = readNumbers(file + CREATED_SUFFIX);
  const has = findNumbers(db);
  const lacks = Object.entries(had).flatMap(([table, number]) =>
    (has[table] ?? 0) < number ? [`${table} ends at ${has[table] ?? 0}, had ${number}`] : [],
  );
  if (lacks.length === 0) return '';
  const text = lacks.join(', ');
  writePrivateFile(findFreeName(file, 'short', new Date()), text);
  noteNumbers(db, file);
  return text;
}

/** The database itself and the files that SQLite keeps beside it; the log may hold commits that are nowhere else. */
const SUFFIXES = ['', '-wal', '-shm'];

export interface DatabaseOptions {
  /** Path of the database; it and its folder are created when missing. */
  readonly file: string;
  /** `PRAGMA` statements for every connection. */
  readonly pragmas: string;
  /** Folder of the migrations: a database that a newer program has written is refused, and not touched. */
  readonly migrations: string;
  /** Brings the schema up to date. Throws `UnusableDatabaseError` to have the database replaced by a new one. */
  readonly migrate: (db: DatabaseSync) => void;
  /** ms to wait for a lock of another process. */
  readonly lockWaitMs: number;
  /** Whether every page is read, however large the database is; false when left out. */
  readonly isSuspected?: boolean;
  /** Whether a damaged database is replaced by a new one, instead of being refused; true when left out. */
  readonly isReplaceable?: boolean;
  /** Called when a database that is not replaceable was created. */
  readonly onCreate?: () => void;
  /** Called when a database lacks rows that it had: `facts ends at 69, had 89`. */
  readonly onShort?: (lacks: string) => void;
  /** Called when a database is replaced by a new one, with the path at which the old one is now. */
  readonly onQuarantine: (quarantined: string, reason: string) => void;
}

/** Opens a database in write-ahead mode. One that is damaged or unusable is quarantined and replaced by a new one. */
export function openDatabase(options: DatabaseOptions): DatabaseSync {
  try {
    return openFile(options);
  } catch (error) {
    quarantineDamaged(options, error);
    return openFile(options);
  }
}

/**
 * Quarantines the file of a closed database if an error means damage; leaves it where it is when it is sound after all. Throws
 * when it cannot be read, or must not be replaced.
 */
export function quarantineDamaged(options: DatabaseOptions, error: unknown): void {
  const { file, isReplaceable = true, onQuarantine } = options;
  const damage = confirmDamage(file, error);
  if (damage === null) return;
  if (!isReplaceable) throw explainDamage(file, damage);
  onQuarantine(quarantine(file, new Date()), describeSqliteError(damage));
}

/** Builds the error for a damaged database that must not be replaced. */
export function explainDamage(file: string, damage: UnusableDatabaseError): Error {
  return new UnusableDatabaseError(
    `${file} is damaged (${damage.message}): nothing is read or written until it is restored from a backup`,
  );
}

/** Reads the file anew when an error of SQLite means damage. Returns null when it is sound; throws other errors. */
export function confirmDamage(file: string, error: unknown): UnusableDatabaseError | null {
  if (parseSqliteErrorKind(error) !== 'damaged') throw error;
  // Only this check compares an index with its table; it takes longer.
  return error instanceof UnusableDatabaseError ? error : findDamage(file, 'integrity_check');
}

/**
 * Reads every page on a connection of its own, which has none in its cache. Returns null for a sound database, or the damage
 * if it is found twice. Throws when a page cannot be read: SQLite reports most errors of the disk as damage.
 */
export function findDamage(file: string, check = 'quick_check'): UnusableDatabaseError | null {
  let lines: readonly string[] = [];
  for (let look = 0; look < 2; look++) {
    lines = checkPages(file, check);
    if (lines.length === 0) return null;
    // A page of the schema that cannot be read ends a check, unless it goes on without it.
    if ([...lines, ...checkPages(file, check, 'PRAGMA writable_schema = ON')].some(isReadError))
      throw new Error(
        `${file} cannot be read: its disk reports errors. It stays where it is, and is read again. If this does not end, ` +
          `copy it to another disk, or give up events, mail or copies of articles: ${nameCommand('data quarantine')} ${path.basename(file)}`,
      );
  }
  return new UnusableDatabaseError(lines[0]);
}

/** Whether a line of a check is about an I/O error (SQLITE_IOERR), which it does not throw. */
const isReadError = (line: string) =>
  line.includes('failed to get page') ||
  [...line.matchAll(/error code=(\d+)/g)].some(
    ([, code]) => (Number(code) & 0xff) === 10 && Number(code) !== SHORT_READ,
  );

/** Lists what a check finds after other statements; nothing in a sound database. */
function checkPages(file: string, check: string, before = ''): readonly string[] {
  const lines: string[] = [];
  const db = new DatabaseSync(file, { readOnly: true, defensive: false });
  try {
    db.exec(before);
    for (const row of db.prepare(`PRAGMA ${check}`).iterate()) lines.push(String(row[check]));
  } catch (error) {
    if (parseSqliteErrorKind(error) !== 'damaged') throw error;
    lines.push(describeSqliteError(error));
  } finally {
    closeQuietly(db);
  }
  return lines[0] === 'ok' ? [] : lines;
}

/**
 * Closes a connection. The last one writes the log back, which can fail like any write; the log is read again later.
 */
export function closeQuietly(db: DatabaseSync): void {
  try {
    db.close();
  } catch {
    // As above.
  }
}

function openFile(options: DatabaseOptions): DatabaseSync {
  const { file, pragmas, migrate, lockWaitMs, isSuspected = false } = options;
  createPrivateFolder(path.dirname(file));
  if (readSize(file) > 0) refuseNewerFile(file, options.migrations);
  // SQLite deletes the log of a database that is missing or empty when it opens it.
  if (readSize(file) === 0 && readSize(`${file}-wal`) > 0) {
    throw new UnusableDatabaseError('the database is missing or empty, but its log holds commits');
  }
  if (options.isReplaceable === false && readSize(file) === 0) createFile(options);
  const isMarked = file.endsWith('.sqlite') && options.isReplaceable !== false;
  if (isMarked) noteLoss(file);
  // SQLite creates the log with the mode of the database.
  createPrivateFile(file);
  for (const suffix of SUFFIXES) makePrivate(file + suffix);
  const db = new DatabaseSync(file, { timeout: lockWaitMs });
  try {
    db.exec(`PRAGMA journal_mode = WAL; ${pragmas}`);
    const damage = isSuspected || readSize(file) <= MAX_CHECKED_BYTES ? findDamage(file) : null;
    if (damage !== null) throw damage;
    migrate(db);
    const lacks = noteShortness(db, file);
    if (lacks !== '') options.onShort?.(lacks);
    if (isMarked) createPrivateFile(file + CREATED_SUFFIX);
    return db;
  } catch (error) {
    closeQuietly(db);
    throw error;
  }
}

/** Leaves a note beside a database that was there once and is replaced by an empty one: an operator has to know. */
function noteLoss(file: string): void {
  const note = file + CREATED_SUFFIX;
  if (existsSync(file) || !existsSync(note)) return;
  writePrivateFile(findFreeName(file, 'lost', new Date()), describeNumbers(readNumbers(note)));
  remove(note);
}

/** Reads the version as if nothing else used the file, so that neither the file nor its log changes. */
function refuseNewerFile(file: string, migrations: string): void {
  try {
    const db = new DatabaseSync(openAlone(file), { readOnly: true });
    try {
      refuseNewer(db, migrations);
    } finally {
      closeQuietly(db);
    }
  } catch (error) {
    // What else is wrong with the file is found when it is opened.
    if (error instanceof NewerSchemaError) throw error;
  }
}

/** The address of a file as one whose locks and log SQLite ignores. */
export function openAlone(file: string): URL {
  const address = pathToFileURL(file);
  address.searchParams.set('immutable', '1');
  return address;
}

/**
 * Creates a database under another name first: under its own name it is never empty, so an empty file is a damaged one,
 * not one that is about to be created.
 */
function createFile({ file, migrate, onCreate }: DatabaseOptions): void {
  if (statSync(file, { throwIfNoEntry: false })) throw new UnusableDatabaseError('the file is empty');
  const partial = `${file}.${process.pid}.partial`;
  remove(partial);
  createPrivateFile(partial);
  const db = new DatabaseSync(partial);
  migrate(db);
  db.close();
  try {
    move(partial, file, true);
    onCreate?.();
  } catch (error) {
    // Another process has created it meanwhile.
    if (!existsSync(file)) throw error;
  } finally {
    remove(partial);
  }
}

function readSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Renames a database that cannot be used, with its write-ahead log and the note of its rows, to a free name with the time:
 * `events.sqlite.quarantine-20251120T042459Z`. Returns the new path. Nothing is deleted.
 */
export function quarantine(file: string, now: Date): string {
  const target = findFreeName(file, 'quarantine', now);
  // Reading the file has left an empty log.
  if (readSize(`${file}-wal`) === 0) for (const end of SUFFIXES.slice(1)) remove(file + end);
  for (const suffix of [CREATED_SUFFIX, ...SUFFIXES]) {
    if (existsSync(file + suffix)) move(file + suffix, target + suffix);
  }
  return target;
}

/** The name does not end like a database's, so that a backup of every database does not stop at a damaged one. */
function findFreeName(file: string, reason: 'quarantine' | 'lost' | 'short', now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  for (let copy = 1; ; copy++) {
    const name = `${file}.${reason}-${time}${copy > 1 ? `-${copy}` : ''}`;
    if (!SUFFIXES.some((suffix) => existsSync(name + suffix))) return name;
  }
}
