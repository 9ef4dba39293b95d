import { z } from 'zod';
import { CONSOLE_VIEWS, type ConsoleViewKey } from '../core/console/console-view.ts';
import {
  buildOperatorNameKey,
  type ConsolePreferences,
  DEFAULT_PREFERENCES,
  DIGEST_CHOICES,
  type Operator,
  type OperatorSession,
  type OperatorSetup,
  type Passkey,
  type ShareLink,
  WEEK_STARTS,
} from '../core/console/operator.ts';
import { mapSqlErrors, type SqlExecutor, type SqlRow, type SqlValue } from './sql/sql-executor.ts';

const role = z.enum(['owner', 'viewer']);
const time = z.number().int();

const operator: z.ZodType<Operator> = z.object({
  id: z.string(),
  name: z.string(),
  role,
  passwordHash: z.string(),
  passkeyUserId: z.string(),
  createdAt: time,
});

const session: z.ZodType<OperatorSession> = z.object({
  id: z.string(),
  tokenHash: z.string(),
  operatorId: z.string(),
  browser: z.string(),
  createdAt: time,
  usedAt: time,
});

const setup: z.ZodType<OperatorSetup> = z.object({
  tokenHash: z.string(),
  purpose: z.string(),
  operatorId: z.string().nullable(),
  name: z.string(),
  role,
  expiresAt: time,
});

const passkey: z.ZodType<Passkey> = z.object({
  id: z.string(),
  operatorId: z.string(),
  label: z.string(),
  publicKey: z.string(),
  counter: z.number().int(),
  transports: z.string().transform((names) => names.split(' ').filter((name) => name !== '')),
  createdAt: time,
  usedAt: time.nullable(),
});

const shareLink: z.ZodType<ShareLink> = z.object({
  id: z.string(),
  tokenHash: z.string(),
  view: z.enum(CONSOLE_VIEWS.map(({ key }): ConsoleViewKey => key)),
  parameters: z.string(),
  label: z.string(),
  createdBy: z.string(),
  createdAt: time,
  expiresAt: time,
});

/** A choice that an older or newer version has written, and this one does not know, has its default. */
const preferences = z
  .array(z.object({ name: z.string(), value: z.string() }))
  .transform((rows): unknown => Object.fromEntries(rows.map(({ name, value }) => [name, value])))
  .pipe(
    z.object({
      digest: z.enum(DIGEST_CHOICES).nullable().catch(DEFAULT_PREFERENCES.digest),
      weekStart: z.enum(WEEK_STARTS).catch(DEFAULT_PREFERENCES.weekStart),
    }),
  );

/** Parsers of rows. They throw `OperatorStoreError` for a row that this program cannot have written. */
const operatorRows = {
  operator: (row: SqlRow) => parse(operator, renameColumns(row)),
  session: (row: SqlRow) => parse(session, renameColumns(row)),
  setup: (row: SqlRow) => parse(setup, renameColumns(row)),
  passkey: (row: SqlRow) => parse(passkey, renameColumns(row)),
  shareLink: (row: SqlRow) => parse(shareLink, renameColumns(row)),
  preferences: (rows: readonly SqlRow[]): ConsolePreferences => parse(preferences, rows),
};

/** The values of a row by the names of fields: `tokenHash` for `token_hash`. */
function renameColumns(row: SqlRow) {
  const rename = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [rename(column), value]));
}

function parse<Value>(schema: z.ZodType<Value>, input: unknown): Value {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new OperatorStoreError('unavailable', 'a row has a value that this program has not written');
}

