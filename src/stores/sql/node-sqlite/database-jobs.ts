import { type Stats, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { BroadcastChannel } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { migrate, refuseNewer } from '../migrate.ts';
import {
  CREATED_SUFFIX,
  closeQuietly,
  confirmDamage,
  type DatabaseOptions,
  describeNumbers,
  explainDamage,
  findDamage,
  MAX_CHECKED_BYTES,
  noteNumbers,
  openAlone,
  openDatabase,
  quarantineDamaged,
  readNumbers,
} from '../quarantine.ts';
import {
  SqlError,
  type SqlErrorCode,
  type SqlRow,
  type SqlStatement,
  type SqlValue,
} from '../sql-executor.ts';
import {
  describeSqliteError,
  isNoDatabase,
  isReadOnly,
  parseSqliteErrorKind,
  UnusableDatabaseError,
} from './sqlite-error.ts';

export interface ThreadSettings {
  /** The writer commits batches and creates the database; the reader runs queries and changes nothing. */
  readonly role: 'write' | 'read';
  readonly file: string;
  /** Folder of the migrations. */
  readonly migrations: string;
  /** Whether a reader reads a database that a newer program has written; the writer refuses it. */
  readonly readsNewer: boolean;
  /** ms to wait for a lock of another process. */
  readonly lockWaitMs: number;
  /** Whether a damaged or lost database is replaced by a new one. */
  readonly isReplaceable: boolean;
  /** Pages that the connection keeps, in KB. */
  readonly cacheKb: number;
}

/** Statements that are committed together or not at all. */
export type Batch = readonly SqlStatement[];

/** The batches of a commit as they travel between threads: each SQL text once, because threads copy what they send. */
interface PackedBatches {
  readonly texts: readonly string[];
  /** The statements of each batch: the place of the text, and the values. */
  readonly batches: readonly PackedBatch[];
}

type PackedBatch = readonly (readonly [text: number, values: readonly SqlValue[]])[];

/** Packs batches for the thread that writes. */
export function packBatches(batches: readonly Batch[]): PackedBatches {
  const places = new Map<string, number>();
  const findPlace = (sql: string) => {
    const place = places.get(sql) ?? places.size;
    if (place === places.size) places.set(sql, place);
    return place;
  };
  const packed = batches.map((batch) =>
    batch.map(({ sql, values = [] }) => [findPlace(sql), values] as const),
  );
  return { texts: [...places.keys()], batches: packed };
}

/** The result of one statement: its rows, or how many rows it has changed. Numbers travel between threads fastest. */
export type ShortResult = readonly SqlRow[] | number;

/** What became of one batch of a commit: the result of each statement, or why none of them was stored. */
export type BatchOutcome = readonly ShortResult[] | { readonly code: SqlErrorCode; readonly message: string };

/** The jobs of the two threads. Each runs alone, in the order in which they are posted. */
export interface ThreadJobs {
  /** Opens the database, so that a problem is reported at once. */
  open: (argument: null) => null;
  /** Commits batches, in one transaction if all of them are valid; `ms`: how long the disk took for it. */
  commit: (packed: PackedBatches) => { readonly outcomes: readonly BatchOutcome[]; readonly ms: number };
  query: (statement: SqlStatement) => readonly SqlRow[];
  /** Reads every page, because a reader found damage; the database is replaced or refused if it is damaged. */
  check: (argument: null) => null;
  /** Closes the database and ends the thread. */
  close: (argument: null) => null;
}

/** Runs the jobs of one connection, one after the other. */
export interface JobRunner {
  /** Rejects with `SqlError`. */
  run<Name extends keyof ThreadJobs>(
    job: Name,
    argument: Parameters<ThreadJobs[Name]>[0],
  ): Promise<ReturnType<ThreadJobs[Name]>>;
  /** Lets the jobs before it finish and closes the database. */
  close(): Promise<void>;
}

export interface ThreadRequest {
  readonly id: number;
  readonly job: keyof ThreadJobs;
  readonly argument: unknown;
}

/** The reply to a request, or a line for the operator's log. */
export type ThreadReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly code: SqlErrorCode | 'damaged'; readonly message: string }
  | { readonly report: string };

