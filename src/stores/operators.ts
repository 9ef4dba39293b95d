import {
  buildOperatorNameKey,
  type ConsolePreferences,
  type Operator,
  type OperatorSession,
  type OperatorSetup,
  type Passkey,
  type ShareLink,
} from '../core/console/operator.ts';
import { operatorRows } from './operator-rows.ts';
import {
  convertSqlErrors,
  type SqlExecutor,
  type SqlRow,
  type SqlStatement,
  type SqlValue,
} from './sql/sql-executor.ts';

/**
 * Who may use the console. Passwords and tokens are in it as hashes only. The contract suite is
 * `test/contract/operator-store.ts`. Every method rejects with `OperatorStoreError`. `now` is in ms since 1970.
 */
export interface OperatorStore {
  /** In the order of their creation. */
  readOperators(): Promise<readonly Operator[]>;
  /** The operator with an id; null when there is no such operator. */
  readOperator(id: string): Promise<Operator | null>;
  /** The operator with a name, compared as `buildOperatorNameKey` does. */
  findOperator(name: string): Promise<Operator | null>;
  /**
   * Removes an operator with all sessions, passkeys and setup addresses, unless no owner were left: false
   * when it is the last owner or does not exist.
   */
  removeOperator(id: string): Promise<boolean>;

  /** Stores a one-time address in place of the one with the same purpose. */
  writeSetup(setup: OperatorSetup): Promise<void>;
  /** The address with a token that can be used now; null otherwise. */
  findSetup(tokenHash: string, now: number): Promise<OperatorSetup | null>;
  /**
   * Uses up a one-time address and stores the operator, both or neither: a new one, or the new password of a known one,
   * whose sessions end. false when the address is used up or expired. Rejects with `name-taken`.
   */
  completeSetup(tokenHash: string, operator: Operator, now: number): Promise<boolean>;

  /**
   * Stores a new password of an operator and ends all sessions but one, both or neither. false when there is no such
   * operator any more.
   */
  changePassword(operatorId: string, passwordHash: string, exceptSessionId: string): Promise<boolean>;

  writeSession(session: OperatorSession): Promise<void>;
  /** The session with a token and its operator; null without one. Age is judged by the caller. */
  findSession(
    tokenHash: string,
  ): Promise<{ readonly session: OperatorSession; readonly operator: Operator } | null>;
  /** Notes that a session was used. */
  touchSession(id: string, now: number): Promise<void>;
  /** The sessions of an operator, the one that was used last first. */
  readSessions(operatorId: string): Promise<readonly OperatorSession[]>;
  /** Ends one session of an operator; false when the operator has no such session. */
  removeSession(operatorId: string, id: string): Promise<boolean>;
  /** Ends all sessions of an operator, except one if it is named; resolves with how many. */
  removeSessions(operatorId: string, exceptId?: string): Promise<number>;
  /**
   * Removes setup addresses and share links that have expired, and sessions that began before a time. Younger ones that
   * are too old to be used stay: they tell browsers of operators from strangers.
   */
  removeExpired(limits: { readonly createdBefore: number; readonly now: number }): Promise<void>;

  writePasskey(passkey: Passkey): Promise<void>;
  readPasskeys(operatorId: string): Promise<readonly Passkey[]>;
  findPasskey(id: string): Promise<Passkey | null>;
  /** Notes that a passkey was used, with its new counter. */
  touchPasskey(id: string, counter: number, now: number): Promise<void>;
  removePasskey(operatorId: string, id: string): Promise<boolean>;

  writeShareLink(link: ShareLink): Promise<void>;
  /** Links that have not expired, the newest first. */
  readShareLinks(now: number): Promise<readonly ShareLink[]>;
  findShareLink(tokenHash: string, now: number): Promise<ShareLink | null>;
  removeShareLink(id: string): Promise<boolean>;

  /** What owners have chosen; the defaults for the rest. */
  readPreferences(): Promise<ConsolePreferences>;
  writePreferences(preferences: ConsolePreferences): Promise<void>;

  close(): Promise<void>;
}

/** `unavailable`: full, locked, damaged or read-only. `name-taken`: another operator has the name. */
export type OperatorStoreErrorCode = 'unavailable' | 'closed' | 'name-taken';

/** Why the operators could not be read or written. */
export class OperatorStoreError extends Error {
  readonly code: OperatorStoreErrorCode;
  constructor(code: OperatorStoreErrorCode, message: string, options?: ErrorOptions) {
    super(`[operators] ${message}`, options);
    this.name = 'OperatorStoreError';
    this.code = code;
  }
}

const VALID_SETUP = `EXISTS (SELECT 1 FROM setups WHERE token_hash = ? AND expires_at > ?
  AND (operator_id IS NULL OR operator_id = ?))`;
/** A used-up address stores nothing; an operator that exists gets a new password and nothing else. */
const COMPLETE_SETUP = `INSERT INTO operators (id, name, name_key, role, password_hash, passkey_user_id, created_at)
  SELECT ?, ?, ?, ?, ?, ?, ? WHERE ${VALID_SETUP}
  ON CONFLICT (id) DO UPDATE SET password_hash = excluded.password_hash`;
