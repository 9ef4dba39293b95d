import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../server/log.ts';
import { parseCopyPlace, type Settings } from '../../server/settings.ts';
import { stopNotes } from '../../stores/copied-data.ts';
import { COPY_FOLDER, noteCopyFailure } from '../../stores/data-copy.ts';

/** What the thread that copies starts with. */
export interface CopyThreadStart {
  readonly dataDir: string;
  readonly place: ReturnType<typeof parseCopyPlace>;
  readonly credentials: string;
  readonly secret: string;
  readonly wait: Settings['LEDGER_COPY_WAIT'];
  readonly timeZone: string;
  readonly minFreeMb: number;
}

/**
 * Asks the thread to reply with the same number once everything is copied that was committed before; a negative one: and
 * then to end.
 */
export type CopyThreadRequest = number;

/** For how long the response to a network waits for the copy. */
export const COPY_WAIT_MS = 2_000;
/** A thread that ended by a fault is started again after so long. */
const RESTART_MS = 10_000;
const CLOSE_MS = 3_000;
const THREAD = `./copy-thread${path.extname(import.meta.filename)}`;

/** The copying of the data, in a thread of its own. */
export class CopyClient {
  readonly #start: CopyThreadStart;
  readonly #log: Log;
  readonly #waiting = new Map<number, () => void>();
  #worker: Worker;
  #lastId = 0;
  #isClosed = false;

  constructor(start: CopyThreadStart, log: Log) {
    this.#start = start;
    this.#log = log;
    this.#worker = this.#open();
  }

  /** Resolves with whether the copy has everything that was committed before, after two seconds at most. */
  wait(): Promise<boolean> {
    if (this.#start.wait === 'no') return Promise.resolve(true);
    return this.#ask(++this.#lastId, COPY_WAIT_MS);
  }

  /** Copies what is left and ends the thread; what cannot be copied now follows after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#ask(-1, CLOSE_MS);
    await this.#worker.terminate();
  }

  #ask(id: CopyThreadRequest, timeoutMs: number): Promise<boolean> {
    const timeout = new AbortController();
    const isLate = sleep(timeoutMs, false, { signal: timeout.signal }).catch(() => false);
    const isCopied = new Promise<boolean>((resolve) => this.#waiting.set(id, () => resolve(true)));
    this.#worker.postMessage(id);
    return Promise.race([isCopied, isLate]).finally(() => {
      timeout.abort();
      this.#waiting.delete(id);
    });
  }

  #open(): Worker {
    const worker = new Worker(new URL(THREAD, import.meta.url), { workerData: this.#start, execArgv: [] });
    worker.on('message', (id: CopyThreadRequest) => this.#waiting.get(id)?.());
    worker.on('error', (error) => {
      this.#log.error('copy: its thread failed', { error });
      try {
        noteCopyFailure(this.#start.dataDir, String(error), Date.now());
      } catch {
        // The disk of the data is reported by what else writes to it.
      }
    });
    worker.on('exit', () => {
      if (this.#isClosed) return;
      setTimeout(() => {
        if (!this.#isClosed) this.#worker = this.#open();
      }, RESTART_MS).unref();
    });
    worker.unref();
    return worker;
  }
}

/** Begins to copy the data as the settings say; undefined without a copy, which ends the notes of an earlier one. */
export function openCopy(settings: Settings, log: Log): CopyClient | undefined {
  const dataDir = path.resolve(settings.DATA_DIR);
  if (settings.LEDGER_COPY === '') {
    const folder = path.join(dataDir, COPY_FOLDER);
    if (!existsSync(folder)) return undefined;
    try {
      stopNotes(dataDir);
      rmSync(folder, { recursive: true });
    } catch (error) {
      log.warn('copy: what it has noted cannot be removed', { error });
    }
    return undefined;
  }
  const start = {
    ...{ dataDir, place: parseCopyPlace(settings.LEDGER_COPY), secret: settings.LEDGER_COPY_KEY },
    ...{ credentials: settings.LEDGER_COPY_CREDENTIALS, wait: settings.LEDGER_COPY_WAIT },
    ...{ timeZone: settings.TIME_ZONE, minFreeMb: settings.MIN_FREE_MB },
  };
  return new CopyClient(start, log);
}