/** Builds the error of a reply; `onDamage` is called when the job found damage that the writer does not know yet. */
export function buildReplyError(
  { code, message }: { readonly code: SqlErrorCode | 'damaged'; readonly message: string },
  onDamage: () => void,
): SqlError {
  if (code !== 'damaged') return new SqlError(code, message);
  onDamage();
  return new SqlError('unavailable', message);
}

/** How long to wait for a lock that was not free in time: callers have been refused already, more would pile up. */
const SHORT_LOCK_WAIT_MS = 20;

/** A database that could not be opened is tried again after this pause, not by every call. */
const REOPEN_PAUSE_MS = 200;

export interface ConnectionOptions extends DatabaseOptions {
  /** Called when the file was moved or deleted while it was in use. */
  readonly onMoved: () => void;
}

/** The connections of this thread that are open, with their files. */
const connections = new Map<{ close(): void }, string>();

/**
 * All connections of the process share one index of a database's log. Where it could once not be opened for writing, it stays
 * open for reading alone until the last of them is closed, in whichever thread.
 */
const reopening = new BroadcastChannel('signpost-reopening');
reopening.unref();
reopening.onmessage = ({ data }) => closeConnections(data);

function closeConnections(file: unknown): void {
  for (const [connection, open] of connections) if (open === file) connection.close();
}

interface Opened {
  readonly db: DatabaseSync;
  readonly damage: DamageCheck;
}

/**
 * The connection of the thread that writes. It opens the database with the first use, and again whenever an error,
 * a moved file or damage makes it necessary, so that no restart is needed after an outage.
 */
