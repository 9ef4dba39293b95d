import { DatabaseSync } from 'node:sqlite';
import type { SqlRow, SqlStatement } from '../sql-executor.ts';
import { explainDamage } from './open-database.ts';
import { prepare, run } from './prepared-statement.ts';
import { readFileIdentity } from './sqlite-connection.ts';
import { parseSqliteErrorKind } from './sqlite-error.ts';
import type { ThreadSettings } from './thread-messages.ts';

/** The jobs of the thread that reads: a connection of its own, so that a long report delays no commit. */
export class DatabaseReader {
  readonly #settings: ThreadSettings;
  #db: DatabaseSync | null = null;
  #identity = '';

  constructor(settings: ThreadSettings) {
    this.#settings = settings;
  }

  query({ sql, values = [] }: SqlStatement): readonly SqlRow[] {
    const { file, isReplaceable } = this.#settings;
    try {
      const result = run(prepare(this.#open(), sql), values);
      return typeof result === 'number' ? [] : result;
    } catch (error) {
      const kind = parseSqliteErrorKind(error);
      if (kind !== 'invalid') this.close();
      throw kind === 'damaged' && !isReplaceable ? explainDamage(file, error) : error;
    }
  }

  close(): null {
    this.#db?.close();
    this.#db = null;
    return null;
  }

  #open(): DatabaseSync {
    const { file, lockWaitMs, cacheKb } = this.#settings;
    const identity = readFileIdentity(file);
    if (this.#db && identity !== this.#identity) this.close();
    if (identity === '') throw new Error(`there is no database at ${file}`);
    if (this.#db) return this.#db;
    this.#db = new DatabaseSync(file, { readOnly: true, timeout: lockWaitMs });
    this.#db.exec(`PRAGMA cache_size = -${cacheKb}`);
    this.#identity = identity;
    return this.#db;
  }
}
