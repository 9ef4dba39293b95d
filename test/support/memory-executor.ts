import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  SqlError,
  type SqlExecutor,
  type SqlResult,
  type SqlRow,
  type SqlStatement,
} from '../../src/stores/sql/sql-executor.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../migrations');

/** Opens a database in memory with the tables of a folder of migrations: those of events, or `console`. */
export function openMemoryDatabase(folder: '' | 'console' = ''): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  const migrations = path.join(MIGRATIONS, folder);
  const files = readdirSync(migrations).filter((name) => name.endsWith('.sql'));
  for (const name of files.sort()) db.exec(readFileSync(path.join(migrations, name), 'utf8'));
  return db;
}

/** Runs statements on a database in memory. */
export class MemoryExecutor implements SqlExecutor {
  readonly #db: DatabaseSync;
  #isClosed = false;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly SqlResult[]> {
    if (this.#isClosed) throw new SqlError('closed', 'the database is closed');
    return this.#commit(statements);
  }

  async query(statement: SqlStatement): Promise<readonly SqlRow[]> {
    const [result] = await this.batch([statement]);
    return result?.rows ?? [];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
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
