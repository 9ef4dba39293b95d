import type { DatabaseSync } from 'node:sqlite';
import type { SqlExecutor, SqlResult, SqlRow, SqlStatement } from '../../../src/stores/sql/sql-executor.ts';

/** Runs statements on an open database, which a command has to itself. */
export class FileExecutor implements Pick<SqlExecutor, 'batch' | 'query'> {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly SqlResult[]> {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const results = statements.map((statement) => this.#run(statement));
      this.#db.exec('COMMIT');
      return results;
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  async query(statement: SqlStatement): Promise<readonly SqlRow[]> {
    return this.#run(statement).rows;
  }

  #run({ sql, values = [] }: SqlStatement): SqlResult {
    const statement = this.#db.prepare(sql);
    if (statement.columns().length === 0) {
      return { rows: [], changes: Number(statement.run(...values).changes) };
    }
    // Without BigInt mode, SQLite values are the types of SqlValue.
    return { rows: statement.all(...values) as readonly SqlRow[], changes: 0 };
  }
}
