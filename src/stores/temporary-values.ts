import { withOperatorErrors } from './operators.ts';
import type { Database, SqlExecutor } from './sql/sql-executor.ts';

/** What a temporary value is for. */
export type TemporaryKind =
  | 'notice'
  | 'sent'
  | 'choices'
  | 'issued'
  | 'failures'
  | 'turn'
  | 'undo'
  | 'shop'
  | 'upload'
  | 'upload-bytes';

export interface TemporaryValue {
  readonly kind: TemporaryKind;
  /** Unique within its kind. */
  readonly key: string;
  /** At most a megabyte. */
  readonly value: string;
  /** ms since 1970; it is not found any more from then on. */
  readonly expiresAt: number;
}

/** How many attempts are taken: `burst` at once after a pause, then one each `intervalMs`. */
export interface AttemptRate {
  readonly intervalMs: number;
  readonly burst: number;
}

const PUT = `INSERT INTO temporary_values (kind, key, value, expires_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`;
const CLAIM = `INSERT INTO temporary_values (kind, key, value, expires_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
  WHERE temporary_values.expires_at <= ?`;
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

/**
 * What the console remembers between two requests, for minutes or hours, whichever process or instance of a worker
 * responds to them. The contract suite is `test/contract/temporary-values.ts`. Every method rejects with
 * `OperatorStoreError`. `now` is in ms since 1970.
 */
export class TemporaryValues {
  readonly #database: Database;

  /** The executor belongs to the operators of the same database, which close it. */
  constructor(executor: SqlExecutor) {
    this.#database = withOperatorErrors(executor);
  }

  /**
   * Stores a value in place of the one with its kind and key. Beyond `max` values of the kind, those that expire first
   * are removed.
   */
  async put(
    { kind, key, value, expiresAt }: TemporaryValue,
    { now, max }: { readonly now: number; readonly max?: number },
  ): Promise<void> {
    await this.#database.batch([
      { sql: REMOVE_ATTEMPTS, values: [now] },
      { sql: PUT, values: [kind, key, value, expiresAt] },
      ...(max === undefined ? [] : [{ sql: REMOVE_EXCESS, values: [kind, kind, key, max - 1] }]),
    ]);
  }

  /** Stores a value unless its key has one, and returns that one; null: it was stored. Of several callers one stores. */
  async claim({ kind, key, value, expiresAt }: TemporaryValue, now: number): Promise<string | null> {
    const changed = await this.#database.change(CLAIM, kind, key, value, expiresAt, now);
    return changed > 0 ? null : ((await this.read(kind, key, now)) ?? '');
  }

  /** The value of a key; null when it is missing or has expired. */
  async read(kind: TemporaryKind, key: string, now: number): Promise<string | null> {
    const row = await this.#database.readRow(READ, kind, key, now);
    return row === undefined ? null : String(row['value']);
  }

  /** The values of a kind that have not expired; for kinds with few values. */
  async readAll(kind: TemporaryKind, now: number): Promise<readonly string[]> {
    const rows = await this.#database.read(READ_ALL, kind, now);
    return rows.map((row) => String(row['value']));
  }

  /** Reads a value and removes it: of several callers one gets it. */
  async take(kind: TemporaryKind, key: string, now: number): Promise<string | null> {
    const row = await this.#database.changeRow(TAKE, kind, key, now);
    return row === undefined ? null : String(row['value']);
  }

  /** Removes the values whose key begins with a text. */
  async remove(kind: TemporaryKind, beginning: string): Promise<void> {
    await this.#database.change(REMOVE, kind, beginning, beginning);
  }

  /** Removes what has expired. `now` must not come from a clock that may be ahead. */
  async removeExpired(now: number): Promise<void> {
    await this.#database.batch([
      { sql: 'DELETE FROM temporary_values WHERE expires_at <= ?', values: [now] },
      { sql: REMOVE_ATTEMPTS, values: [now] },
    ]);
  }

  /** Counts an attempt and returns 0; or, when the rate is reached, counts nothing and returns the ms to wait. */
  async takeAttempt(key: string, { intervalMs, burst }: AttemptRate, now: number): Promise<number> {
    const { isTaken, fullAt } = await this.#takeFrom(key, { intervalMs, burst }, now);
    return isTaken ? 0 : Math.max(1, fullAt + intervalMs - (now + intervalMs * burst));
  }

  /**
   * Joins a queue in which one turn comes each `intervalMs` and `burst` wait at most. `at` is when the turn comes, `now`
   * if no other waits; or, with `isFull`, when the queue takes another one.
   */
  async queue(key: string, { intervalMs, burst }: AttemptRate, now: number) {
    const { isTaken, fullAt } = await this.#takeFrom(key, { intervalMs, burst }, now);
    if (isTaken) return { at: fullAt - intervalMs, isFull: false };
    return { at: Math.max(now + 1, fullAt + intervalMs - intervalMs * burst), isFull: true };
  }

  async #takeFrom(key: string, { intervalMs, burst }: AttemptRate, now: number) {
    const furthest = now + intervalMs * burst;
    const start = [furthest, now, now];
    const [, result, known] = await this.#database.batch([
      { sql: REMOVE_ATTEMPTS, values: [now] },
      {
        sql: TAKE_ATTEMPT,
        values: [key, now + intervalMs, ...start, intervalMs, ...start, furthest - intervalMs],
      },
      { sql: 'SELECT full_at FROM attempts WHERE key = ?', values: [key] },
    ]);
    return { isTaken: result?.changes === 1, fullAt: Number(known?.rows[0]?.['full_at']) };
  }
}