const REMOVE_OPERATOR = `DELETE FROM operators WHERE id = ?
  AND (role <> 'owner' OR (SELECT count(*) FROM operators WHERE role = 'owner') > 1)`;
/** What belongs to an operator who is not there any more. */
const ORPHANS = ['sessions', 'passkeys', 'setups'].map((table) => ({
  sql: `DELETE FROM ${table} WHERE operator_id IS NOT NULL AND operator_id NOT IN (SELECT id FROM operators)`,
}));

/** The operator store over any SQL executor, which it closes with itself. */
export class SqlOperatorStore implements OperatorStore {
  readonly #executor: SqlExecutor;

  constructor(executor: SqlExecutor) {
    this.#executor = executor;
  }

  /** Whether there is a database of operators; the first setup address creates it. */
  exists(): boolean {
    return this.#executor.exists?.() ?? true;
  }

  async readOperators(): Promise<readonly Operator[]> {
    return (await this.#read('SELECT * FROM operators ORDER BY created_at, id')).map(operatorRows.operator);
  }

  async readOperator(id: string): Promise<Operator | null> {
    const [row] = await this.#read('SELECT * FROM operators WHERE id = ?', id);
    return row ? operatorRows.operator(row) : null;
  }

  async findOperator(name: string): Promise<Operator | null> {
    const [row] = await this.#read('SELECT * FROM operators WHERE name_key = ?', buildOperatorNameKey(name));
    return row ? operatorRows.operator(row) : null;
  }

  async removeOperator(id: string): Promise<boolean> {
    const [removed] = await this.#write([{ sql: REMOVE_OPERATOR, values: [id] }, ...ORPHANS]);
    return removed?.changes === 1;
  }

  async writeSetup({ tokenHash, purpose, operatorId, name, role, expiresAt }: OperatorSetup): Promise<void> {
    await this.#write([
      { sql: 'DELETE FROM setups WHERE purpose = ?', values: [purpose] },
      {
        sql: `INSERT INTO setups (token_hash, purpose, operator_id, name, role, expires_at)
          VALUES (?, ?, ?, ?, ?, ?)`,
        values: [tokenHash, purpose, operatorId, name, role, expiresAt],
      },
    ]);
  }

  async findSetup(tokenHash: string, now: number): Promise<OperatorSetup | null> {
    const [row] = await this.#read(
      'SELECT * FROM setups WHERE token_hash = ? AND expires_at > ?',
      tokenHash,
      now,
    );
    return row ? operatorRows.setup(row) : null;
  }

  async completeSetup(tokenHash: string, operator: Operator, now: number): Promise<boolean> {
    const { id, name, role, passwordHash, passkeyUserId, createdAt } = operator;
    const setup = [tokenHash, now, id];
    const nameKey = buildOperatorNameKey(name);
    const [stored] = await this.#write([
      {
        sql: COMPLETE_SETUP,
        values: [id, name, nameKey, role, passwordHash, passkeyUserId, createdAt, ...setup],
      },
      { sql: `DELETE FROM sessions WHERE operator_id = ? AND ${VALID_SETUP}`, values: [id, ...setup] },
      { sql: 'DELETE FROM setups WHERE token_hash = ?', values: [tokenHash] },
    ]);
    return stored?.changes === 1;
  }

  async changePassword(operatorId: string, passwordHash: string, exceptSessionId: string): Promise<boolean> {
    const [changed] = await this.#write([
      { sql: 'UPDATE operators SET password_hash = ? WHERE id = ?', values: [passwordHash, operatorId] },
      {
        sql: 'DELETE FROM sessions WHERE operator_id = ? AND id <> ?',
        values: [operatorId, exceptSessionId],
      },
    ]);
    return changed?.changes === 1;
  }

  async writeSession(session: OperatorSession): Promise<void> {
    const { id, tokenHash, operatorId, browser, createdAt, usedAt } = session;
    await this.#write([
      {
        sql: `INSERT INTO sessions (id, token_hash, operator_id, browser, created_at, used_at)
          VALUES (?, ?, ?, ?, ?, ?)`,
        values: [id, tokenHash, operatorId, browser, createdAt, usedAt],
      },
    ]);
  }

  async findSession(tokenHash: string) {
    const [row] = await this.#read('SELECT * FROM sessions WHERE token_hash = ?', tokenHash);
    if (row === undefined) return null;
    const session = operatorRows.session(row);
    const operator = await this.readOperator(session.operatorId);
    return operator && { session, operator };
  }

  async touchSession(id: string, now: number): Promise<void> {
    await this.#write([
      { sql: 'UPDATE sessions SET used_at = ? WHERE id = ? AND used_at < ?', values: [now, id, now] },
    ]);
  }

  async readSessions(operatorId: string): Promise<readonly OperatorSession[]> {
    const sql = 'SELECT * FROM sessions WHERE operator_id = ? ORDER BY used_at DESC, id';
    return (await this.#read(sql, operatorId)).map(operatorRows.session);
  }

  removeSession(operatorId: string, id: string): Promise<boolean> {
    return this.#remove('DELETE FROM sessions WHERE operator_id = ? AND id = ?', operatorId, id);
  }

  async removeSessions(operatorId: string, exceptId = ''): Promise<number> {
    const [removed] = await this.#write([
      { sql: 'DELETE FROM sessions WHERE operator_id = ? AND id <> ?', values: [operatorId, exceptId] },
    ]);
    return removed?.changes ?? 0;
  }

  async removeExpired({ createdBefore, now }: Parameters<OperatorStore['removeExpired']>[0]): Promise<void> {
    await this.#write([
      { sql: 'DELETE FROM sessions WHERE created_at < ?', values: [createdBefore] },
      { sql: 'DELETE FROM setups WHERE expires_at <= ?', values: [now] },
      { sql: 'DELETE FROM share_links WHERE expires_at <= ?', values: [now] },
    ]);
  }

  async writePasskey(passkey: Passkey): Promise<void> {
    const { id, operatorId, label, publicKey, counter, transports, createdAt, usedAt } = passkey;
    await this.#write([
      {
        sql: `INSERT INTO passkeys (id, operator_id, label, public_key, counter, transports, created_at, used_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        values: [id, operatorId, label, publicKey, counter, transports.join(' '), createdAt, usedAt],
      },
    ]);
  }

  async readPasskeys(operatorId: string): Promise<readonly Passkey[]> {
    const sql = 'SELECT * FROM passkeys WHERE operator_id = ? ORDER BY created_at, id';
    return (await this.#read(sql, operatorId)).map(operatorRows.passkey);
  }

  async findPasskey(id: string): Promise<Passkey | null> {
    const [row] = await this.#read('SELECT * FROM passkeys WHERE id = ?', id);
    return row ? operatorRows.passkey(row) : null;
  }

  async touchPasskey(id: string, counter: number, now: number): Promise<void> {
    await this.#write([
      { sql: 'UPDATE passkeys SET counter = ?, used_at = ? WHERE id = ?', values: [counter, now, id] },
    ]);
  }

  removePasskey(operatorId: string, id: string): Promise<boolean> {
    return this.#remove('DELETE FROM passkeys WHERE operator_id = ? AND id = ?', operatorId, id);
  }

  async writeShareLink(link: ShareLink): Promise<void> {
    const { id, tokenHash, view, parameters, label, createdBy, createdAt, expiresAt } = link;
    await this.#write([
      {
        sql: `INSERT INTO share_links (id, token_hash, view, parameters, label, created_by, created_at, expires_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        values: [id, tokenHash, view, parameters, label, createdBy, createdAt, expiresAt],
      },
    ]);
  }

  async readShareLinks(now: number): Promise<readonly ShareLink[]> {
    const sql = 'SELECT * FROM share_links WHERE expires_at > ? ORDER BY created_at DESC, id';
    return (await this.#read(sql, now)).map(operatorRows.shareLink);
  }

  async findShareLink(tokenHash: string, now: number): Promise<ShareLink | null> {
    const sql = 'SELECT * FROM share_links WHERE token_hash = ? AND expires_at > ?';
    const [row] = await this.#read(sql, tokenHash, now);
    return row ? operatorRows.shareLink(row) : null;
  }

  removeShareLink(id: string): Promise<boolean> {
    return this.#remove('DELETE FROM share_links WHERE id = ?', id);
  }

  async readPreferences(): Promise<ConsolePreferences> {
    return operatorRows.preferences(await this.#read('SELECT name, value FROM preferences'));
  }

  async writePreferences({ digest, weekStart }: ConsolePreferences): Promise<void> {
    const values = Object.entries({ digest, weekStart }).filter(([, value]) => value !== null);
    await this.#write([
      { sql: 'DELETE FROM preferences' },
      ...values.map((row) => ({ sql: 'INSERT INTO preferences (name, value) VALUES (?, ?)', values: row })),
    ]);
  }

  close(): Promise<void> {
    return this.#executor.close();
  }

  async #remove(sql: string, ...values: readonly SqlValue[]): Promise<boolean> {
    const [removed] = await this.#write([{ sql, values }]);
    return removed?.changes === 1;
  }

  #write(statements: readonly SqlStatement[]): ReturnType<SqlExecutor['batch']> {
    return convertOperatorErrors(this.#executor.batch(statements));
  }

  #read(sql: string, ...values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    return convertOperatorErrors(this.#executor.query({ sql, values }));
  }
}

/** Passes a result on, and an error of the executor as the one of the operators' ports. */
export function convertOperatorErrors<T>(result: Promise<T>): Promise<T> {
  return convertSqlErrors(result, (error) => {
    const isTaken = error.code === 'invalid' && error.message.includes('operators.name_key');
    const code = isTaken ? 'name-taken' : error.code === 'closed' ? 'closed' : 'unavailable';
    return new OperatorStoreError(code, error.message, { cause: error });
  });
}
