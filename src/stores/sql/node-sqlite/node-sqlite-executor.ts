import path from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  SqlError,
  type SqlExecutor,
  type SqlResult,
  type SqlRow,
  type SqlStatement,
} from '../sql-executor.ts';
import {
  type Batch,
  type BatchOutcome,
  buildReplyError,
  InlineJobs,
  type JobRunner,
  packBatches,
  type ShortResult,
  type ThreadJobs,
  type ThreadReply,
  type ThreadRequest,
  type ThreadSettings,
} from './database-jobs.ts';

/** Bounds of the group commit. */
interface CommitLimits {
  /** Most statements in one transaction; a batch is never split. */
  readonly maxStatements: number;
  /** Most statements that may wait; a batch beyond them is refused at once. */
  readonly maxWaiting: number;
  /** ms after which a commit counts as stalled: every batch is refused until it returns. */
  readonly stallMs: number;
}

/** Commits batches in one transaction; resolves after the fsync with one outcome per batch. */
type Commit = (batches: readonly Batch[]) => Promise<readonly BatchOutcome[]>;

interface Entry {
  readonly batch: Batch;
  readonly resolve: (results: readonly SqlResult[]) => void;
  readonly reject: (error: SqlError) => void;
}

/** A commit begins when so many wait, so that the disk works while the other requests of the turn are read. */
const STATEMENTS_TO_BEGIN = 16;

/**
 * Group commit: batches that arrive while a commit is under way, or in the same turn of the event loop, share the
 * next transaction, so that one fsync serves all of them.
 */
export class GroupCommit {
  readonly #commit: Commit;
  readonly #limits: CommitLimits;
  readonly #onIdle: (() => void)[] = [];
  #waiting: Entry[] = [];
  #waitingStatements = 0;
  /** The end of the turn, at which the first commit after a pause begins; null during a commit. */
  #turn: NodeJS.Immediate | null = null;
  #isBusy = false;
  #isStalled = false;

  constructor(commit: Commit, limits: CommitLimits) {
    this.#commit = commit;
    this.#limits = limits;
  }

  /** Resolves with the results of the batch once it is committed. Rejects with `SqlError`. */
  add(batch: Batch): Promise<readonly SqlResult[]> {
    if (this.#isStalled) return Promise.reject(buildStallError());
    if (this.#waitingStatements + batch.length > this.#limits.maxWaiting) {
      return Promise.reject(new SqlError('unavailable', 'too many statements wait to be written'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, resolve, reject });
      this.#waitingStatements += batch.length;
      if (!this.#isBusy) {
        this.#isBusy = true;
        this.#turn = setImmediate(() => this.#flush());
      } else if (this.#turn !== null && this.#waitingStatements >= STATEMENTS_TO_BEGIN) this.#flush();
    });
  }

  /** Resolves when no batch waits and none is being committed. */
  drained(): Promise<void> {
    return this.#isBusy ? new Promise((resolve) => this.#onIdle.push(resolve)) : Promise.resolve();
  }

  #flush(): void {
    if (this.#turn !== null) clearImmediate(this.#turn);
    this.#turn = null;
    const group = this.#takeGroup();
    const timer = setTimeout(() => this.#stall(group), this.#limits.stallMs);
    const next = () => {
      clearTimeout(timer);
      this.#isStalled = false;
      if (this.#waiting.length > 0) this.#flush();
      else this.#becomeIdle();
    };
    // The next commit starts before the callers of this one are served, so that neither waits for the other.
    this.#commit(group.map(({ batch }) => batch)).then(
      (outcomes) => {
        next();
        settle(group, outcomes);
      },
      (error: SqlError) => {
        next();
        rejectAll(group, error);
      },
    );
  }

  #takeGroup(): Entry[] {
    let statements = 0;
    let entries = 0;
    for (const { batch } of this.#waiting) {
      if (entries > 0 && statements + batch.length > this.#limits.maxStatements) break;
      statements += batch.length;
      entries++;
    }
    this.#waitingStatements -= statements;
    return this.#waiting.splice(0, entries);
  }

  #stall(group: readonly Entry[]): void {
    this.#isStalled = true;
    rejectAll([...group, ...this.#waiting], buildStallError());
    this.#waiting = [];
    this.#waitingStatements = 0;
  }

  #becomeIdle(): void {
    this.#isBusy = false;
    for (const done of this.#onIdle.splice(0)) done();
  }
}

function settle(group: readonly Entry[], outcomes: readonly BatchOutcome[]): void {
  for (const [index, { resolve, reject }] of group.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) reject(new SqlError('unavailable', 'the batch has no outcome'));
    else if ('code' in outcome) reject(new SqlError(outcome.code, outcome.message));
    else resolve(outcome.map(unpackResult));
  }
}

function rejectAll(group: readonly Entry[], error: SqlError): void {
  for (const { reject } of group) reject(error);
}

const buildStallError = () => new SqlError('unavailable', 'the disk does not respond');

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: SqlError) => void;
}

