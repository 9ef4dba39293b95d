/** A value that a statement binds or a column holds. Store booleans as 0 and 1. */
export type SqlValue = string | number | null | Uint8Array;

/** One statement in the dialect that SQLite and D1 share, with positional parameters (`?`). */
export interface SqlStatement {
  readonly sql: string;
  /** One value for each `?`; none when left out. */
  readonly values?: readonly SqlValue[];
}

/** One row, by column name. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface SqlResult {
  /** The rows of a SELECT or a RETURNING clause; empty for other statements. */
  readonly rows: readonly SqlRow[];
  /** How many rows an INSERT, UPDATE or DELETE without RETURNING has changed; 0 for other statements. */
  readonly changes: number;
}

/**
 * The port that every store is written over. The contract suite is `test/contract/sql-executor.ts`; drivers are
 * `node-sqlite` (one process, one file) and, on Workers, D1, whose `batch` has the same semantics.
 */
export interface SqlExecutor {
  /**
   * Runs statements in order in one transaction. Resolves, with one result per statement, once the transaction is
   * on disk. Rejects with `SqlError`; after `unavailable` the transaction may still have been committed, so write
   * statements that can safely run twice.
   */
  batch(statements: readonly SqlStatement[]): Promise<readonly SqlResult[]>;
  /** Runs one statement that only reads. It sees every batch that has resolved and never delays one. */
  query(statement: SqlStatement): Promise<readonly SqlRow[]>;
  /** Whether the database was created; left out: it always is. */
  exists?(): boolean;
  /** Finishes the batches that were accepted and closes the database. Later calls reject with code `closed`. */
  close(): Promise<void>;
}

/**
 * `unavailable`: the database is full, locked, read-only or damaged; trying again can help.
 * `invalid`: the statement itself is wrong or violates a constraint; trying again cannot help.
 * `closed`: the executor was closed.
 */
export type SqlErrorCode = 'unavailable' | 'invalid' | 'closed';

export class SqlError extends Error {
  readonly code: SqlErrorCode;
  constructor(code: SqlErrorCode, message: string, options?: ErrorOptions) {
    super(`[sql] ${message}`, options);
    this.name = 'SqlError';
    this.code = code;
  }
}

const JUST_MS = 1_000;

/** The database of a store: an executor that rejects with the errors of the store, if it has any, instead of `SqlError`. */
export class Database {
  readonly #executor: SqlExecutor;
  readonly #fail: (error: unknown) => never;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(executor: SqlExecutor, convert: (error: SqlError) => Error = (error) => error) {
    this.#executor = executor;
    this.#fail = (error) => {
      throw error instanceof SqlError ? convert(error) : error;
    };
  }

  /** Whether the database was created. */
  exists(): boolean {
    return this.#executor.exists?.() ?? true;
  }

  /** Runs statements in one transaction, see `SqlExecutor`. */
  async batch(statements: readonly SqlStatement[]): Promise<readonly SqlResult[]> {
    const results = await this.#executor.batch(statements).catch(this.#fail);
    if (results.some(({ changes }) => changes > 0)) this.#writtenAt = performance.now();
    return results;
  }

  /** Whether something was written within the last second: that it can be needs no other proof. */
  hasJustWritten(): boolean {
    return performance.now() - this.#writtenAt < JUST_MS;
  }

  /** Runs one statement; resolves with how many rows it has changed. */
  async change(sql: string, ...values: readonly SqlValue[]): Promise<number> {
    const [result] = await this.batch([{ sql, values }]);
    return result?.changes ?? 0;
  }

  /** Runs one statement with a RETURNING clause; resolves with its first row, undefined without one. */
  async changeRow(sql: string, ...values: readonly SqlValue[]): Promise<SqlRow | undefined> {
    const [result] = await this.batch([{ sql, values }]);
    return result?.rows[0];
  }

  /** Runs one statement that only reads. */
  read(sql: string, ...values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    return this.#executor.query({ sql, values }).catch(this.#fail);
  }

  /** Runs one statement that only reads; resolves with its first row, undefined without one. */
  async readRow(sql: string, ...values: readonly SqlValue[]): Promise<SqlRow | undefined> {
    const [row] = await this.read(sql, ...values);
    return row;
  }

  close(): Promise<void> {
    return this.#executor.close();
  }
}
