import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { SqlRow, SqlValue } from '../sql-executor.ts';

export interface PreparedStatement {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

const MAX_PREPARED = 100;

/** Prepared statements by SQL text, for as long as their connection is open. */
const prepared = new WeakMap<DatabaseSync, LRUCache<string, PreparedStatement>>();

/** Prepares a statement, or returns the one that was prepared for the same text. */
export function prepare(db: DatabaseSync, sql: string): PreparedStatement {
  const statements = prepared.get(db) ?? new LRUCache<string, PreparedStatement>({ max: MAX_PREPARED });
  prepared.set(db, statements);
  const known = statements.get(sql);
  if (known) return known;
  const statement = db.prepare(sql);
  const added = { statement, returnsRows: statement.columns().length > 0 };
  statements.set(sql, added);
  return added;
}

/** Runs a statement; returns its rows, or the number of rows that it has changed. Throws errors of `node:sqlite`. */
export function run(
  { statement, returnsRows }: PreparedStatement,
  values: readonly SqlValue[],
): readonly SqlRow[] | number {
  // Without BigInt mode, SQLite values are the types of SqlValue.
  if (returnsRows) return statement.all(...values) as readonly SqlRow[];
  return Number(statement.run(...values).changes);
}
