import type { DatabaseSync } from 'node:sqlite';
import { migrate } from '../migrate.ts';
import { type PreparedStatement, prepare, run } from './prepared-statement.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { describeSqliteError, parseSqliteErrorKind } from './sqlite-error.ts';
import type { BatchOutcome, PackedBatches, PackedResult, ThreadSettings } from './thread-messages.ts';

/**
 * FULL: a commit returns after fsync. `secure_delete`: what retention removes is overwritten in the file. The commit
 * that fills the log writes it back while others wait, so the log stays short: with 10 million events, whose random
 * ids touch 40 pages a commit, 200 pages instead of 1,000 halve the slowest commits.
 */
const PRAGMAS = 'PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 200';

/** The jobs of the thread that writes. */
export class DatabaseWriter {
  readonly #connection: SqliteConnection;

  constructor(settings: ThreadSettings, report: (message: string) => void) {
    const { file, migrations, lockWaitMs, isReplaceable, cacheKb } = settings;
    this.#connection = new SqliteConnection({
      file,
      lockWaitMs,
      isReplaceable,
      pragmas: `${PRAGMAS}; PRAGMA cache_size = -${cacheKb}`,
      migrate: (db) => migrate(db, migrations),
      onCreate: () => report(`${file} did not exist and was created`),
      onMoved: () => report(`${file} was moved or deleted while in use; a new database is created`),
      onQuarantine: (quarantined, reason) =>
        report(`${file} cannot be used (${reason}); it is now ${quarantined}, and a new database is created`),
    });
  }

  open(): null {
    return this.#connection.use(() => null);
  }

  /** Commits batches in one transaction. If one of them is invalid, each gets a transaction of its own. */
  commit({ texts, batches }: PackedBatches): readonly BatchOutcome<PackedResult>[] {
    return this.#connection.use((db) => {
      const statements: PreparedStatement[] = [];
      const runBatch = (batch: PackedBatches['batches'][number]) =>
        batch.values.map((values, index) => {
          const text = batch.statements[index] ?? 0;
          // Not before it runs: a statement can need the table that the one before it creates.
          statements[text] ??= prepare(db, texts[text] ?? '');
          return run(statements[text], values);
        });
      try {
        return transact(db, () => batches.map((batch) => ({ results: runBatch(batch) })));
      } catch (error) {
        if (parseSqliteErrorKind(error) !== 'invalid') throw error;
        return batches.map((batch) => commitAlone(db, () => runBatch(batch)));
      }
    });
  }

  close(): null {
    this.#connection.close();
    return null;
  }
}

function commitAlone(db: DatabaseSync, runBatch: () => readonly PackedResult[]): BatchOutcome<PackedResult> {
  try {
    return { results: transact(db, runBatch) };
  } catch (error) {
    if (parseSqliteErrorKind(error) !== 'invalid') throw error;
    return { code: 'invalid', message: describeSqliteError(error) };
  }
}

/** Takes the write lock first, because upgrading a read lock can fail half-way. Returns after the fsync. */
function transact<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // Some errors, such as a full disk, have rolled back already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
