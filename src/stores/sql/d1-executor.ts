import {
  SqlError,
  type SqlExecutor,
  type SqlResult,
  type SqlRow,
  type SqlStatement,
  type SqlValue,
} from './sql-executor.ts';

/** The part of a D1 binding that the executor uses; `D1Database` of Cloudflare's types is one. */
export interface D1Connection {
  prepare(sql: string): D1Statement;
  batch(statements: D1Statement[]): Promise<readonly D1Result[]>;
}

interface D1Statement {
  bind(...values: unknown[]): D1Statement;
  all(): Promise<D1Result>;
}

interface D1Result {
  readonly results: readonly unknown[];
  readonly meta: { readonly changes: number };
}

/**
 * Runs statements on D1; a batch is one transaction and one round trip. It has no state that one request could wait
 * for in another, so a worker may use one executor for all requests. Batches that are started at the same time are
 * committed in the order in which D1 receives them. D1 binds every number as REAL: a statement that needs an integer
 * where no column converts it, as in JSON, needs a CAST.
 */
export class D1Executor implements SqlExecutor {
  readonly #database: D1Connection;
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(database: D1Connection) {
    this.#database = database;
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly SqlResult[]> {
    const results = await this.#run(async () =>
      // D1 refuses an empty batch.
      statements.length === 0 ? [] : this.#database.batch(statements.map((one) => this.#prepare(one))),
    );
    return results.map(parseResult);
  }

  async query(statement: SqlStatement): Promise<readonly SqlRow[]> {
    const { results } = await this.#run(() => this.#prepare(statement).all());
    return results.map(parseRow);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
  }

  #prepare({ sql, values = [] }: SqlStatement): D1Statement {
    return this.#database.prepare(sql).bind(...values);
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new SqlError('closed', 'the database is closed');
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw buildD1Error(error);
    } finally {
      this.#running.delete(running);
    }
  }
}

/** Counts no changes for a statement that returns rows, as the port demands. */
function parseResult({ results, meta }: D1Result): SqlResult {
  return { rows: results.map(parseRow), changes: results.length > 0 ? 0 : meta.changes };
}

function parseRow(row: unknown): SqlRow {
  const parsed: Record<string, SqlValue> = {};
  for (const [name, value] of Object.entries(Object(row))) parsed[name] = parseValue(value);
  return parsed;
}

/** D1 returns a BLOB as a list of its bytes. */
function parseValue(value: unknown): SqlValue {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  if (Array.isArray(value)) return Uint8Array.from(value);
  throw new SqlError('unavailable', `D1 returned a value of the unknown type ${typeof value}`);
}

/**
 * Messages of D1 about a statement that cannot succeed, however often it runs. D1 has no error codes: the name of
 * SQLite's result code is part of the message.
 */
const INVALID = [
  /SQLITE_(?:ERROR|TOOBIG|CONSTRAINT|MISMATCH|RANGE|AUTH)\b/,
  /Wrong number of parameter bindings/,
  /No SQL statements detected/,
  /please use the state\.storage\.transaction\(\)/,
  /^D1_TYPE_ERROR/,
];

/**
 * Builds the executor's error for what D1 throws. Everything that is not known to be the statement's own fault counts
 * as `unavailable`: a lost connection, an overloaded database, a timeout, a full database.
 */
export function buildD1Error(error: unknown): SqlError {
  const message = error instanceof Error ? error.message : String(error);
  const code = INVALID.some((pattern) => pattern.test(message)) ? 'invalid' : 'unavailable';
  return new SqlError(code, message.replace(/^D1_ERROR: /, ''), { cause: error });
}
