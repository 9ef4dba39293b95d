import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hasOrphanedCommits, readFileIdentity, setFileAside } from './event-file.ts';
import { describeFailure, parseSqliteFailure } from './sqlite-failure.ts';
import { migrate } from './sqlite-migrations.ts';

/** Databases up to this size are checked page by page when opened (about 0.1 s); larger ones when they are read. */
const CHECKED_BYTES = 64 * 1024 * 1024;

/** How long to wait for a lock once it has been held too long: the waiting visitors have been told already. */
const SHORT_LOCK_WAIT_MS = 20;

const REOPEN_PAUSE_MS = 200;

export interface ConnectionOptions {
  readonly file: string;
  readonly migrations: string;
  /** ms to wait for another process's lock. */
  readonly lockWaitMs: number;
  readonly report: (message: string) => void;
}

export interface Connection<Prepared> {
  /**
   * Runs `work` on the open database, opening it first when needed. Whatever fails is rolled back and
   * thrown; the next call tries again, on a new connection when the old one may be at fault.
   */
  use<T>(work: (prepared: Prepared, db: DatabaseSync) => T): T;
  close(): void;
}

interface Opened<Prepared> {
  readonly db: DatabaseSync;
  readonly prepared: Prepared;
  readonly identity: string;
}

/** Creates the connection of the thread that writes: it makes the file, brings it up to date and heals itself. */
export function createConnection<Prepared>(
  options: ConnectionOptions,
  prepare: (db: DatabaseSync) => Prepared,
): Connection<Prepared> {
  const { file, report } = options;
  let opened: Opened<Prepared> | null = null;
  let lockWaitMs = options.lockWaitMs;
  let failure: { error: unknown; at: number } | null = null;

  function use<T>(work: (prepared: Prepared, db: DatabaseSync) => T): T {
    try {
      return attempt(work);
    } catch (error) {
      if (parseSqliteFailure(error) !== 'broken') throw error;
      keepAside(describeFailure(error));
      return attempt(work);
    }
  }

  function attempt<T>(work: (prepared: Prepared, db: DatabaseSync) => T): T {
    const { db, prepared } = open();
    try {
      const result = work(prepared, db);
      setLockWait(db, options.lockWaitMs);
      return result;
    } catch (error) {
      recover(db, error);
      throw error;
    }
  }

  function open(): Opened<Prepared> {
    if (opened && opened.identity !== readFileIdentity(file)) {
      report(`${file} was moved or deleted while in use; a new one is made`);
      close();
    }
    if (opened) return opened;
    if (failure && performance.now() - failure.at < REOPEN_PAUSE_MS) throw failure.error;
    try {
      opened = openFile();
      failure = null;
      return opened;
    } catch (error) {
      const kind = parseSqliteFailure(error);
      failure = kind === 'broken' ? null : { error, at: performance.now() };
      if (kind === 'locked') lockWaitMs = SHORT_LOCK_WAIT_MS;
      throw error;
    }
  }

  function openFile(): Opened<Prepared> {
    mkdirSync(path.dirname(file), { recursive: true });
    if (hasOrphanedCommits(file)) keepAside('the database is missing or empty, but commits lie beside it');
    const db = new DatabaseSync(file, { timeout: lockWaitMs });
    try {
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
      check(db, file);
      migrate(db, options.migrations);
      return { db, prepared: prepare(db), identity: readFileIdentity(file) };
    } catch (error) {
      closeQuietly(db);
      throw error;
    }
  }

  function recover(db: DatabaseSync, error: unknown): void {
    const kind = parseSqliteFailure(error);
    if (kind === 'locked') setLockWait(db, SHORT_LOCK_WAIT_MS);
    try {
      if (db.isTransaction) db.exec('ROLLBACK');
    } catch {
      close();
    }
    if (kind === 'reopen' || kind === 'broken') close();
  }

  function setLockWait(db: DatabaseSync, ms: number): void {
    if (ms === lockWaitMs) return;
    lockWaitMs = ms;
    db.exec(`PRAGMA busy_timeout = ${ms}`);
  }

  function keepAside(reason: string): void {
    close();
    const aside = setFileAside(file, new Date());
    report(`${file} cannot be used (${reason}); it is kept as ${aside} and a new one is made`);
  }

  function close(): void {
    if (opened) closeQuietly(opened.db);
    opened = null;
  }

  return { use, close };
}

function check(db: DatabaseSync, file: string): void {
  if (statSync(file).size > CHECKED_BYTES) return;
  const result = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (result !== 'ok') throw Object.assign(new Error(String(result)), { errcode: 11 });
}

function closeQuietly(db: DatabaseSync): void {
  try {
    db.close();
  } catch {
    // The last close writes the log back and may fail like any write; the log stays and is read again.
  }
}
