import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { EventStoreError } from '../../core/journey/event-store.ts';
import type { Jobs, ThreadSettings } from './sqlite-jobs.ts';

/** A thread that runs the jobs of its role, one after the other, away from the event loop. */
export interface ThreadLink {
  run<J extends keyof Jobs>(job: J, ...argument: Parameters<Jobs[J]>): Promise<ReturnType<Jobs[J]>>;
  /** Lets the jobs before it finish, closes the database and ends the thread. */
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

type Reply = { id: number; result: never } | { id: number; failure: string } | { report: string };

/** Beside this file, as it stands or bundled. */
const THREAD = `./sqlite-thread${path.extname(import.meta.filename)}`;

/** Creates the link; the thread starts with the first job and starts anew should it ever die. */
export function createThreadLink(settings: ThreadSettings, report: (message: string) => void): ThreadLink {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let lastId = 0;
  let closed: Promise<void> | null = null;

  function start(): Worker {
    const started = new Worker(new URL(THREAD, import.meta.url), { workerData: settings });
    started.on('message', receive);
    started.on('error', (error) => report(`the thread failed: ${error.message}`));
    started.on('exit', () => {
      if (worker === started) worker = null;
      for (const { reject } of waiting.values()) reject(unavailable('the thread ended'));
      waiting.clear();
    });
    return started;
  }

  function receive(reply: Reply): void {
    if ('report' in reply) {
      report(reply.report);
      return;
    }
    const entry = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('failure' in reply) entry?.reject(unavailable(reply.failure));
    else entry?.resolve(reply.result);
  }

  function post<T>(job: keyof Jobs | 'close', argument: unknown): Promise<T> {
    if (closed !== null) return Promise.reject(closedError());
    worker ??= start();
    const id = ++lastId;
    const result = new Promise<T>((resolve, reject) => waiting.set(id, { resolve, reject }));
    worker.postMessage({ id, job, argument });
    return result;
  }

  return {
    run: (job, argument?) => post(job, argument),
    close() {
      closed ??= worker ? post('close', undefined) : Promise.resolve();
      return closed;
    },
  };
}

function closedError(): EventStoreError {
  return new EventStoreError('closed', '[events:sqlite] the store is closed');
}

function unavailable(reason: string): EventStoreError {
  return new EventStoreError('unavailable', `[events:sqlite] ${reason}`);
}
