import type { DatabaseSync } from 'node:sqlite';
import {
  SqlError,
  type SqlExecutor,
  type SqlResult,
  type SqlRow,
  type SqlStatement,
} from '../../../src/adapters/sql/sql-executor.ts';
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
    const { happens, pick, sleep } = this.#chance();
    await sleep(happens(this.failureRate) ? pick(100, 5_000) : pick(1, 40));
    if (this.isOut || happens(this.failureRate)) throw new SqlError('unavailable', 'the connection was lost');
    const results = await this.#executor.batch(statements);
    if (happens(this.failureRate)) throw new SqlError('unavailable', 'the response was lost');
    if (happens(this.failureRate / 3)) await new Promise(() => undefined);
    await sleep(pick(1, 20));
    return results;
  }

  async query(statement: SqlStatement): Promise<readonly SqlRow[]> {
    return this.#executor.query(statement);
  }

  async close(): Promise<void> {}

  #chance() {
    const time = this.#time;
    return {
      happens: (probability: number) => time.happens(probability),
      pick: (min: number, max: number) => time.pick(min, max),
      sleep: time.sleep,
    };
  }
}
