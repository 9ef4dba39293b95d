import path from 'node:path';
import { type EventStore, EventStoreError } from '../../core/journey/event-store.ts';
import { createAppendQueue } from './append-queue.ts';
import { buildEventRow } from './event-row.ts';
import { createSqliteEventReader } from './sqlite-event-reader.ts';
import { createThreadLink } from './sqlite-link.ts';
import { createProbe } from './sqlite-probe.ts';

/** Name of the database in the data folder. */
export const EVENT_FILE = 'events.sqlite';

export interface SqliteEventStoreOptions {
  /** Folder of `events.sqlite`; made when missing. */
  readonly dir: string;
  /** Takes one line for the operator's log, when something needs a look. */
  readonly report: (message: string) => void;
  /** ms to wait for a lock of another process before an append is refused; 1,000 when left out. */
  readonly lockWaitMs?: number;
  /** ms after which a disk that does not answer counts as unavailable; 5,000 when left out. */
  readonly stallMs?: number;
}

/** Of the project: this file is run as it stands, or bundled into `dist/server/`. */
const ROOT = path.resolve(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../../..' : '../..');

const ROWS_PER_COMMIT = 500;
const WAITING_ROWS = 20_000;
const ROWS_PER_REMOVAL = 500;

/**
 * Creates the store in one SQLite file. Two threads serve it, so that neither an fsync nor a lock nor a
 * long report ever stops the event loop. Never fails to start: what is wrong shows in `probe()` and in
 * rejected appends, and is tried again with every append.
 */
export function createSqliteEventStore(options: SqliteEventStoreOptions): EventStore {
  const file = path.join(options.dir, EVENT_FILE);
  const migrations = path.join(ROOT, 'migrations/');
  const { lockWaitMs = 1_000, stallMs = 5_000 } = options;
  const report = (message: string) => options.report(`[events:sqlite] ${message}`);

  const writer = createThreadLink({ role: 'write', file, migrations, lockWaitMs }, report);
  const reader = createSqliteEventReader(file, report);
  const queue = createAppendQueue({
    write: reportOutages((rows) => writer.run('append', rows), report),
    rowsPerCommit: ROWS_PER_COMMIT,
    waitingRows: WAITING_ROWS,
    stallMs,
  });
  const probe = createProbe(() => writer.run('probe'), stallMs);
  /** Opens the file now, so that a broken one is reported at start; a reader before it could find none. */
  const opened = probe();
  let isClosed = false;

  function checkOpen(): void {
    if (isClosed) throw new EventStoreError('closed', '[events:sqlite] the store is closed');
  }

  return {
    async append(events) {
      checkOpen();
      if (events.length === 0) return { stored: 0, duplicates: 0, conflicts: 0 };
      return queue.add(events.map(buildEventRow));
    },
    async *read(filter) {
      checkOpen();
      await opened;
      yield* reader.read(filter);
    },
    async count(filter) {
      checkOpen();
      await opened;
      return reader.count(filter);
    },
    async remove(filter) {
      checkOpen();
      let removed = 0;
      for (let step = ROWS_PER_REMOVAL; step === ROWS_PER_REMOVAL; removed += step) {
        step = await writer.run('remove', { filter, limit: ROWS_PER_REMOVAL });
      }
      return removed;
    },
    async probe() {
      return isClosed ? 'The store is closed.' : probe();
    },
    async close() {
      isClosed = true;
      await queue.drained();
      await Promise.all([writer.close(), reader.close()]);
    },
  };
}

/** Tells the operator when writing begins to fail and when it works again, not every time in between. */
function reportOutages<A, T>(
  write: (argument: A) => Promise<T>,
  report: (message: string) => void,
): (argument: A) => Promise<T> {
  let isOut = false;
  return async (argument) => {
    try {
      const result = await write(argument);
      if (isOut) report('events are stored again');
      isOut = false;
      return result;
    } catch (error) {
      if (!isOut) report(`events cannot be stored: ${error instanceof Error ? error.message : error}`);
      isOut = true;
      throw error;
    }
  };
}
