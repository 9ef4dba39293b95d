import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  SqlError,
  type SqlExecutor,
  type SqlResult,
  type SqlRow,
  type SqlStatement,
} from '../../../src/adapters/sql/sql-executor.ts';
import type { VirtualTime } from './virtual-time.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../migrations');

/** Opens a database in memory with the tables of events. */
export function openMemoryDatabase(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
  for (const name of files.sort()) db.exec(readFileSync(path.join(MIGRATIONS, name), 'utf8'));
  return db;
}

/**
 * A database behind a network: slow, lost before the commit, or committed without a response. While it is out,
 * everything fails.
 */
export class SimulatedDatabase implements SqlExecutor {
  /** Probability of each kind of failure. */
  failureRate = 0.15;
  isOut = false;
  readonly #db: DatabaseSync;
  readonly #time: VirtualTime;

  constructor(db: DatabaseSync, time: VirtualTime) {
    this.#db = db;
    this.#time = time;
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly SqlResult[]> {
    const { happens, pick, sleep } = this.#chance();
    await sleep(happens(this.failureRate) ? pick(100, 5_000) : pick(1, 40));
    if (this.isOut || happens(this.failureRate)) throw new SqlError('unavailable', 'the connection was lost');
    const results = this.#commit(statements);
    if (happens(this.failureRate)) throw new SqlError('unavailable', 'the response was lost');
    if (happens(this.failureRate / 3)) await new Promise(() => undefined);
    await sleep(pick(1, 20));
    return results;
  }

  async query(statement: SqlStatement): Promise<readonly SqlRow[]> {
    const [result] = this.#commit([statement]);
    return result?.rows ?? [];
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

  #commit(statements: readonly SqlStatement[]): readonly SqlResult[] {
    this.#db.exec('BEGIN');
    try {
      const results = statements.map(({ sql, values = [] }) => this.#run(sql, values));
      this.#db.exec('COMMIT');
      return results;
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw new SqlError('invalid', String(error), { cause: error });
    }
  }

  #run(sql: string, values: NonNullable<SqlStatement['values']>): SqlResult {
    const statement = this.#db.prepare(sql);
    if (statement.columns().length === 0) {
      return { rows: [], changes: Number(statement.run(...values).changes) };
    }
    return { rows: statement.all(...values) as readonly SqlRow[], changes: 0 };
  }
}
