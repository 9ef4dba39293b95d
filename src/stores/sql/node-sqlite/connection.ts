import { statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import {
  closeQuietly,
  type DatabaseOptions,
  explainDamage,
  openDatabase,
  quarantineDatabase,
} from '../quarantine.ts';
import type { SqlRow, SqlValue } from '../sql-executor.ts';
import { describeSqliteError, parseSqliteErrorKind, UnusableDatabaseError } from './sqlite-error.ts';

/** How long to wait for a lock that was not free in time: callers have been refused already, more would pile up. */
const SHORT_LOCK_WAIT_MS = 20;

/** A database that could not be opened is tried again after this pause, not by every call. */
const REOPEN_PAUSE_MS = 200;

export interface ConnectionOptions extends DatabaseOptions {
  /** Called when the file was moved or deleted while it was in use. */
  readonly onMoved: () => void;
}

interface Opened {
  readonly db: DatabaseSync;
  readonly identity: string;
  readonly damage: DamageCheck;
}

/**
 * The connection of the thread that writes. It opens the database with the first use, and again whenever an error,
 * a moved file or damage makes it necessary, so that no restart is needed after an outage.
 */
export class SqliteConnection {
  readonly #options: ConnectionOptions;
  #opened: Opened | null = null;
  #lockWaitMs: number;
  /** Whether a database that must not be replaced was moved away. */
  #isLost = false;
  /** Why the database could not be opened, and when; null while it is open. */
  #failure: { readonly error: unknown; readonly at: number } | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#lockWaitMs = options.lockWaitMs;
  }

  /** Runs `work` on the open database. On an error its transaction is rolled back and the error is thrown. */
  use<T>(work: (db: DatabaseSync) => T): T {
    try {
      return this.#attempt(this.#open(), work);
    } catch (error) {
      if (this.#failure || parseSqliteErrorKind(error) !== 'damaged') throw error;
      this.close();
      if (this.#options.isReplaceable === false) throw explainDamage(this.#options.file, error);
      quarantineDatabase(this.#options, describeSqliteError(error));
      return this.#attempt(this.#open(), work);
    }
  }

  close(): void {
    if (this.#opened) closeQuietly(this.#opened.db);
    this.#opened = null;
  }

  #attempt<T>(db: DatabaseSync, work: (db: DatabaseSync) => T): T {
    try {
      const result = work(db);
      this.#setLockWait(db, this.#options.lockWaitMs);
      return result;
    } catch (error) {
      this.#recover(db, error);
      throw error;
    }
  }

  #open(): DatabaseSync {
    if (this.#opened && this.#opened.identity !== readFileIdentity(this.#options.file)) {
      this.#isLost = this.#options.isReplaceable === false;
      if (!this.#isLost) this.#options.onMoved();
      this.close();
    }
    if (this.#isLost && readFileIdentity(this.#options.file) === '') {
      throw new Error(`${this.#options.file} was moved or deleted while in use: put it back`);
    }
    this.#isLost = false;
    if (this.#opened) {
      this.#opened.damage.run();
      return this.#opened.db;
    }
    if (this.#failure && performance.now() - this.#failure.at < REOPEN_PAUSE_MS) throw this.#failure.error;
    try {
      const db = openDatabase({ ...this.#options, lockWaitMs: this.#lockWaitMs });
      const { file } = this.#options;
      this.#opened = { db, identity: readFileIdentity(file), damage: new DamageCheck(file) };
      this.#failure = null;
      return db;
    } catch (error) {
      this.#failure = { error, at: performance.now() };
      if (parseSqliteErrorKind(error) === 'locked') this.#lockWaitMs = SHORT_LOCK_WAIT_MS;
      throw error;
    }
  }

  #recover(db: DatabaseSync, error: unknown): void {
    const kind = parseSqliteErrorKind(error);
    if (kind === 'locked') this.#setLockWait(db, SHORT_LOCK_WAIT_MS);
    try {
      if (db.isTransaction) db.exec('ROLLBACK');
    } catch {
      this.close();
    }
    if (kind === 'other') this.close();
  }

  #setLockWait(db: DatabaseSync, ms: number): void {
    if (ms === this.#lockWaitMs) return;
    this.#lockWaitMs = ms;
    db.exec(`PRAGMA busy_timeout = ${ms}`);
  }
}

/** Identifies the file at a path, to notice that it was replaced; empty without a file. */
export function readFileIdentity(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : '';
}

export interface PreparedStatement {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

const MAX_PREPARED = 100;

/** Prepared statements by SQL text, for as long as their connection is open. */
const prepared = new WeakMap<DatabaseSync, LRUCache<string, PreparedStatement>>();

/** Prepares a statement, or returns the one that was prepared for the same text. */
export function prepare(db: DatabaseSync, sql: string): PreparedStatement {
  const statements = prepared.get(db) ?? new LRUCache<string, PreparedStatement>({ max: MAX_PREPARED });
  prepared.set(db, statements);
  const known = statements.get(sql);
  if (known) return known;
  const statement = db.prepare(sql);
  const added = { statement, returnsRows: statement.columns().length > 0 };
  statements.set(sql, added);
  return added;
}

/** Runs a statement; returns its rows, or the number of rows that it has changed. Throws errors of `node:sqlite`. */
export function run(
  { statement, returnsRows }: PreparedStatement,
  values: readonly SqlValue[],
): readonly SqlRow[] | number {
  // Without BigInt mode, SQLite values are the types of SqlValue.
  if (returnsRows) return statement.all(...values) as readonly SqlRow[];
  return Number(statement.run(...values).changes);
}

const CHANGED = 'changed by another program while in use';

interface FileState {
  readonly size: number;
  readonly changedAt: number;
  readonly logSize: number;
}

/**
 * Notices that another program cut or overwrote the files of an open database. SQLite itself notices it at the next
 * checkpoint, and what was committed until then is lost.
 */
export class DamageCheck {
  readonly #file: string;
  #known: FileState;

  constructor(file: string) {
    this.#file = file;
    this.#known = readState(file);
  }

  /** Compares the files with the last call; a few µs unless they changed. Throws `UnusableDatabaseError`. */
  run(): void {
    const known = this.#known;
    const state = readState(this.#file);
    this.#known = state;
    // Opened again, an empty file is a new database, and SQLite deletes the log beside it.
    if (state.size === 0 && known.size > 0) throw new UnusableDatabaseError(`${CHANGED}: it is empty`);
    // Files shrink after VACUUM and checkpoints of other programs too, and every checkpoint changes the time.
    if (state.size < known.size || state.logSize < known.logSize) verify(this.#file, 'PRAGMA quick_check(1)');
    else if (state.changedAt !== known.changedAt) verify(this.#file, 'PRAGMA schema_version');
  }
}

function readState(file: string): FileState {
  const main = statSync(file, { throwIfNoEntry: false });
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return { size: main?.size ?? 0, changedAt: main?.mtimeMs ?? 0, logSize: log?.size ?? 0 };
}

/** Runs a check on a connection of its own: the open one would read its cached pages. */
function verify(file: string, check: string): void {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    const result = db.prepare(check).get()?.['quick_check'];
    if (result !== undefined && result !== 'ok') throw new UnusableDatabaseError(String(result));
  } catch (error) {
    if (parseSqliteErrorKind(error) === 'locked') return;
    throw new UnusableDatabaseError(`${CHANGED}: ${describeSqliteError(error)}`);
  } finally {
    if (db) closeQuietly(db);
  }
}
