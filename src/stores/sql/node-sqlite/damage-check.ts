import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { closeQuietly } from './open-database.ts';
import { describeSqliteError, parseSqliteErrorKind, UnusableDatabaseError } from './sqlite-error.ts';

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