class SqliteConnection {
  readonly #options: ConnectionOptions;
  #opened: Opened | null = null;
  #lockWaitMs: number;
  /** Whether a database that must not be replaced was moved away. */
  #isLost = false;
  /** Whether every page is read when the database is opened next, however large it is. */
  #isSuspected = false;
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
      quarantineDamaged(this.#options, error);
      return this.#attempt(this.#open(), work);
    }
  }

  /** Opens the database again and reads every page, as `use` does after an error that means damage. */
  check(): void {
    this.#isSuspected = true;
    this.close();
    this.use(() => undefined);
  }

  /** The open database. */
  get db(): DatabaseSync | undefined {
    return this.#opened?.db;
  }

  /** Writes the log back and empties it, unless a reader still needs it or the disk refuses: it is read again later. */
  emptyLog(): void {
    try {
      this.#opened?.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // As above.
    }
  }

  close(): void {
    if (this.#opened) closeQuietly(this.#opened.db);
    this.#opened = null;
    connections.delete(this);
  }

  #attempt<T>(db: DatabaseSync, work: (db: DatabaseSync) => T): T {
    try {
      const result = work(db);
      this.#opened?.damage.accept();
      this.#setLockWait(db, this.#options.lockWaitMs);
      return result;
    } catch (error) {
      this.#recover(db, error);
      throw error;
    }
  }

  #open(): DatabaseSync {
    const state = this.#opened && readState(this.#options.file);
    if (this.#opened && this.#opened.damage.identity !== state?.identity) {
      this.#isLost = this.#options.isReplaceable === false;
      if (!this.#isLost) this.#options.onMoved();
      this.close();
    }
    if (this.#isLost && readFileIdentity(this.#options.file) === '') {
      throw new Error(`${this.#options.file} was moved or deleted while in use: put it back`);
    }
    this.#isLost = false;
    if (this.#opened && state) {
      this.#opened.damage.run(state);
      this.#refuseNewer(this.#opened.db);
      return this.#opened.db;
    }
    if (this.#failure && performance.now() - this.#failure.at < REOPEN_PAUSE_MS) throw this.#failure.error;
    try {
      const isSuspected = this.#isSuspected;
      const db = openDatabase({ ...this.#options, lockWaitMs: this.#lockWaitMs, isSuspected });
      this.#opened = { db, damage: new DamageCheck(this.#options.file) };
      connections.set(this, this.#options.file);
      this.#failure = null;
      this.#isSuspected = false;
      return db;
    } catch (error) {
      this.#failure = { error, at: performance.now() };
      if (parseSqliteErrorKind(error) === 'locked') this.#lockWaitMs = SHORT_LOCK_WAIT_MS;
      throw error;
    }
  }

  /** A newer program may have changed the database while it was open. */
  #refuseNewer(db: DatabaseSync): void {
    try {
      refuseNewer(db, this.#options.migrations, readOpenVersion(db));
    } catch (error) {
      this.close();
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
    if (!isReadOnly(error)) return;
    closeConnections(this.#options.file);
    reopening.postMessage(this.#options.file);
  }

  #setLockWait(db: DatabaseSync, ms: number): void {
    if (ms === this.#lockWaitMs) return;
    this.#lockWaitMs = ms;
    db.exec(`PRAGMA busy_timeout = ${ms}`);
  }
}

/** Identifies the file at a path, to notice that it was replaced; empty without a file. */
function readFileIdentity(file: string): string {
  return identify(statSync(file, { throwIfNoEntry: false }));
}

const identify = (stats: Stats | undefined) => (stats ? `${stats.dev}:${stats.ino}` : '');

export interface PreparedStatement {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

/** Reads the version of the schema with a statement that is prepared once. */
const readOpenVersion = (db: DatabaseSync): number =>
  Number(prepare(db, 'PRAGMA user_version').statement.get()?.['user_version']);

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

type FileState = ReturnType<typeof readState>;

/** A check of all pages of a larger database takes some 10 ms or more: it gets at most a twentieth of the time. */
const SMALL_BYTES = 8 * 1024 * 1024;
const PAUSE_PER_MS = 20;

/**
 * Notices that another program cut or overwrote the files of an open database. SQLite itself notices it at the next
 * checkpoint, and what was committed until then is lost. A change of the file between two uses was made by another
 * program: a checkpoint, or damage. One during a use is usually a checkpoint of its own commit.
 */
class DamageCheck {
  readonly #file: string;
  /** The file as one whose locks and log are ignored. */
  readonly #fileAlone: URL;
  #known: FileState;
  /** Whether a change was noticed whose pages were not read yet, because the last check was long. */
  #isDue = false;
  #pauseUntil = 0;

  constructor(file: string) {
    this.#file = file;
    this.#fileAlone = openAlone(file);
    this.#known = readState(file);
  }

  /** Identifies the file. */
  get identity(): string {
    return this.#known.identity;
  }

  /** Compares the files, as they are before a use, with the last use. Throws `UnusableDatabaseError`. */
  run(state: FileState): void {
    const known = this.#known;
    // Opened again, an empty file is a new database, and SQLite deletes the log beside it.
    if (state.size === 0 && known.size > 0) throw new UnusableDatabaseError(`${CHANGED}: it is empty`);
    const isShorter = state.size < known.size || state.logSize < known.logSize;
    if (state.changedAt !== known.changedAt || isShorter) {
      this.#isDue = true;
      verifyHeader(this.#fileAlone);
    }
    if (this.#isDue && (isShorter || performance.now() >= this.#pauseUntil)) {
      const began = performance.now();
      // Files shrink after VACUUM and checkpoints of other programs too.
      if (isShorter || state.size <= MAX_CHECKED_BYTES) verifyPages(this.#file);
      this.#isDue = false;
      const now = performance.now();
      if (state.size > SMALL_BYTES) this.#pauseUntil = now + (now - began) * PAUSE_PER_MS;
    }
    // Not before: pages that could not be read are read again at the next use.
    this.#known = state;
  }

  /** Remembers the files as a use has left them, so that the next one knows what others changed. */
  accept(): void {
    const state = readState(this.#file);
    const isChanged = state.changedAt !== this.#known.changedAt;
    if (state.identity !== this.#known.identity) return;
    this.#known = state;
    if (isChanged) verifyHeader(this.#fileAlone);
  }
}

function readState(file: string) {
  const main = statSync(file, { throwIfNoEntry: false });
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return {
    identity: identify(main),
    size: main?.size ?? 0,
    changedAt: main?.mtimeMs ?? 0,
    logSize: log?.size ?? 0,
  };
}

/**
 * Reads the first page from the file itself; any other connection would read it from the log. The file is opened by
 * SQLite, because a process that closes a file by other means loses SQLite's locks on it. What is wrong on the page is
 * no damage before a checkpoint has ended, except that it is no page of a database.
 */
function verifyHeader(fileAlone: URL): void {
  try {
    const db = new DatabaseSync(fileAlone, { readOnly: true });
    try {
      db.prepare('PRAGMA schema_version').get();
    } finally {
      closeQuietly(db);
    }
  } catch (error) {
    if (isNoDatabase(error)) throw describeChange(error);
  }
}

/** Reads every page on a connection of its own: the open one would read its cached pages. */
function verifyPages(file: string): void {
  let damage: UnusableDatabaseError | null = null;
  try {
    damage = findDamage(file);
  } catch (error) {
    if (parseSqliteErrorKind(error) !== 'locked') throw error;
  }
  if (damage !== null) throw describeChange(damage);
}

const describeChange = (error: unknown) =>
  new UnusableDatabaseError(`${CHANGED}: ${describeSqliteError(error)}`);

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
    check: () => writer.check(),
    commit: (packed) => writer.commit(packed),
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
    const kind = job === 'query' ? parseSqliteErrorKind(error) : 'other';
    const code = kind === 'invalid' || kind === 'damaged' ? kind : 'unavailable';
    return { id, code, message: describeSqliteError(error) };
  }
}

/** Runs the jobs of a database in the calling thread, which waits for the disk meanwhile. */
export class InlineJobs implements JobRunner {
  readonly #jobs: Readonly<Record<string, Job>>;
  readonly #onDamage: () => void;
  #isClosed = false;

  constructor(settings: ThreadSettings, report: (message: string) => void, onDamage: () => void) {
    this.#jobs = createJobs(settings, report);
    this.#onDamage = onDamage;
  }

  async run<Name extends keyof ThreadJobs>(
    job: Name,
    argument: Parameters<ThreadJobs[Name]>[0],
  ): Promise<ReturnType<ThreadJobs[Name]>> {
    if (this.#isClosed) throw new SqlError('closed', 'the database is closed');
    const reply = runJob(this.#jobs, { id: 0, job, argument });
    if ('code' in reply) throw buildReplyError(reply, this.#onDamage);
    return reply.result as never;
  }

  async close(): Promise<void> {
    if (!this.#isClosed) await this.run('close', null);
    this.#isClosed = true;
  }
}

/** The jobs of the thread that reads: a connection of its own, so that a long report delays no commit. */
class DatabaseReader {
  readonly #settings: ThreadSettings;
  #db: DatabaseSync | null = null;
  #identity = '';

  constructor(settings: ThreadSettings) {
    this.#settings = settings;
  }

  query(statement: SqlStatement): readonly SqlRow[] {
    const { file, isReplaceable } = this.#settings;
    try {
      return this.#run(statement);
    } catch (error) {
      if (parseSqliteErrorKind(error) !== 'damaged') throw error;
    }
    try {
      // The file may have been restored under the open connection.
      return this.#run(statement);
    } catch (error) {
      const damage = isReplaceable ? null : confirmDamage(file, error);
      throw damage === null ? error : explainDamage(file, damage);
    }
  }

  #run({ sql, values = [] }: SqlStatement): readonly SqlRow[] {
    try {
      const result = run(prepare(this.#open(), sql), values);
      return typeof result === 'number' ? [] : result;
    } catch (error) {
      if (parseSqliteErrorKind(error) !== 'invalid') this.close();
      throw error;
    }
  }

  close(): null {
    this.#db?.close();
    this.#db = null;
    connections.delete(this);
    return null;
  }

  #open(): DatabaseSync {
    const { file, lockWaitMs, cacheKb, migrations, readsNewer } = this.#settings;
    const identity = readFileIdentity(file);
    if (this.#db && identity !== this.#identity) this.close();
    if (identity === '') throw new Error(`there is no database at ${file}`);
    if (this.#db) {
      if (!readsNewer) refuseNewer(this.#db, migrations, readOpenVersion(this.#db));
      return this.#db;
    }
    this.#db = new DatabaseSync(file, { readOnly: true, timeout: lockWaitMs });
    connections.set(this, file);
    this.#db.exec(`PRAGMA cache_size = -${cacheKb}`);
    this.#identity = identity;
    // What it reads differently could count money twice.
    if (!readsNewer) refuseNewer(this.#db, migrations);
    return this.#db;
  }
}

/** FULL: a commit returns after fsync. `secure_delete`: what retention removes is overwritten in the file. */
const PRAGMAS = 'PRAGMA synchronous = FULL; PRAGMA secure_delete = ON';

/** A note of the rows takes some 0.1 ms, on the thread that commits. */
const NOTE_MS = 1_000;

/** The jobs of the thread that writes. */
class DatabaseWriter {
  readonly #connection: SqliteConnection;
  readonly #file: string;
  #notedAt = Number.NEGATIVE_INFINITY;
  #ms = 0;

  constructor(settings: ThreadSettings, report: (message: string) => void) {
    const { file, migrations, lockWaitMs, isReplaceable, cacheKb } = settings;
    this.#file = file;
    this.#connection = new SqliteConnection({
      file,
      lockWaitMs,
      isReplaceable,
      pragmas: `${PRAGMAS}; PRAGMA cache_size = -${cacheKb}`,
      migrations,
      migrate: (db) => migrate(db, migrations),
      onCreate: () => report(`${file} did not exist and was created`),
      onMoved: () => report(`${file} was moved or deleted while in use; a new database is created`),
      onShort: (lacks) => report(`${file} lacks what it had: ${lacks}`),
      onQuarantine: (quarantined, reason) => {
        const had = describeNumbers(readNumbers(quarantined + CREATED_SUFFIX));
        const is = `${quarantined}${had === '' ? '' : ` (${had})`}`;
        report(`${file} cannot be used (${reason}); it is now ${is}, and a new database is created`);
      },
    });
  }

  open(): null {
    return this.#connection.use(() => null);
  }

  check(): null {
    this.#connection.check();
    return null;
  }

  /** Commits batches in one transaction. If one of them is invalid, each gets a transaction of its own. */
  commit({ texts, batches }: PackedBatches): ReturnType<ThreadJobs['commit']> {
    return this.#connection.use((db) => {
      this.#ms = 0;
      const outcomes = this.#commit(db, texts, batches);
      this.#note(db);
      return { outcomes, ms: this.#ms };
    });
  }

  #commit(db: DatabaseSync, texts: PackedBatches['texts'], batches: PackedBatches['batches']) {
    const statements: PreparedStatement[] = [];
    // A statement can need the table that the one before it creates, so none is prepared before its turn.
    const getStatement = (text: number) => {
      statements[text] ??= prepare(db, texts[text] ?? '');
      return statements[text];
    };
    const runBatch = (batch: PackedBatch) => batch.map(([text, values]) => run(getStatement(text), values));
    try {
      return transact(
        db,
        () => batches.map(runBatch),
        (ms) => {
          this.#ms = ms;
        },
      );
    } catch (error) {
      if (parseSqliteErrorKind(error) !== 'invalid') throw error;
      return batches.map((batch) => commitAlone(db, () => runBatch(batch)));
    }
  }

  /** What cannot be noted is noted later: the rows are stored. */
  #note(db: DatabaseSync, pauseMs = NOTE_MS): void {
    const now = performance.now();
    if (now - this.#notedAt < pauseMs || !this.#file.endsWith('.sqlite')) return;
    this.#notedAt = now;
    try {
      noteNumbers(db, this.#file);
    } catch {
      // As above.
    }
  }

  /** Other connections may stay open: without emptying it, the log would have what was deleted. */
  close(): null {
    const { db } = this.#connection;
    if (db !== undefined && this.#notedAt > 0) this.#note(db, 0);
    this.#connection.emptyLog();
    this.#connection.close();
    return null;
  }
}

function commitAlone(db: DatabaseSync, work: () => readonly ShortResult[]): BatchOutcome {
  try {
    return transact(db, work);
  } catch (error) {
    if (parseSqliteErrorKind(error) !== 'invalid') throw error;
    return { code: 'invalid', message: describeSqliteError(error) };
  }
}

/** Takes the write lock first, because upgrading a read lock can fail half-way. Returns after the fsync. */
function transact<T>(db: DatabaseSync, work: () => T, onCommit: (ms: number) => void = () => undefined): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    const began = performance.now();
    db.exec('COMMIT');
    onCommit(performance.now() - began);
    return result;
  } catch (error) {
    // Some errors, such as a full disk, have rolled back already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
