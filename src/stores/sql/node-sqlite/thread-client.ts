import path from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  SqlError,
  type SqlErrorCode,
  type SqlResult,
  type SqlRow,
  type SqlStatement,
  type SqlValue,
} from '../sql-executor.ts';

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: SqlError) => void;
}

/** Beside this file, whether it runs as TypeScript or bundled. */
const THREAD = `./database-thread${path.extname(import.meta.filename)}`;

/** What a thread creates lives as long as one job: with V8's default, its garbage takes 10 MB more. */
const YOUNG_GENERATION_MB = 4;

/** Posts jobs to a database thread, which runs them one after the other, away from the event loop. */
export class ThreadClient implements JobRunner {
  readonly #settings: ThreadSettings;
  readonly #report: (message: string) => void;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #lastId = 0;
  #closed: Promise<null> | null = null;

  constructor(settings: ThreadSettings, report: (message: string) => void) {
    this.#settings = settings;
    this.#report = report;
  }

  /** Runs a job. The first one starts the thread, and so does the first one after the thread died. */
  run<Name extends keyof ThreadJobs>(
    job: Name,
    argument: Parameters<ThreadJobs[Name]>[0],
  ): Promise<ReturnType<ThreadJobs[Name]>> {
    if (this.#closed !== null) return Promise.reject(new SqlError('closed', 'the database is closed'));
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, job, argument });
    });
  }

  /** Lets the jobs before it finish, closes the database and ends the thread. */
  async close(): Promise<void> {
    this.#closed ??= this.#worker ? this.run('close', null) : Promise.resolve(null);
    await this.#closed;
  }

  #start(): Worker {
    const worker = new Worker(new URL(THREAD, import.meta.url), {
      workerData: this.#settings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    worker.on('message', (reply: ThreadReply) => this.#receive(reply));
    worker.on('error', (error) => this.#report(`the database thread failed: ${error.message}`));
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null;
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
    if ('code' in reply) waiting?.reject(new SqlError(reply.code, reply.message));
    else waiting?.resolve(reply.result as never);
  }
}

export interface ThreadSettings {
  /** The writer commits batches and creates the database; the reader runs queries and changes nothing. */
  readonly role: 'write' | 'read';
  readonly file: string;
  /** Folder of the migrations. */
  readonly migrations: string;
  /** ms to wait for a lock of another process. */
  readonly lockWaitMs: number;
  /** Whether a damaged or lost database is replaced by a new one. */
  readonly isReplaceable: boolean;
  /** Pages that the connection keeps, in KB. */
  readonly cacheKb: number;
}

export type Batch = readonly SqlStatement[];

/**
 * Batches as they travel to the thread. Copying them is a good part of what a commit costs the event loop, so each
 * SQL text is sent once, and statements refer to it.
 */
export interface PackedBatches {
  readonly texts: readonly string[];
  readonly batches: readonly PackedBatch[];
}

interface PackedBatch {
  /** The index in `texts` of each statement. */
  readonly statements: readonly number[];
  /** The values of each statement. */
  readonly values: readonly (readonly SqlValue[])[];
}

/** The result of one statement: its rows, or how many rows it has changed. */
export type PackedResult = readonly SqlRow[] | number;

/** What became of one batch of a commit. */
export type BatchOutcome<Result = SqlResult> =
  | { readonly results: readonly Result[] }
  | { readonly code: SqlErrorCode; readonly message: string };

/** The jobs of the two threads. Each runs alone, in the order in which they are posted. */
export interface ThreadJobs {
  /** Opens the database, so that a problem is reported at once. */
  open: (argument: null) => null;
  /** Commits batches, in one transaction if all of them are valid. */
  commit: (batches: PackedBatches) => readonly BatchOutcome<PackedResult>[];
  query: (statement: SqlStatement) => readonly SqlRow[];
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
  | { readonly id: number; readonly code: SqlErrorCode; readonly message: string }
  | { readonly report: string };

const NO_VALUES: readonly SqlValue[] = [];
const NO_ROWS: readonly SqlRow[] = [];

export function packBatches(batches: readonly Batch[]): PackedBatches {
  const indexes = new Map<string, number>();
  const pack = ({ sql }: SqlStatement) => {
    const index = indexes.get(sql) ?? indexes.size;
    indexes.set(sql, index);
    return index;
  };
  const packed = batches.map((batch) => ({
    statements: batch.map(pack),
    values: batch.map(({ values = NO_VALUES }) => values),
  }));
  return { texts: [...indexes.keys()], batches: packed };
}

export function unpackOutcome(outcome: BatchOutcome<PackedResult>): BatchOutcome {
  if (!('results' in outcome)) return outcome;
  return {
    results: outcome.results.map((result) =>
      typeof result === 'number' ? { rows: NO_ROWS, changes: result } : { rows: result, changes: 0 },
    ),
  };
}
