import { SqlError, type SqlResult } from '../sql-executor.ts';
import type { Batch, BatchOutcome } from './thread-client.ts';

export interface GroupCommitOptions {
  /** Commits batches in one transaction; resolves after the fsync with one outcome per batch. */
  readonly commit: (batches: readonly Batch[]) => Promise<readonly BatchOutcome[]>;
  /** Most statements in one transaction; a batch is never split. */
  readonly maxStatements: number;
  /** Most statements that may wait; a batch beyond them is refused at once. */
  readonly maxWaiting: number;
  /** ms after which a commit counts as stalled: every batch is refused until it returns. */
  readonly stallMs: number;
}

interface Entry {
  readonly batch: Batch;
  readonly resolve: (results: readonly SqlResult[]) => void;
  readonly reject: (error: SqlError) => void;
}

/**
 * Group commit: batches that arrive while a commit is under way, or in the same turn of the event loop, share the
 * next transaction, so that one fsync serves all of them.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #onIdle: (() => void)[] = [];
  #waiting: Entry[] = [];
  #waitingStatements = 0;
  #isBusy = false;
  #isStalled = false;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Resolves with the results of the batch once it is committed. Rejects with `SqlError`. */
  add(batch: Batch): Promise<readonly SqlResult[]> {
    if (this.#isStalled) return Promise.reject(buildStallError());
    if (this.#waitingStatements + batch.length > this.#options.maxWaiting) {
      return Promise.reject(new SqlError('unavailable', 'too many statements wait to be written'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, resolve, reject });
      this.#waitingStatements += batch.length;
      if (!this.#isBusy) {
        this.#isBusy = true;
        setImmediate(() => this.#flush());
      }
    });
  }

  /** Resolves when no batch waits and none is being committed. */
  drained(): Promise<void> {
    return this.#isBusy ? new Promise((resolve) => this.#onIdle.push(resolve)) : Promise.resolve();
  }

  #flush(): void {
    const group = this.#takeGroup();
    const timer = setTimeout(() => this.#stall(group), this.#options.stallMs);
    this.#options
      .commit(group.map(({ batch }) => batch))
      .then(
        (outcomes) => settle(group, outcomes),
        (error: SqlError) => rejectAll(group, error),
      )
      .finally(() => {
        clearTimeout(timer);
        this.#isStalled = false;
        if (this.#waiting.length > 0) setImmediate(() => this.#flush());
        else this.#becomeIdle();
      });
  }

  #takeGroup(): Entry[] {
    let statements = 0;
    let entries = 0;
    for (const { batch } of this.#waiting) {
      if (entries > 0 && statements + batch.length > this.#options.maxStatements) break;
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
    if (outcome && 'results' in outcome) resolve(outcome.results);
    else reject(new SqlError(outcome?.code ?? 'unavailable', outcome?.message ?? 'the batch has no outcome'));
  }
}

function rejectAll(group: readonly Entry[], error: SqlError): void {
  for (const { reject } of group) reject(error);
}

const buildStallError = () => new SqlError('unavailable', 'the disk does not respond');