/** Why the operators could not be read or written. */
export class OperatorStoreError extends Error {
  /** `unavailable`: full, locked, damaged or read-only. `name-taken`: another operator has the name. */
  readonly code: 'unavailable' | 'closed' | 'name-taken';
  constructor(code: OperatorStoreError['code'], message: string, options?: ErrorOptions) {
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

/**
 * Who may use the console. Passwords and tokens are in it as hashes only. The contract suite is
 * `test/contract/operators.ts`. Every method rejects with `OperatorStoreError`. `now` is in ms since 1970.
 */
export class Operators {
  readonly #database: SqlExecutor;

  /** The executor is closed with the operators. */
  constructor(executor: SqlExecutor) {
    this.#database = withOperatorErrors(executor);
  }

  /** Whether there is a database of operators; the first setup address creates it. */
  exists(): boolean {
    return this.#database.exists?.() ?? true;
  }

  /** In the order of their creation. */
  async readOperators(): Promise<readonly Operator[]> {
    return (await this.#read('SELECT * FROM operators ORDER BY created_at, id')).map(operatorRows.operator);
  }

  /** The operator with an id; null when there is no such operator. */
  async readOperator(id: string): Promise<Operator | null> {
    const [row] = await this.#read('SELECT * FROM operators WHERE id = ?', id);
    return row ? operatorRows.operator(row) : null;
  }

  /** The operator with a name, compared as `buildOperatorNameKey` does. */
  async findOperator(name: string): Promise<Operator | null> {
    const [row] = await this.#read('SELECT * FROM operators WHERE name_key = ?', buildOperatorNameKey(name));
    return row ? operatorRows.operator(row) : null;
  }

  /**
   * Removes an operator with all sessions, passkeys and setup addresses, unless no owner were left: false
   * when it is the last owner or does not exist.
   */
  async removeOperator(id: string): Promise<boolean> {
    const [removed] = await this.#database.batch([{ sql: REMOVE_OPERATOR, values: [id] }, ...ORPHANS]);
    return removed?.changes === 1;
  }

  /** Stores a one-time address in place of the one with the same purpose. */
  async writeSetup({ tokenHash, purpose, operatorId, name, role, expiresAt }: OperatorSetup): Promise<void> {
    await this.#database.batch([
      { sql: 'DELETE FROM setups WHERE purpose = ?', values: [purpose] },
      {
        sql: `INSERT INTO setups (token_hash, purpose, operator_id, name, role, expires_at)
          VALUES (?, ?, ?, ?, ?, ?)`,
        values: [tokenHash, purpose, operatorId, name, role, expiresAt],
      },
    ]);
  }

  /** The address with a token that can be used now; null otherwise. */
  async findSetup(tokenHash: string, now: number): Promise<OperatorSetup | null> {
    const [row] = await this.#read(
      'SELECT * FROM setups WHERE token_hash = ? AND expires_at > ?',
      tokenHash,
      now,
    );
    return row ? operatorRows.setup(row) : null;
  }

