import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createInlineExecutor } from '../../src/stores/sql/node-sqlite/memory-executor.ts';
import {
  SqlError,
  type SqlExecutor,
  type SqlResult,
  type SqlRow,
  type SqlStatement,
} from '../../src/stores/sql/sql-executor.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../migrations');

/** An empty database with the tables of each folder of migrations. */
const empty = new Map<string, Uint8Array>();

function buildEmpty(folder: string): Uint8Array {
  const db = new DatabaseSync(':memory:');
  const files = readdirSync(path.join(MIGRATIONS, folder)).filter((name) => name.endsWith('.sql'));
  for (const name of files.sort()) db.exec(readFileSync(path.join(MIGRATIONS, folder, name), 'utf8'));
  return db.serialize();
}

/** Opens a database in memory with the tables of a folder of migrations: those of events when left out. */
export function openMemoryDatabase(
  folder: '' | 'articles' | 'commissions' | 'console' | 'notifications' = '',
): DatabaseSync {
  const image = empty.get(folder) ?? buildEmpty(folder);
  empty.set(folder, image);
  const db = new DatabaseSync(':memory:');
  db.deserialize(image);
  opened.add(db);
  return db;
}

const opened = new Set<DatabaseSync>();

/** Closes all databases in memory: the modules of a test file, which stay loaded, would keep theirs open. */
export function closeMemoryDatabases(): void {
  for (const db of opened) if (db.isOpen) db.close();
  opened.clear();
}

/** Runs statements on a database in memory, which stays open for others when it is closed. */
export class MemoryExecutor implements SqlExecutor {
  readonly #executor: SqlExecutor;
  #isClosed = false;
  /** What every call rejects with; null: nothing fails. */
  failure: Error | null = null;

  constructor(db: DatabaseSync) {
    this.#executor = createInlineExecutor(db);
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly SqlResult[]> {
    if (this.#isClosed) throw new SqlError('closed', 'the database is closed');
    if (this.failure !== null) throw this.failure;
    return this.#executor.batch(statements);
  }

  async query(statement: SqlStatement): Promise<readonly SqlRow[]> {
    const [result] = await this.batch([statement]);
    return result?.rows ?? [];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }
}
