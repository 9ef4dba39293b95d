import { existsSync, linkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { createPrivateFile, createPrivateFolder, makePrivate, PRIVATE_FILE } from '../private-files.ts';
import { NewerSchemaError, refuseNewer } from './migrate.ts';
import {
  describeSqliteError,
  parseSqliteErrorKind,
  UnusableDatabaseError,
} from './node-sqlite/sqlite-error.ts';

/** Databases up to 64 MB are checked page by page when opened (about 0.1 s); larger ones as they are read. */
export const MAX_CHECKED_BYTES = 64 * 1024 * 1024;

/** Follows the name of a database whose file was there once. */
export const CREATED_SUFFIX = '.created';

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
  /** Called when a database is replaced by a new one, with the path at which the old one is now. */
  readonly onQuarantine: (quarantined: string, reason: string) => void;
}

/** Opens a database in write-ahead mode. One that is damaged or unusable is quarantined and replaced by a new one. */
export function openDatabase(options: DatabaseOptions): DatabaseSync {
  try {
    return openFile(options);
  } catch (error) {
    if (parseSqliteErrorKind(error) !== 'damaged') throw error;
    if (options.isReplaceable === false) throw explainDamage(options.file, error);
    quarantineDatabase(options, describeSqliteError(error));
    return openFile(options);
  }
}

/** Builds the error for a damaged database that must not be replaced. */
export function explainDamage(file: string, error: unknown): Error {
  return new UnusableDatabaseError(
    `${file} is damaged (${describeSqliteError(error)}): nothing is read or written until it is restored from a backup`,
  );
}

/** Quarantines the file of a closed database and reports it. */
export function quarantineDatabase({ file, onQuarantine }: DatabaseOptions, reason: string): void {
  onQuarantine(quarantine(file, new Date()), reason);
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
    if (isSuspected || readSize(file) <= MAX_CHECKED_BYTES) checkPages(db);
    migrate(db);
    if (isMarked) writeFileSync(file + CREATED_SUFFIX, '', { flag: 'a', mode: PRIVATE_FILE });
    return db;
  } catch (error) {
    closeQuietly(db);
    throw error;
  }
}

/** Leaves a note beside a database that was there once and is replaced by an empty one: an operator has to know. */
function noteLoss(file: string): void {
  if (!existsSync(file) && existsSync(file + CREATED_SUFFIX))
    createPrivateFile(findFreeName(file, 'lost', new Date()));
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
  rmSync(partial, { force: true });
  createPrivateFile(partial);
  const db = new DatabaseSync(partial);
  migrate(db);
  db.close();
  try {
    linkSync(partial, file);
    onCreate?.();
  } catch {
    // Another process has created it meanwhile, or the file system has no links.
    if (!statSync(file, { throwIfNoEntry: false })) renameSync(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
}

function readSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function checkPages(db: DatabaseSync): void {
  const result = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (result !== 'ok') throw new UnusableDatabaseError(String(result));
}

/**
 * Renames a database that cannot be used, with its write-ahead log, to a free name with the time:
 * `events.sqlite.quarantine-20251120T042459Z`. Returns the new path. Nothing is deleted.
 */
function quarantine(file: string, now: Date): string {
  const target = findFreeName(file, 'quarantine', now);
  rmSync(file + CREATED_SUFFIX, { force: true });
  for (const suffix of SUFFIXES) {
    if (existsSync(file + suffix)) renameSync(file + suffix, target + suffix);
  }
  return target;
}

/** The name does not end like a database's, so that a backup of every database does not stop at a damaged one. */
function findFreeName(file: string, reason: 'quarantine' | 'lost', now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  for (let copy = 1; ; copy++) {
    const name = `${file}.${reason}-${time}${copy > 1 ? `-${copy}` : ''}`;
    if (!SUFFIXES.some((suffix) => existsSync(name + suffix))) return name;
  }
}
