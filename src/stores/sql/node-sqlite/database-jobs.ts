import { DatabaseSync } from 'node:sqlite';
import { migrate } from '../migrate.ts';
import { explainDamage } from '../quarantine.ts';
import { SqlError, type SqlRow, type SqlStatement } from '../sql-executor.ts';
import { type PreparedStatement, prepare, readFileIdentity, run, SqliteConnection } from './connection.ts';
import { describeSqliteError, parseSqliteErrorKind } from './sqlite-error.ts';
import type {
  BatchOutcome,
  JobRunner,
  PackedBatches,
  PackedResult,
  ThreadJobs,
  ThreadReply,
  ThreadRequest,
  ThreadSettings,
} from './thread-client.ts';

type Job = (argument: never) => unknown;

/** Creates the jobs of one of the two threads. */
export function createJobs(
  settings: ThreadSettings,
  report: (message: string) => void,
): Readonly<Record<string, Job>> {
  if (settings.role === 'read') {
    const reader = new DatabaseReader(settings);
    return { query: (statement) => reader.query(statement), close: () => reader.close() };
  }
  const writer = new DatabaseWriter(settings, report);
  return {
    open: () => writer.open(),
    commit: (batches) => writer.commit(batches),
    close: () => writer.close(),
  };
}

/** Runs a job; an error becomes a reply. */
export function runJob(
  jobs: Readonly<Record<string, Job>>,
  { id, job, argument }: ThreadRequest,
): Exclude<ThreadReply, { report: string }> {
  try {
    return { id, result: jobs[job]?.(argument as never) };
  } catch (error) {
    // The writer reports invalid statements in its outcome: what it throws concerns the database itself.
    const isInvalid = job === 'query' && parseSqliteErrorKind(error) === 'invalid';
    return { id, code: isInvalid ? 'invalid' : 'unavailable', message: describeSqliteError(error) };
  }
}

/** Runs the jobs of a database in the calling thread, which waits for the disk meanwhile. */
export class InlineJobs implements JobRunner {
  readonly #jobs: Readonly<Record<string, Job>>;
  #isClosed = false;

  constructor(settings: ThreadSettings, report: (message: string) => void) {
    this.#jobs = createJobs(settings, report);
  }

  async run<Name extends keyof ThreadJobs>(
    job: Name,
    argument: Parameters<ThreadJobs[Name]>[0],
  ): Promise<ReturnType<ThreadJobs[Name]>> {
    if (this.#isClosed) throw new SqlError('closed', 'the database is closed');
    const reply = runJob(this.#jobs, { id: 0, job, argument });
    if ('code' in reply) throw new SqlError(reply.code, reply.message);
    return reply.result as never;
  }

  async close(): Promise<void> {
    if (!this.#isClosed) await this.run('close', null);
    this.#isClosed = true;
  }
}

/** The jobs of the thread that reads: a connection of its own, so that a long report delays no commit. */
export class DatabaseReader {
  readonly #settings: ThreadSettings;
  #db: DatabaseSync | null = null;
  #identity = '';

  constructor(settings: ThreadSettings) {
    this.#settings = settings;
  }

  query({ sql, values = [] }: SqlStatement): readonly SqlRow[] {
    const { file, isReplaceable } = this.#settings;
    try {
      const result = run(prepare(this.#open(), sql), values);
      return typeof result === 'number' ? [] : result;
    } catch (error) {
      const kind = parseSqliteErrorKind(error);
      if (kind !== 'invalid') this.close();
      throw kind === 'damaged' && !isReplaceable ? explainDamage(file, error) : error;
    }
  }

  close(): null {
    this.#db?.close();
    this.#db = null;
    return null;
  }

  #open(): DatabaseSync {
    const { file, lockWaitMs, cacheKb } = this.#settings;
    const identity = readFileIdentity(file);
    if (this.#db && identity !== this.#identity) this.close();
    if (identity === '') throw new Error(`there is no database at ${file}`);
    if (this.#db) return this.#db;
    this.#db = new DatabaseSync(file, { readOnly: true, timeout: lockWaitMs });
    this.#db.exec(`PRAGMA cache_size = -${cacheKb}`);
    this.#identity = identity;
    return this.#db;
  }
}

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
