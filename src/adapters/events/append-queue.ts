import { type AppendResult, EventStoreError } from '../../core/journey/event-store.ts';
import type { EventRow } from './event-row.ts';

/** What became of each row of a write, in order. */
export const OUTCOME = { stored: 0, duplicate: 1, conflict: 2 } as const;

export interface AppendQueueOptions {
  /** Writes rows in one transaction; resolves after the commit with an `OUTCOME` for each. */
  readonly write: (rows: readonly EventRow[]) => Promise<Uint8Array>;
  /** Rows in one transaction, at most; one append is never split. */
  readonly rowsPerCommit: number;
  /** Rows that may wait; what comes beyond them is refused at once. */
  readonly waitingRows: number;
  /** ms after which a write counts as stalled: everybody waiting is told, and the queue refuses until it returns. */
  readonly stallMs: number;
}

export interface AppendQueue {
  add(rows: readonly EventRow[]): Promise<AppendResult>;
  /** Resolves when nothing waits and nothing is being written. */
  drained(): Promise<void>;
}

interface Entry {
  readonly rows: readonly EventRow[];
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Creates the group commit: appends that arrive while a write is under way, or in the same turn of
 * the event loop, share the next transaction, so that one fsync serves all of them.
 */
export function createAppendQueue(options: AppendQueueOptions): AppendQueue {
  let waiting: Entry[] = [];
  let waitingRows = 0;
  let isBusy = false;
  let isStalled = false;
  const onIdle: (() => void)[] = [];

  function add(rows: readonly EventRow[]): Promise<AppendResult> {
    if (isStalled) return Promise.reject(stalled());
    if (waitingRows + rows.length > options.waitingRows) return Promise.reject(overfull());
    return new Promise((resolve, reject) => {
      waiting.push({ rows, resolve, reject });
      waitingRows += rows.length;
      if (!isBusy) {
        isBusy = true;
        setImmediate(flush);
      }
    });
  }

  function flush(): void {
    const group = takeGroup();
    const timer = setTimeout(() => stall(group), options.stallMs);
    options
      .write(group.flatMap((entry) => entry.rows))
      .then(
        (outcomes) => settle(group, outcomes),
        (error: Error) => rejectAll(group, error),
      )
      .finally(() => {
        clearTimeout(timer);
        isStalled = false;
        if (waiting.length > 0) setImmediate(flush);
        else becomeIdle();
      });
  }

  function takeGroup(): Entry[] {
    let rows = 0;
    let entries = 0;
    for (const entry of waiting) {
      if (entries > 0 && rows + entry.rows.length > options.rowsPerCommit) break;
      rows += entry.rows.length;
      entries++;
    }
    waitingRows -= rows;
    return waiting.splice(0, entries);
  }

  function stall(group: readonly Entry[]): void {
    isStalled = true;
    rejectAll(group, stalled());
    rejectAll(waiting, stalled());
    waiting = [];
    waitingRows = 0;
  }

  function becomeIdle(): void {
    isBusy = false;
    for (const done of onIdle.splice(0)) done();
  }

  return {
    add,
    drained: () => (isBusy ? new Promise((resolve) => onIdle.push(resolve)) : Promise.resolve()),
  };
}

function settle(group: readonly Entry[], outcomes: Uint8Array): void {
  let next = 0;
  for (const entry of group) {
    const result = { stored: 0, duplicates: 0, conflicts: 0 };
    for (const end = next + entry.rows.length; next < end; next++) {
      if (outcomes[next] === OUTCOME.stored) result.stored++;
      else result.duplicates++;
      if (outcomes[next] === OUTCOME.conflict) result.conflicts++;
    }
    entry.resolve(result);
  }
}

function rejectAll(group: readonly Entry[], error: Error): void {
  for (const entry of group) entry.reject(error);
}

const stalled = () => new EventStoreError('unavailable', '[events:queue] the disk does not answer');
const overfull = () =>
  new EventStoreError('unavailable', '[events:queue] too many events wait to be written');
