import type {
  AttemptRate,
  TemporaryKind,
  TemporaryStore,
  TemporaryValue,
} from '../../core/console/temporary-store.ts';
import type { SqlExecutor, SqlStatement } from '../sql/sql-executor.ts';
import { convertOperatorErrors } from './sql-operator-store.ts';

const PUT = `INSERT INTO temporary_values (kind, key, value, expires_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`;
const REMOVE_EXCESS = `DELETE FROM temporary_values WHERE kind = ? AND key IN (SELECT key FROM temporary_values
  WHERE kind = ? AND key <> ? ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`;
const REMOVE_ATTEMPTS = 'DELETE FROM attempts WHERE full_at <= ?';
const READ = 'SELECT value FROM temporary_values WHERE kind = ? AND key = ? AND expires_at > ?';
const READ_ALL = 'SELECT value FROM temporary_values WHERE kind = ? AND expires_at > ? ORDER BY key';
const TAKE = 'DELETE FROM temporary_values WHERE kind = ? AND key = ? AND expires_at > ? RETURNING value';
const REMOVE = 'DELETE FROM temporary_values WHERE kind = ? AND substr(key, 1, length(?)) = ?';

/**
 * `full_at` is when all attempts are available again (the generic cell rate algorithm). A time further ahead than the
 * rate allows comes from a clock that was wrong, and does not count.
 */
const START = 'iif(full_at > ?, ?, max(full_at, ?))';
const TAKE_ATTEMPT = `INSERT INTO attempts (key, full_at) VALUES (?, ?)
  ON CONFLICT (key) DO UPDATE SET full_at = ${START} + ? WHERE ${START} <= ?`;

/** The temporary store over any SQL executor, which belongs to the operator store of the same database. */
export class SqlTemporaryStore implements TemporaryStore {
  readonly #executor: Pick<SqlExecutor, 'batch' | 'query'>;

  constructor(executor: Pick<SqlExecutor, 'batch' | 'query'>) {
    this.#executor = executor;
  }

  async put(
    { kind, key, value, expiresAt }: TemporaryValue,
    { now, max }: { readonly now: number; readonly max?: number },
  ): Promise<void> {
    await this.#write([
      ...buildRemoval(now),
      { sql: PUT, values: [kind, key, value, expiresAt] },
      ...(max === undefined ? [] : [{ sql: REMOVE_EXCESS, values: [kind, kind, key, max - 1] }]),
    ]);
  }

  async read(kind: TemporaryKind, key: string, now: number): Promise<string | null> {
    const [row] = await convertOperatorErrors(this.#executor.query({ sql: READ, values: [kind, key, now] }));
    return row === undefined ? null : String(row['value']);
  }

  async readAll(kind: TemporaryKind, now: number): Promise<readonly string[]> {
    const rows = await convertOperatorErrors(this.#executor.query({ sql: READ_ALL, values: [kind, now] }));
    return rows.map((row) => String(row['value']));
  }

  async take(kind: TemporaryKind, key: string, now: number): Promise<string | null> {
    const [result] = await this.#write([{ sql: TAKE, values: [kind, key, now] }]);
    const row = result?.rows[0];
    return row === undefined ? null : String(row['value']);
  }

  async remove(kind: TemporaryKind, beginning: string): Promise<void> {
    await this.#write([{ sql: REMOVE, values: [kind, beginning, beginning] }]);
  }

  async removeExpired(now: number): Promise<void> {
    await this.#write(buildRemoval(now));
  }

  async takeAttempt(key: string, { intervalMs, burst }: AttemptRate, now: number): Promise<number> {
    const furthest = now + intervalMs * burst;
    const start = [furthest, now, now];
    const [, result, known] = await this.#write([
      { sql: REMOVE_ATTEMPTS, values: [now] },
      {
        sql: TAKE_ATTEMPT,
        values: [key, now + intervalMs, ...start, intervalMs, ...start, furthest - intervalMs],
      },
      { sql: 'SELECT full_at FROM attempts WHERE key = ?', values: [key] },
    ]);
    if (result?.changes === 1) return 0;
    return Math.max(1, Number(known?.rows[0]?.['full_at']) + intervalMs - furthest);
  }

  #write(statements: readonly SqlStatement[]): ReturnType<SqlExecutor['batch']> {
    return convertOperatorErrors(this.#executor.batch(statements));
  }
}

function buildRemoval(now: number): readonly SqlStatement[] {
  return [
    { sql: 'DELETE FROM temporary_values WHERE expires_at <= ?', values: [now] },
    { sql: REMOVE_ATTEMPTS, values: [now] },
  ];
}
