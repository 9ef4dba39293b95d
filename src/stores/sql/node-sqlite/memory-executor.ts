import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrate } from '../migrate.ts';
import { SqlError, type SqlExecutor, type SqlResult, type SqlStatement } from '../sql-executor.ts';
import { prepare, run } from './database-jobs.ts';
import { MIGRATIONS } from './node-sqlite-executor.ts';

/**
 * Opens a database in memory with the tables of a folder of migrations. It runs in the calling thread and is lost when
 * it is closed.
 */
export function openMemoryExecutor(migrations: string): SqlExecutor {
  const db = new DatabaseSync(':memory:');
  migrate(db, path.join(MIGRATIONS, migrations));
  return createInlineExecutor(db);
}

/** Runs statements on an open database in the calling thread. */
export function createInlineExecutor(db: DatabaseSync): SqlExecutor {
  const execute = ({ sql, values = [] }: SqlStatement): SqlResult => {
    const result = run(prepare(db, sql), values);
    return typeof result === 'number' ? { rows: [], changes: result } : { rows: result, changes: 0 };
  };
  const attempt = <T>(work: () => T): T => {
    if (!db.isOpen) throw new SqlError('closed', 'the database is closed');
    try {
      return work();
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw new SqlError('invalid', String(error), { cause: error });
    }
  };
  return {
    batch: async (statements) =>
      attempt(() => {
        db.exec('BEGIN');
        const results = statements.map(execute);
        db.exec('COMMIT');
        return results;
      }),
    query: async (statement) => attempt(() => execute(statement).rows),
    close: async () => {
      if (db.isOpen) db.close();
    },
  };
}
