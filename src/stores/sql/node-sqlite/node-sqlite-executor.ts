import path from 'node:path';
import {
  SqlError,
  type SqlExecutor,
  type SqlResult,
  type SqlRow,
  type SqlStatement,
} from '../sql-executor.ts';
import { InlineJobs } from './database-jobs.ts';
import { GroupCommit } from './group-commit.ts';
import {
  type Batch,
  type BatchOutcome,
  type JobRunner,
  packBatches,
  ThreadClient,
  unpackOutcome,
} from './thread-client.ts';

/** The name of the site's database in the data folder. */
export const DATABASE_FILE = 'events.sqlite';

export interface NodeSqliteOptions {
  /** Path of the database; it and its folder are created when missing. */
  readonly file: string;
  /** Takes one line for the operator's log about something that needs attention. */
  readonly report: (message: string) => void;
  /** ms to wait for a lock of another process before a batch is refused; 1,000 when left out. */
  readonly lockWaitMs?: number;
  /** ms after which a disk that does not respond counts as unavailable; 5,000 when left out. */
  readonly stallMs?: number;
  /** Folder of the migrations below `migrations/`; the folder itself when left out. */
  readonly migrations?: string;
  /**
   * Whether a database that is damaged, emptied or moved away is replaced by a new one; true when left out. Otherwise
   * everything is refused until it is restored.
   */
  readonly isReplaceable?: boolean;
  /** true: the caller is a thread that may wait for the disk, so no others are started; false when left out. */
  readonly isInline?: boolean;
}

/** The root of the project: this file runs as TypeScript in place, or bundled in `dist/server/`. */
const ROOT = path.resolve(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? '../../../..' : '../..',
);
export const MIGRATIONS = path.join(ROOT, 'migrations/');

/**
 * Pages that a connection keeps, in KB. 2,000 is SQLite's default, which the site's writer fills with each commit. The
 * back office has two connections to each of four databases, whose files the system keeps in memory anyway.
 */
const CACHE_KB = { ofThread: 2_000, inline: 512 };
const MAX_STATEMENTS_PER_COMMIT = 500;
const MAX_WAITING_STATEMENTS = 20_000;

/**
 * Opens a SQLite file. Two threads serve it, unless the caller may wait, so that neither an fsync nor a lock nor a
 * long report stops the event loop. It never fails to start: what is wrong shows in rejected batches, and is tried
 * again with every batch.
 */
export class NodeSqliteExecutor implements SqlExecutor {
  readonly #file: string;
  readonly #report: (message: string) => void;
  readonly #writer: JobRunner;
  readonly #reader: JobRunner;
  readonly #commits: GroupCommit;
  /**
   * The database is opened at once: a damaged one is reported at start, and a query before the first batch finds it.
   */
  readonly #opened: Promise<unknown>;
  #isOut = false;
  #isClosed = false;

  constructor(options: NodeSqliteOptions) {
    this.#file = options.file;
    this.#report = (message) => options.report(`[sql] ${message}`);
    this.#writer = createRunner('write', options);
    this.#reader = createRunner('read', options);
    this.#opened = this.#writer.run('open', null).catch(() => undefined);
    this.#commits = new GroupCommit({
      commit: (batches) => this.#commit(batches),
      maxStatements: MAX_STATEMENTS_PER_COMMIT,
      maxWaiting: MAX_WAITING_STATEMENTS,
      stallMs: options.stallMs ?? 5_000,
    });
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly SqlResult[]> {
    this.#checkOpen();
    return statements.length === 0 ? [] : this.#commits.add(statements);
  }

  async query(statement: SqlStatement): Promise<readonly SqlRow[]> {
    this.#checkOpen();
    await this.#opened;
    return this.#reader.run('query', statement);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#commits.drained();
    await Promise.all([this.#writer.close(), this.#reader.close()]);
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new SqlError('closed', 'the database is closed');
  }

  /** Reports when writing begins to fail and when it works again, not every failure in between. */
  async #commit(batches: readonly Batch[]): Promise<readonly BatchOutcome[]> {
    try {
      const outcomes = await this.#writer.run('commit', packBatches(batches));
      if (this.#isOut) this.#report('the database can be written again');
      this.#isOut = false;
      return outcomes.map(unpackOutcome);
    } catch (error) {
      if (!this.#isOut) this.#report(`the database cannot be written: ${String(error)} (${this.#file})`);
      this.#isOut = true;
      throw error;
    }
  }
}

/** Opens a SQLite file for queries alone. It needs neither a writable disk nor a free lock, and changes nothing. */
export function createNodeSqliteReader(
  options: Pick<NodeSqliteOptions, 'file' | 'report' | 'isInline'>,
): Pick<SqlExecutor, 'query' | 'close'> {
  const reader = createRunner('read', options);
  return { query: (statement) => reader.run('query', statement), close: () => reader.close() };
}

function createRunner(
  role: 'write' | 'read',
  {
    file,
    report,
    lockWaitMs = 1_000,
    migrations = '',
    isReplaceable = true,
    isInline = false,
  }: NodeSqliteOptions,
): JobRunner {
  const settings = {
    ...{ role, file, lockWaitMs, isReplaceable },
    migrations: path.join(MIGRATIONS, migrations),
    cacheKb: isInline ? CACHE_KB.inline : CACHE_KB.ofThread,
  };
  const Runner = isInline ? InlineJobs : ThreadClient;
  return new Runner(settings, (message) => report(`[sql] ${message}`));
}