  /**
   * Uses up a one-time address and stores the operator, both or neither: a new one, or the new password of a known one,
   * whose sessions end. false when the address is used up or expired. Rejects with `name-taken`.
   */
  async completeSetup(tokenHash: string, operator: Operator, now: number): Promise<boolean> {
    const { id, name, role, passwordHash, passkeyUserId, createdAt } = operator;
    const setup = [tokenHash, now, id];
    const nameKey = buildOperatorNameKey(name);
    const [stored] = await this.#database.batch([
      {
        sql: COMPLETE_SETUP,
        values: [id, name, nameKey, role, passwordHash, passkeyUserId, createdAt, ...setup],
      },
      { sql: `DELETE FROM sessions WHERE operator_id = ? AND ${VALID_SETUP}`, values: [id, ...setup] },
      { sql: 'DELETE FROM setups WHERE token_hash = ?', values: [tokenHash] },
    ]);
    return stored?.changes === 1;
  }

  /**
   * Stores a new password of an operator and ends all sessions but one, both or neither. false when there is no such
   * operator any more.
   */
  async changePassword(operatorId: string, passwordHash: string, exceptSessionId: string): Promise<boolean> {
    const [changed] = await this.#database.batch([
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
    await this.#database.batch([
      {
        sql: `INSERT INTO sessions (id, token_hash, operator_id, browser, created_at, used_at)
          VALUES (?, ?, ?, ?, ?, ?)`,
        values: [id, tokenHash, operatorId, browser, createdAt, usedAt],
      },
    ]);
  }

  /** The session with a token and its operator; null without one. Age is judged by the caller. */
  async findSession(tokenHash: string) {
    const [row] = await this.#read('SELECT * FROM sessions WHERE token_hash = ?', tokenHash);
    if (row === undefined) return null;
    const session = operatorRows.session(row);
    const operator = await this.readOperator(session.operatorId);
    return operator && { session, operator };
  }

  /** Notes that a session was used. */
  async touchSession(id: string, now: number): Promise<void> {
    await this.#database.batch([
      { sql: 'UPDATE sessions SET used_at = ? WHERE id = ? AND used_at < ?', values: [now, id, now] },
    ]);
  }

  /** The sessions of an operator, the one that was used last first. */
  async readSessions(operatorId: string): Promise<readonly OperatorSession[]> {
    const sql = 'SELECT * FROM sessions WHERE operator_id = ? ORDER BY used_at DESC, id';
    return (await this.#read(sql, operatorId)).map(operatorRows.session);
  }

  /** Ends one session of an operator; false when the operator has no such session. */
  removeSession(operatorId: string, id: string): Promise<boolean> {
    return this.#remove('DELETE FROM sessions WHERE operator_id = ? AND id = ?', operatorId, id);
  }

  /** Ends all sessions of an operator, except one if it is named; resolves with how many. */
  async removeSessions(operatorId: string, exceptId = ''): Promise<number> {
    const [removed] = await this.#database.batch([
      { sql: 'DELETE FROM sessions WHERE operator_id = ? AND id <> ?', values: [operatorId, exceptId] },
    ]);
    return removed?.changes ?? 0;
  }

  /**
   * Removes setup addresses and share links that have expired, and sessions that began before a time. Later ones that
   * are too old to be used stay: they tell browsers of operators from unknown ones.
   */
  async removeExpired({
    createdBefore,
    now,
  }: {
    readonly createdBefore: number;
    readonly now: number;
  }): Promise<void> {
    await this.#database.batch([
      { sql: 'DELETE FROM sessions WHERE created_at < ?', values: [createdBefore] },
      { sql: 'DELETE FROM setups WHERE expires_at <= ?', values: [now] },
      { sql: 'DELETE FROM share_links WHERE expires_at <= ?', values: [now] },
    ]);
  }

  async writePasskey(passkey: Passkey): Promise<void> {
    const { id, operatorId, label, publicKey, counter, transports, createdAt, usedAt } = passkey;
    await this.#database.batch([
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

  /** Notes that a passkey was used, with its new counter. */
  async touchPasskey(id: string, counter: number, now: number): Promise<void> {
    await this.#database.batch([
      { sql: 'UPDATE passkeys SET counter = ?, used_at = ? WHERE id = ?', values: [counter, now, id] },
    ]);
  }

  removePasskey(operatorId: string, id: string): Promise<boolean> {
    return this.#remove('DELETE FROM passkeys WHERE operator_id = ? AND id = ?', operatorId, id);
  }

  async writeShareLink(link: ShareLink): Promise<void> {
    const { id, tokenHash, view, parameters, label, createdBy, createdAt, expiresAt } = link;
    await this.#database.batch([
      {
        sql: `INSERT INTO share_links (id, token_hash, view, parameters, label, created_by, created_at, expires_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        values: [id, tokenHash, view, parameters, label, createdBy, createdAt, expiresAt],
      },
    ]);
  }

  /** Links that have not expired, the newest first. */
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

  /** What owners have chosen; the defaults for the rest. */
  async readPreferences(): Promise<ConsolePreferences> {
    return operatorRows.preferences(await this.#read('SELECT name, value FROM preferences'));
  }

  async writePreferences({ digest, weekStart }: ConsolePreferences): Promise<void> {
    const values = Object.entries({ digest, weekStart }).filter(([, value]) => value !== null);
    await this.#database.batch([
      { sql: 'DELETE FROM preferences' },
      ...values.map((row) => ({ sql: 'INSERT INTO preferences (name, value) VALUES (?, ?)', values: row })),
    ]);
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #remove(sql: string, ...values: readonly SqlValue[]): Promise<boolean> {
    const [removed] = await this.#database.batch([{ sql, values }]);
    return removed?.changes === 1;
  }

  #read(sql: string, ...values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    return this.#database.query({ sql, values });
  }
}

/** Runs on an executor with the errors of the console's database. */
export function withOperatorErrors(executor: SqlExecutor): SqlExecutor {
  return mapSqlErrors(executor, (error) => {
    const isTaken = error.code === 'invalid' && error.message.includes('operators.name_key');
    const code = isTaken ? 'name-taken' : error.code === 'closed' ? 'closed' : 'unavailable';
    return new OperatorStoreError(code, error.message, { cause: error });
  });
}
