import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { SqlError } from '../sql-executor.ts';
import type { JobRunner, ThreadJobs, ThreadReply, ThreadSettings } from './thread-messages.ts';

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
