import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from './disk.ts';
import { migrate, readSchemaVersion } from './sql/migrate.ts';
import { MIGRATIONS, NodeSqliteExecutor } from './sql/node-sqlite/node-sqlite-executor.ts';
import { UnusableDatabaseError } from './sql/node-sqlite/sqlite-error.ts';
import { CREATED_SUFFIX, openDatabase } from './sql/quarantine.ts';
import {
  SqlError,
  type SqlExecutor,
  type SqlResult,
  type SqlRow,
  type SqlStatement,
} from './sql/sql-executor.ts';

/**
 * The name of the ledger's database in the data folder: a file of its own, because it must never be replaced by an empty
 * one. While it is damaged everything is refused, whereas damaged events are replaced by an empty database.
 */
export const LEDGER_FILE = 'commissions.sqlite';

/**
 * A database whose file is opened once it is there, and created by the first batch that adds something. Until then it
 * has no rows. A file that was there once and is gone is an error, also for the next process: a mark beside it says so.
 */
export class UncreatedDatabase implements SqlExecutor {
  readonly #file: string;
  readonly #open: () => SqlExecutor;
  #opened: SqlExecutor | null = null;
  #isMarked = false;
  #isClosed = false;

  constructor(file: string, open: () => SqlExecutor) {
    this.#file = file;
    this.#open = open;
  }

  exists(): boolean {
    return this.#opened !== null || ['', '-wal', CREATED_SUFFIX].some((end) => existsSync(this.#file + end));
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly SqlResult[]> {
    // Nothing can be changed or removed in a database without rows.
    const isEmpty = statements.every(({ sql }) => /^\s*(?:UPDATE|DELETE)\b/i.test(sql));
    const executor = this.#find(!isEmpty);
    if (executor === null) return statements.map(() => ({ rows: [], changes: 0 }));
    const results = await executor.batch(statements);
    this.#mark();
    return results;
  }

  async query(statement: SqlStatement): Promise<readonly SqlRow[]> {
    const executor = this.#find(false);
    if (executor === null) return [];
    const rows = await executor.query(statement);
    this.#mark();
    return rows;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opened?.close();
  }

  #find(isCreated: boolean): SqlExecutor | null {
    if (this.#isClosed) throw new SqlError('closed', 'the database is closed');
    if (this.#opened !== null) return this.#opened;
    if (!existsSync(this.#file) && existsSync(this.#file + CREATED_SUFFIX)) {
      const mark = path.basename(this.#file + CREATED_SUFFIX);
      throw new SqlError(
        'unavailable',
        `${this.#file} is gone: put it back, or restore it from a backup; without ${mark} an empty one is created`,
      );
    }
    if (isCreated || this.exists()) this.#opened = this.#open();
    return this.#opened;
  }

  #mark(): void {
    if (this.#isMarked) return;
    this.#isMarked = true;
    try {
      createPrivateFile(this.#file + CREATED_SUFFIX);
    } catch {
      // The folder cannot be written, as after a restore for reading: the next process marks the file.
    }
  }
}

/** The name of the console's database in the data folder; without an operator, anyone could become the first one. */
export const CONSOLE_FILE = 'console.sqlite';

/** The name of the outbox in the data folder: it has what must not be sent twice, and nothing else. */
export const OUTBOX_FILE = 'notifications.sqlite';

/** The first version of copies of articles that can still be read. */
const FIRST_ARTICLE_VERSION = 4;
const ARTICLE_MIGRATIONS = path.join(MIGRATIONS, 'articles');
const ARTICLE_LOCK_WAIT_MS = 2_000;

/**
 * Opens the copies of articles in one SQLite file, which threads read and write: a large article or a slow disk does
 * not stop the event loop. Throws when the file cannot be opened or created. `report` gets one line about a file that
 * was damaged and replaced, and about a disk that cannot be written.
 */
export function openArticleDatabase(file: string, report: (message: string) => void): SqlExecutor {
  prepareArticleDatabase(file, (quarantined) =>
    report(`articles: the file of copies was damaged and is replaced; it is now ${quarantined}`),
  );
  return new NodeSqliteExecutor({ file, report, migrations: 'articles' });
}

/**
 * Brings the file of the copies of articles up to date, or creates it. A file that is damaged or too old is quarantined
 * and replaced, because everything in it can be read from the source again. `onQuarantine` gets its new name. Throws for
 * one that a newer program has written.
 */
export function prepareArticleDatabase(file: string, onQuarantine: (file: string) => void): void {
  openDatabase({
    file,
    pragmas: '',
    migrations: ARTICLE_MIGRATIONS,
    migrate: migrateArticles,
    lockWaitMs: ARTICLE_LOCK_WAIT_MS,
    onQuarantine,
  }).close();
}

function migrateArticles(db: DatabaseSync): void {
  const version = readSchemaVersion(db);
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (version < FIRST_ARTICLE_VERSION && !isEmpty) {
    throw new UnusableDatabaseError(`its schema version is ${version}`);
  }
  migrate(db, ARTICLE_MIGRATIONS);
}