/** Beside this file, whether it runs as TypeScript or bundled. */
const THREAD = `./database-thread${path.extname(import.meta.filename)}`;

/** What a thread creates lives as long as one job: with V8's default, its garbage takes 10 MB more. */
const YOUNG_GENERATION_MB = 4;

/** The thread that reads ends when nothing was read for so long: it takes 12 MB, and most sites are quiet at times. */
const REST_MS = 5_000;

/** Posts jobs to a database thread, which runs them one after the other, away from the event loop. */
class ThreadClient implements JobRunner {
  readonly #settings: ThreadSettings;
  readonly #report: (message: string) => void;
  readonly #onDamage: () => void;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #lastId = 0;
  #resting: NodeJS.Timeout | undefined;
  /** The end of the last thread that was not needed any more. */
  #rested: Promise<unknown> = Promise.resolve();
  #closed: Promise<null> | null = null;

  constructor(settings: ThreadSettings, report: (message: string) => void, onDamage: () => void) {
    this.#settings = settings;
    this.#report = report;
    this.#onDamage = onDamage;
  }

  /** Runs a job. The first one starts the thread, and so does the first one after the thread died. */
  run<Name extends keyof ThreadJobs>(
    job: Name,
    argument: Parameters<ThreadJobs[Name]>[0],
  ): Promise<ReturnType<ThreadJobs[Name]>> {
    if (this.#closed !== null) return Promise.reject(new SqlError('closed', 'the database is closed'));
    this.#worker ??= this.#start();
    const worker = this.#worker;
    clearTimeout(this.#resting);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, job, argument });
    });
  }

