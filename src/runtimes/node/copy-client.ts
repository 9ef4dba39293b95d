import { existsSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../server/log.ts';
import { parseCopyPlace, type Settings } from '../../server/settings.ts';
import { stopNotes } from '../../stores/copied-data.ts';
import { COPY_FOLDER, noteCopyFailure } from '../../stores/data-copy.ts';
import { remove } from '../../stores/disk.ts';

/** For how long the response to a network waits for the copy. */
export const COPY_WAIT_MS = 2_000;
/** A thread that ended by a fault is started again after so long. */
const RESTART_MS = 10_000;
const CLOSE_MS = 3_000;
const THREAD = `./copy-thread${path.extname(import.meta.filename)}`;

/** What the thread that copies starts with. */
export type CopyThreadStart = ReturnType<typeof buildStart>;

const buildStart = (settings: Settings) => ({
  dataDir: path.resolve(settings.DATA_DIR),
  place: parseCopyPlace(settings.LEDGER_COPY),
  credentials: settings.LEDGER_COPY_CREDENTIALS,
  secret: settings.LEDGER_COPY_KEY,
  wait: settings.LEDGER_COPY_WAIT,
  timeZone: settings.TIME_ZONE,
  minFreeMb: settings.MIN_FREE_MB,
});

/**
 * Begins to copy the data as the settings say, in a thread of its own; undefined without a copy, which ends the notes of an
 * earlier one.
 */
export function openCopy(settings: Settings, log: Log) {
  if (settings.LEDGER_COPY === '') return endNotes(path.resolve(settings.DATA_DIR), log);
  const start = buildStart(settings);
  const waiting = new Map<number, () => void>();
  let [lastId, isClosed] = [0, false];
  const open = () => {
    const opened = new Worker(new URL(THREAD, import.meta.url), { workerData: start, execArgv: [] });
    opened.on('message', (id: number) => waiting.get(id)?.());
    opened.on('error', (error) => {
      log.error('copy: its thread failed', { error });
      try {
        noteCopyFailure(start.dataDir, String(error), Date.now());
      } catch {
        // The disk of the data is reported by what else writes to it.
      }
    });
    opened.on('exit', () => {
      setTimeout(() => {
        if (!isClosed) worker = open();
      }, RESTART_MS).unref();
    });
    opened.unref();
    return opened;
  };
  let worker = open();
  /** The thread replies with the same number once everything is copied that was committed before. */
  const ask = async (id: number, timeoutMs: number): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, timeoutMs, false);
    waiting.set(id, () => resolve(true));
    worker.postMessage(id);
    const isCopied = await promise;
    clearTimeout(timer);
    waiting.delete(id);
    return isCopied;
  };
  return {
    /** Resolves with whether the copy has everything that was committed before, after two seconds at most. */
    wait: async () => start.wait === 'no' || ask(++lastId, COPY_WAIT_MS),
    /** Copies what is left and ends the thread; what cannot be copied now follows after the next start. */
    async close() {
      isClosed = true;
      // A negative number ends the thread.
      await ask(-1, CLOSE_MS);
      await worker.terminate();
    },
  };
}

function endNotes(dataDir: string, log: Log): undefined {
  const folder = path.join(dataDir, COPY_FOLDER);
  if (!existsSync(folder)) return;
  try {
    stopNotes(dataDir);
    remove(folder);
  } catch (error) {
    log.warn('copy: what it has noted cannot be removed', { error });
  }
}
