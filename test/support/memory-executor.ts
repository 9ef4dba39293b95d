import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  SqlError,
  type SqlExecutor,
  type SqlResult,
  type SqlRow,
  type SqlStatement,
} from '../../src/stores/sql/sql-executor.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../migrations');

/** The SQL of each folder of migrations, which is read once. */
const schemas = new Map<string, string>();

function readSchema(folder: string): string {
  const files = readdirSync(path.join(MIGRATIONS, folder)).filter((name) => name.endsWith('.sql'));
  return files
    .sort()
    .map((name) => readFileSync(path.join(MIGRATIONS, folder, name), 'utf8'))
    .join(';\n');
}

/** Opens a database in memory with the tables of a folder of migrations: those of events when left out. */
export function openMemoryDatabase(
  folder: '' | 'articles' | 'commissions' | 'console' | 'notifications' = '',
): DatabaseSync {
  const schema = schemas.get(folder) ?? readSchema(folder);
  schemas.set(folder, schema);
  const db = new DatabaseSync(':memory:');
  db.exec(schema);
  return db;
}

/** Runs statements on a database in memory. */
export class MemoryExecutor implements SqlExecutor {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();
  #isClosed = false;
  /** What every call rejects with; null: nothing fails. */
  failure: Error | null = null;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly SqlResult[]> {
    if (this.#isClosed) throw new SqlError('closed', 'the database is closed');
    if (this.failure !== null) throw this.failure;
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
    const statement = this.#prepared.get(sql) ?? this.#db.prepare(sql);
    this.#prepared.set(sql, statement);
    if (statement.columns().length === 0) {
      return { rows: [], changes: Number(statement.run(...values).changes) };
    }
    return { rows: statement.all(...values) as readonly SqlRow[], changes: 0 };
  }
}