  /** Lets the jobs before it finish, closes the database and ends the thread. */
  async close(): Promise<void> {
    clearTimeout(this.#resting);
    this.#closed ??= this.#worker ? this.run('close', null) : Promise.resolve(null);
    await Promise.all([this.#closed, this.#rested]);
  }

  /** Ends the thread that reads, unless it gets a job soon. */
  #rest(): void {
    const worker = this.#worker;
    clearTimeout(this.#resting);
    if (worker === null || this.#settings.role !== 'read' || this.#closed !== null) return;
    this.#resting = setTimeout(() => {
      this.#worker = null;
      this.#rested = new Promise((resolve) => worker.once('exit', resolve));
      worker.postMessage({ id: 0, job: 'close', argument: null } satisfies ThreadRequest);
    }, REST_MS).unref();
  }

  #start(): Worker {
    const worker = new Worker(new URL(THREAD, import.meta.url), {
      workerData: this.#settings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    worker.on('message', (reply: ThreadReply) => this.#receive(reply));
    worker.on('error', (error) => this.#report(`the database thread failed: ${error.message}`));
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      for (const { reject } of this.#waiting.values()) {
        reject(new SqlError('unavailable', 'the database thread ended'));
      }
      this.#waiting.clear();
    });
    return worker;
  }

  #receive(reply: ThreadReply): void {
    if ('report' in reply) {
      this.#report(reply.report);
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('code' in reply) waiting?.reject(buildReplyError(reply, this.#onDamage));
    else waiting?.resolve(reply.result as never);
    if (this.#waiting.size === 0) this.#rest();
  }
}

/** The name of the site's database in the data folder. */
export const DATABASE_FILE = 'events.sqlite';

export interface NodeSqliteOptions {
  /** Path of the database; it and its folder are created when missing. */
  readonly file: string;
  /** Takes one line for the operator's log about something that needs attention. */
  readonly report: (message: string) => void;
  /** Takes how long the disk took for each commit, in ms. */
  readonly onCommit?: (ms: number) => void;
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
  /** Whether queries read a database that a newer program has written; false when left out. */
  readonly readsNewer?: boolean;
}

/** The root of the project: this file runs as TypeScript in place, or bundled in `dist/server/`. */
const ROOT = path.resolve(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? '../../../..' : '../..',
);
export const MIGRATIONS = path.join(ROOT, 'migrations/');

/**
 * Pages that a connection keeps, in KB. 2,000 is SQLite's default, which the site's writer fills with each commit. The
 * console has two connections to each of four databases, whose files the system keeps in memory anyway.
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
  readonly #onCommit: (ms: number) => void;
  #isOut = false;
  #isClosed = false;

  constructor(options: NodeSqliteOptions) {
    this.#file = options.file;
    this.#onCommit = options.onCommit ?? (() => undefined);
    this.#report = (message) => options.report(`[sql] ${message}`);
    this.#writer = createRunner('write', options);
    // The writer's thread gets this job before every batch that arrives later.
    const check = () => void this.#writer.run('check', null).catch(() => undefined);
    this.#reader = createRunner('read', options, check);
    this.#opened = this.#writer.run('open', null).catch(() => undefined);
    this.#commits = new GroupCommit((batches) => this.#commit(batches), {
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
    // The last connection to a database removes its log, which a reader may not.
    await this.#reader.close();
    await this.#writer.close();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new SqlError('closed', 'the database is closed');
  }

  /** Reports when writing begins to fail and when it works again, not every failure in between. */
  async #commit(batches: readonly Batch[]): Promise<readonly BatchOutcome[]> {
    try {
      const { outcomes, ms } = await this.#writer.run('commit', packBatches(batches));
      this.#onCommit(ms);
      if (this.#isOut) this.#report('the database can be written again');
      this.#isOut = false;
      return outcomes;
    } catch (error) {
      if (!this.#isOut) this.#report(`the database cannot be written: ${String(error)} (${this.#file})`);
      this.#isOut = true;
      throw error;
    }
  }
}

/**
 * Opens a SQLite file for queries alone: batches are refused. It needs neither a writable disk nor a free lock, and
 * changes nothing.
 */
export function createNodeSqliteReader(
  file: string,
  report: (message: string) => void,
  isInline = false,
): SqlExecutor {
  const reader = createRunner('read', { file, report, isInline, readsNewer: true });
  return {
    batch: () => Promise.reject(new SqlError('unavailable', 'the database is opened for reading')),
    query: (statement) => reader.run('query', statement),
    close: () => reader.close(),
  };
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
    readsNewer = false,
  }: NodeSqliteOptions,
  onDamage: () => void = () => undefined,
): JobRunner {
  const settings = {
    role,
    file,
    lockWaitMs,
    isReplaceable,
    readsNewer,
    migrations: path.join(MIGRATIONS, migrations),
    cacheKb: isInline ? CACHE_KB.inline : CACHE_KB.ofThread,
  };
  const Runner = isInline ? InlineJobs : ThreadClient;
  return new Runner(settings, (message) => report(`[sql] ${message}`), onDamage);
}

function unpackResult(result: ShortResult): SqlResult {
  return typeof result === 'number' ? { rows: [], changes: result } : { rows: result, changes: 0 };
}
