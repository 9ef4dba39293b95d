import type { DatabaseSync } from 'node:sqlite';
import {
  SqlError,
  type SqlExecutor,
  type SqlResult,
  type SqlRow,
  type SqlStatement,
} from '../../../src/stores/sql/sql-executor.ts';
import { MemoryExecutor } from '../memory-executor.ts';
import type { VirtualTime } from './virtual-time.ts';

/**
 * A database behind a network: slow, lost before the commit, or committed without a response. While it is out,
 * everything fails.
 */
export class SimulatedDatabase implements SqlExecutor {
  /** Probability of each kind of failure. */
  failureRate = 0.15;
  isOut = false;
  readonly #executor: MemoryExecutor;
  readonly #time: VirtualTime;

  constructor(db: DatabaseSync, time: VirtualTime) {
    this.#executor = new MemoryExecutor(db);
    this.#time = time;
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly SqlResult[]> {
    const time = this.#time;
    await time.sleep(time.happens(this.failureRate) ? time.pick(100, 5_000) : time.pick(1, 40));
    if (this.isOut || time.happens(this.failureRate))
      throw new SqlError('unavailable', 'the connection was lost');
    const results = await this.#executor.batch(statements);
    if (time.happens(this.failureRate)) throw new SqlError('unavailable', 'the response was lost');
    if (time.happens(this.failureRate / 3)) await new Promise(() => undefined);
    await time.sleep(time.pick(1, 20));
    return results;
  }

  async query(statement: SqlStatement): Promise<readonly SqlRow[]> {
    return this.#executor.query(statement);
  }

  async close(): Promise<void> {}
}
