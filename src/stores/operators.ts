import { z } from 'zod';
import { CAPABILITIES, type Capability, parseCapabilities } from '../core/console/capabilities.ts';
import {
  buildOperatorNameKey,
  type ConsolePreferences,
  DEFAULT_PREFERENCES,
  DIGEST_CHOICES,
  WEEK_STARTS,
} from '../core/console/operator.ts';
import type { TaskSnooze } from '../core/console/task.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { Database, type SqlExecutor, type SqlRow, type SqlStatement } from './sql/sql-executor.ts';
import { renameColumns } from './sql/statements.ts';

/** Names that a newer version has stored, and this one does not know, allow nothing. */
const capabilities = z.string().transform((names) => parseCapabilities(names.split(' ')));
const time = z.number().int();

const operator = z.object({
  id: z.string(),
  /** As the person wrote it; two operators never have names that differ in case alone. */
  name: z.string(),
  capabilities,
  /** Hash of the password with its parameters, as `PasswordHasher` writes it. */
  passwordHash: z.string(),
  /** Names the operator toward passkeys; random, base64url. */
  passkeyUserId: z.string(),
  /** ms since 1970, like every time below. */
  createdAt: time,
});
/** A person who may sign in to the console. */
export type Operator = Readonly<z.output<typeof operator>>;

const session = z.object({
  /** Names the session in lists; no secret. */
  id: z.string(),
  tokenHash: z.string(),
  operatorId: z.string(),
  /** Name of the browser, for the list: `Firefox on Linux`. */
  browser: z.string(),
  createdAt: time,
  usedAt: time,
  /** When the operator gave the password or a passkey again; null when never since the sign-in. */
  confirmedAt: time.nullable(),
});
/** A browser that is signed in. */
export type OperatorSession = Readonly<z.output<typeof session>>;

const setup = z.object({
  tokenHash: z.string(),
  /** Only the newest address of a purpose is valid: `first`, `invite NAME`, `reset ID`. */
  purpose: z.string(),
  /** The operator whose password is set again; null for a new operator. */
  operatorId: z.string().nullable(),
  /** What the form suggests, or the name of the operator. */
  name: z.string(),
  capabilities,
  /** Name of the operator who created it, and with whom it ends; empty for the command line. */
  createdBy: z.string(),
  expiresAt: time,
});
/** A one-time address at which a person sets a password. */
export type OperatorSetup = Readonly<z.output<typeof setup>>;

const passkey = z.object({
  /** The credential's id, base64url. */
  id: z.string(),
  operatorId: z.string(),
  label: z.string(),
  /** COSE key, base64url. */
  publicKey: z.string(),
  /** Signature counter; 0 for authenticators without one. */
  counter: z.number().int(),
  transports: z
    .string()
    .transform((names): readonly string[] => names.split(' ').filter((name) => name !== '')),
  createdAt: time,
  usedAt: time.nullable(),
});
/** A public key with which an operator signs in instead of a password. */
export type Passkey = Readonly<z.output<typeof passkey>>;

const shareLink = z.object({
  /** Names the link in lists; no secret. */
  id: z.string(),
  tokenHash: z.string(),
  /** Key of the view, which a later version may not have. */
  view: z.string(),
  /** The parameters of the view's address, fixed when the link was created. */
  parameters: z.string(),
  label: z.string(),
  /** Name of the operator who created it, and with whom it ends. */
  createdBy: z.string(),
  createdAt: time,
  expiresAt: time,
});
/** A link that shows one view with one query to the person who has it. */
export type ShareLink = Readonly<z.output<typeof shareLink>>;

const snooze: z.ZodType<TaskSnooze> = z.object({
  key: z.string(),
  until: time,
  amount: z.number().int().nullable(),
  currency: z.string().nullable(),
  level: z.number().int(),
});

/** A choice that an older or newer version has written, and this one does not know, has its default. */
const preferences = z
  .array(z.object({ name: z.string(), value: z.string() }))
  .transform((rows): unknown => Object.fromEntries(rows.map(({ name, value }) => [name, value])))
  .pipe(
    z.object({
      digest: z.enum(DIGEST_CHOICES).catch(DEFAULT_PREFERENCES.digest),
      weekStart: z.enum(WEEK_STARTS).catch(DEFAULT_PREFERENCES.weekStart),
    }),
  );

const texts = z.record(z.string(), z.string());
/** A JSON object as a map: its keys may be names such as `constructor`. */
const jsonMap = <Value>(value: z.ZodType<Value>) =>
  z
    .string()
    .transform((text): unknown => parseJson(text))
    .pipe(z.record(z.string(), value))
    .transform((object): ReadonlyMap<string, Value> => new Map(Object.entries(object)));
const payees = z.object({
  /** How often the row was written. */
  revision: z.int(),
  /** What was confirmed of each partner, by its key (`Payee`). */
  confirmed: jsonMap(texts),
  /** Hash of the change of each partner that operators were told of, by its key. */
  told: jsonMap(z.string()),
});
/** What operators know of who is paid for links. */
export type KnownPayees = Readonly<z.output<typeof payees>>;

/** Parsers of rows. They throw `OperatorStoreError` for a row that this program cannot have written. */
const operatorRows = {
  operator: (row: SqlRow) => parse(operator, renameColumns(row)),
  session: (row: SqlRow) => parse(session, renameColumns(row)),
  setup: (row: SqlRow) => parse(setup, renameColumns(row)),
  passkey: (row: SqlRow) => parse(passkey, renameColumns(row)),
  shareLink: (row: SqlRow) => parse(shareLink, renameColumns(row)),
  snooze: (row: SqlRow) => parse(snooze, row),
  payees: (row: SqlRow) => parse(payees, row),
  preferences: (rows: readonly SqlRow[]): ConsolePreferences => parse(preferences, rows),
};

function parse<Value>(schema: z.ZodType<Value>, input: unknown): Value {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new OperatorStoreError('unavailable', 'a row has a value that this program has not written');
}

/** Why the operators could not be read or written. */
export class OperatorStoreError extends Error {
  /**
   * `unavailable`: full, locked, damaged or read-only. `name-taken`: another operator has the name. `not-allowed`: who
   * wants to create something was removed or may not create it any more.
   */
  readonly code: 'unavailable' | 'closed' | 'name-taken' | 'not-allowed';
  constructor(code: OperatorStoreError['code'], message: string, options?: ErrorOptions) {
    super(`[operators] ${message}`, options);
    this.name = 'OperatorStoreError';
    this.code = code;
  }
}

/** Whether an address can be used. One for the first operator cannot any more once there is an operator. */
const IS_OPEN = `expires_at > ? AND (purpose <> 'first' OR NOT EXISTS (SELECT 1 FROM operators))`;
const VALID_SETUP = `EXISTS (SELECT 1 FROM setups WHERE token_hash = ? AND ${IS_OPEN}
  AND (operator_id IS NULL OR operator_id = ?))`;
/** A used-up address stores nothing; an operator that exists gets a new password and nothing else. */
const COMPLETE_SETUP = `INSERT INTO operators (id, name, name_key, capabilities, password_hash, passkey_user_id, created_at)
  SELECT ?, ?, ?, ?, ?, ?, ? WHERE ${VALID_SETUP}
  ON CONFLICT (id) DO UPDATE SET password_hash = excluded.password_hash`;
/** Whether a column lists a capability; the name of none is part of another's. */
const lists = (column: string, capability: Capability) => `instr(${column}, '${capability}') > 0`;
const MANAGES = lists('capabilities', 'manage');
const IS_OTHER_MANAGER_LEFT = `(NOT ${MANAGES} OR (SELECT count(*) FROM operators WHERE ${MANAGES}) > 1)`;
/** An operator with a name who may create what others use. Checked as it is stored: a removal can come in between. */
const MAY_INVITE = `EXISTS (SELECT 1 FROM operators WHERE name = ? AND ${MANAGES})`;
const MAY_SHARE = `EXISTS (SELECT 1 FROM operators WHERE name = ? AND ${MANAGES} AND ${lists('capabilities', 'money')})`;
/** What an operator's sessions, passkeys and addresses for a new password are found by. */
const OF_OPERATOR = 'operator_id = ?';
/** What an operator has created for others is found by. */
const BY_OPERATOR = 'created_by = (SELECT name FROM operators WHERE id = ?)';

/** Deletes the rows of tables that belong to an operator, while a condition on the operator is true. */
function buildEnd(
  id: string,
  tables: readonly (readonly [table: string, owner: string])[],
  condition: string,
): readonly SqlStatement[] {
  return tables.map(([table, owner]) => ({
    sql: `DELETE FROM ${table} WHERE ${owner} AND EXISTS (SELECT 1 FROM operators WHERE id = ? AND ${condition})`,
    values: [id, id],
  }));
}

const INVITATIONS = ['setups', BY_OPERATOR] as const;
const SHARE_LINKS = ['share_links', BY_OPERATOR] as const;
/** An invitation gives a capability that its creator does not have. */
const GIVES_MORE = CAPABILITIES.map(
  (one) => `(${lists('setups.capabilities', one)} AND NOT ${lists('operators.capabilities', one)})`,
).join(' OR ');
const EVERYTHING = [
  ['sessions', OF_OPERATOR],
  ['passkeys', OF_OPERATOR],
  ['setups', OF_OPERATOR],
  INVITATIONS,
  SHARE_LINKS,
] as const;

/** What ends with a change of the password because the operator chose it. */
export interface EndedAccess {
  /** Ids of own passkeys. */
  readonly passkeys: readonly string[];
  /** Purposes of own invitations. */
  readonly purposes: readonly string[];
  /** Ids of own share links. */
  readonly shareLinks: readonly string[];
}

/**
 * Who may use the console, and what they chose for it. Passwords and tokens are in it as hashes only. The contract suite is
 * `test/contract/operators.ts`. Every method rejects with `OperatorStoreError`. `now` is in ms since 1970.
 */
export class Operators {
  readonly #database: Database;

  /** The executor is closed with the operators. */
  constructor(executor: SqlExecutor) {
    this.#database = withOperatorErrors(executor);
  }

  /** Whether there is a database of operators; the first setup address creates it. */
  exists(): boolean {
    return this.#database.exists();
  }

  /** In the order of their creation. */
  async readOperators(): Promise<readonly Operator[]> {
    return (await this.#database.read('SELECT * FROM operators ORDER BY created_at, id')).map(
      operatorRows.operator,
    );
  }

  /** The operator with an id; null when there is no such operator. */
  async readOperator(id: string): Promise<Operator | null> {
    const row = await this.#database.readRow('SELECT * FROM operators WHERE id = ?', id);
    return row ? operatorRows.operator(row) : null;
  }

  /** The operator with a name, compared as `buildOperatorNameKey` does. */
  async findOperator(name: string): Promise<Operator | null> {
    const row = await this.#database.readRow(
      'SELECT * FROM operators WHERE name_key = ?',
      buildOperatorNameKey(name),
    );
    return row ? operatorRows.operator(row) : null;
  }

  /**
   * Removes an operator with everything that gives access: sessions, passkeys, one-time addresses, and the invitations
   * and share links that the operator created. false, and nothing removed, when no one else manages or it does not exist.
   */
  async removeOperator(id: string): Promise<boolean> {
    const results = await this.#database.batch([
      ...buildEnd(id, EVERYTHING, IS_OTHER_MANAGER_LEFT),
      { sql: `DELETE FROM operators WHERE id = ? AND ${IS_OTHER_MANAGER_LEFT}`, values: [id] },
    ]);
    return results.at(-1)?.changes === 1;
  }

  /**
   * Changes what an operator may do. Invitations and share links that the operator may not create any more end. false
   * when no one would manage any more, or it does not exist.
   */
  async changeCapabilities(id: string, capabilities: readonly Capability[]): Promise<boolean> {
    const value = capabilities.join(' ');
    const [changed] = await this.#database.batch([
      {
        sql: `UPDATE operators SET capabilities = ? WHERE id = ? AND (${lists('?', 'manage')} OR ${IS_OTHER_MANAGER_LEFT})
          RETURNING id`,
        values: [value, id, value],
      },
      ...buildEnd(id, [INVITATIONS], `(NOT ${lists('operators.capabilities', 'manage')} OR ${GIVES_MORE})`),
      ...buildEnd(id, [SHARE_LINKS], `NOT (${MANAGES} AND ${lists('capabilities', 'money')})`),
    ]);
    // What wrangler returns has no number of changes.
    return changed !== undefined && changed.rows.length > 0;
  }

  /**
   * Stores a one-time address in place of the one with the same purpose. false, and nothing stored, when its creator is
   * not allowed to create it any more.
   */
  async writeSetup(setup: OperatorSetup): Promise<boolean> {
    const { tokenHash, purpose, operatorId, name, capabilities: given, createdBy, expiresAt } = setup;
    const sql = `INSERT OR REPLACE INTO setups (token_hash, purpose, operator_id, name, capabilities, created_by, expires_at)
      SELECT ?, ?, ?, ?, ?, ?, ? WHERE ? = '' OR ${MAY_INVITE} RETURNING token_hash`;
    const values = [tokenHash, purpose, operatorId, name, given.join(' '), createdBy, expiresAt];
    // What wrangler returns has no number of changes.
    return (await this.#database.changeRow(sql, ...values, createdBy, createdBy)) !== undefined;
  }

  /** The address with a token that can be used now; null otherwise. */
  async findSetup(tokenHash: string, now: number): Promise<OperatorSetup | null> {
    const sql = `SELECT * FROM setups WHERE token_hash = ? AND ${IS_OPEN}`;
    const row = await this.#database.readRow(sql, tokenHash, now);
    return row ? operatorRows.setup(row) : null;
  }

  /** The addresses that can be used now, the one that expires last first. */
  async readSetups(now: number): Promise<readonly OperatorSetup[]> {
    const sql = `SELECT * FROM setups WHERE ${IS_OPEN} ORDER BY expires_at DESC, purpose`;
    return (await this.#database.read(sql, now)).map(operatorRows.setup);
  }

  /** Withdraws the address with a purpose; false when there is no such address. */
  removeSetup(purpose: string): Promise<boolean> {
    return this.#changeOne('DELETE FROM setups WHERE purpose = ?', purpose);
  }

  /**
   * Uses up a one-time address and stores the operator, both or neither: a new one, or the new password of a known one,
   * whose sessions, passkeys and invitations end. With the first operator every other address ends. false when the
   * address is used up or expired. Rejects with `name-taken`.
   */
  async completeSetup(tokenHash: string, operator: Operator, now: number): Promise<boolean> {
    const { id, name, passwordHash, passkeyUserId, createdAt } = operator;
    const given = operator.capabilities.join(' ');
    const setup = [tokenHash, now, id];
    const nameKey = buildOperatorNameKey(name);
    const owned = [
      `sessions WHERE operator_id = ?`,
      `passkeys WHERE operator_id = ?`,
      `setups WHERE created_by = (SELECT name FROM operators WHERE id = ?)`,
    ];
    const results = await this.#database.batch([
      ...owned.map((rows) => ({ sql: `DELETE FROM ${rows} AND ${VALID_SETUP}`, values: [id, ...setup] })),
      {
        sql: `DELETE FROM setups WHERE token_hash <> ? AND NOT EXISTS (SELECT 1 FROM operators) AND ${VALID_SETUP}`,
        values: [tokenHash, ...setup],
      },
      {
        sql: COMPLETE_SETUP,
        values: [id, name, nameKey, given, passwordHash, passkeyUserId, createdAt, ...setup],
      },
      { sql: 'DELETE FROM setups WHERE token_hash = ?', values: [tokenHash] },
    ]);
    return results.at(-2)?.changes === 1;
  }

  /**
   * Stores a new password of an operator, as it was read before, and ends with it all sessions but one, addresses for a
   * new password, and what the operator chose: everything or nothing. false when the operator was removed or has got
   * another password meanwhile.
   */
  async changePassword(
    { id, passwordHash: known }: Operator,
    passwordHash: string,
    exceptSessionId: string,
    { passkeys, purposes, shareLinks }: EndedAccess,
  ): Promise<boolean> {
    const end = (table: string, condition: string, value: string | readonly string[]) => ({
      sql: `DELETE FROM ${table} WHERE ${condition}
        AND EXISTS (SELECT 1 FROM operators WHERE id = ? AND password_hash = ?)`,
      values: [id, typeof value === 'string' ? value : JSON.stringify(value), id, passwordHash],
    });
    const isListed = 'IN (SELECT value FROM json_each(?))';
    const [changed] = await this.#database.batch([
      {
        sql: 'UPDATE operators SET password_hash = ? WHERE id = ? AND password_hash IN (?, ?)',
        values: [passwordHash, id, known, passwordHash],
      },
      end('sessions', `${OF_OPERATOR} AND id <> ?`, exceptSessionId),
      end('setups', `${OF_OPERATOR} AND token_hash <> ?`, ''),
      end('passkeys', `${OF_OPERATOR} AND id ${isListed}`, passkeys),
      end('setups', `${BY_OPERATOR} AND purpose ${isListed}`, purposes),
      end('share_links', `${BY_OPERATOR} AND id ${isListed}`, shareLinks),
    ]);
    return changed?.changes === 1;
  }

  /**
   * Stores a session of an operator who has signed in; it is not confirmed. false, and nothing stored, when the operator
   * was removed or has got another password than the one with this hash meanwhile.
   */
  async writeSession(session: Omit<OperatorSession, 'confirmedAt'>, passwordHash: string): Promise<boolean> {
    const { id, tokenHash, operatorId, browser, createdAt, usedAt } = session;
    const sql = `INSERT INTO sessions (id, token_hash, operator_id, browser, created_at, used_at)
      SELECT ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM operators WHERE id = ? AND password_hash = ?)`;
    const values = [id, tokenHash, operatorId, browser, createdAt, usedAt];
    return this.#changeOne(sql, ...values, operatorId, passwordHash);
  }

  /** The session with a token and its operator; null without one. Age is judged by the caller. */
  async findSession(tokenHash: string) {
    const row = await this.#database.readRow('SELECT * FROM sessions WHERE token_hash = ?', tokenHash);
    if (row === undefined) return null;
    const session = operatorRows.session(row);
    const operator = await this.readOperator(session.operatorId);
    return operator && { session, operator };
  }

  /** Notes that a session was used. */
  async touchSession(id: string, now: number): Promise<void> {
    const sql = 'UPDATE sessions SET used_at = ? WHERE id = ? AND used_at < ?';
    await this.#database.change(sql, now, id, now);
  }

  /** Notes that the operator has given the password or a passkey again; false when the session has ended. */
  confirmSession(id: string, now: number): Promise<boolean> {
    return this.#changeOne('UPDATE sessions SET confirmed_at = ? WHERE id = ?', now, id);
  }

  /** The sessions of an operator, the one that was used last first. */
  async readSessions(operatorId: string): Promise<readonly OperatorSession[]> {
    const sql = 'SELECT * FROM sessions WHERE operator_id = ? ORDER BY used_at DESC, id';
    return (await this.#database.read(sql, operatorId)).map(operatorRows.session);
  }

  /** Ends one session of an operator; false when the operator has no such session. */
  removeSession(operatorId: string, id: string): Promise<boolean> {
    return this.#changeOne('DELETE FROM sessions WHERE operator_id = ? AND id = ?', operatorId, id);
  }

  /** Ends all sessions of an operator, except one if it is named; resolves with how many. */
  removeSessions(operatorId: string, exceptId = ''): Promise<number> {
    const sql = 'DELETE FROM sessions WHERE operator_id = ? AND id <> ?';
    return this.#database.change(sql, operatorId, exceptId);
  }

  /**
   * Removes setup addresses and share links that have expired, and sessions that began before a time. Later ones that
   * are too old to be used stay: they tell browsers of operators from unknown ones.
   */
  async removeExpired(createdBefore: number, now: number): Promise<void> {
    await this.#database.batch([
      { sql: 'DELETE FROM sessions WHERE created_at < ?', values: [createdBefore] },
      { sql: 'DELETE FROM setups WHERE expires_at <= ?', values: [now] },
      { sql: 'DELETE FROM share_links WHERE expires_at <= ?', values: [now] },
    ]);
  }

  /** Stores a passkey; false, and nothing stored, when its operator was removed meanwhile. */
  async writePasskey(passkey: Passkey): Promise<boolean> {
    const { id, operatorId, label, publicKey, counter, transports, createdAt, usedAt } = passkey;
    const sql = `INSERT INTO passkeys (id, operator_id, label, public_key, counter, transports, created_at, used_at)
      SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM operators WHERE id = ?)`;
    const values = [id, operatorId, label, publicKey, counter, transports.join(' '), createdAt, usedAt];
    return this.#changeOne(sql, ...values, operatorId);
  }

  async readPasskeys(operatorId: string): Promise<readonly Passkey[]> {
    const sql = 'SELECT * FROM passkeys WHERE operator_id = ? ORDER BY created_at, id';
    return (await this.#database.read(sql, operatorId)).map(operatorRows.passkey);
  }

  async findPasskey(id: string): Promise<Passkey | null> {
    const row = await this.#database.readRow('SELECT * FROM passkeys WHERE id = ?', id);
    return row ? operatorRows.passkey(row) : null;
  }

  /** Notes that a passkey was used, with its new counter. */
  async touchPasskey(id: string, counter: number, now: number): Promise<void> {
    const sql = 'UPDATE passkeys SET counter = ?, used_at = ? WHERE id = ?';
    await this.#database.change(sql, counter, now, id);
  }

  removePasskey(operatorId: string, id: string): Promise<boolean> {
    return this.#changeOne('DELETE FROM passkeys WHERE operator_id = ? AND id = ?', operatorId, id);
  }

  /** Stores a share link; false, and nothing stored, when its creator may not create it any more. */
  async writeShareLink(link: ShareLink): Promise<boolean> {
    const { id, tokenHash, view, parameters, label, createdBy, createdAt, expiresAt } = link;
    const sql = `INSERT INTO share_links (id, token_hash, view, parameters, label, created_by, created_at, expires_at)
      SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE ${MAY_SHARE}`;
    const values = [id, tokenHash, view, parameters, label, createdBy, createdAt, expiresAt];
    return this.#changeOne(sql, ...values, createdBy);
  }

  /** Links that have not expired, the newest first. */
  async readShareLinks(now: number): Promise<readonly ShareLink[]> {
    const sql = 'SELECT * FROM share_links WHERE expires_at > ? ORDER BY created_at DESC, id';
    return (await this.#database.read(sql, now)).map(operatorRows.shareLink);
  }

  async findShareLink(tokenHash: string, now: number): Promise<ShareLink | null> {
    const sql = 'SELECT * FROM share_links WHERE token_hash = ? AND expires_at > ?';
    const row = await this.#database.readRow(sql, tokenHash, now);
    return row ? operatorRows.shareLink(row) : null;
  }

  removeShareLink(id: string): Promise<boolean> {
    return this.#changeOne('DELETE FROM share_links WHERE id = ?', id);
  }

  /** What was chosen in the settings; the defaults for the rest. */
  async readPreferences(): Promise<ConsolePreferences> {
    return operatorRows.preferences(await this.#database.read('SELECT name, value FROM preferences'));
  }

  async writePreferences({ digest, weekStart }: ConsolePreferences): Promise<void> {
    const values = Object.entries({ digest, weekStart });
    await this.#database.batch([
      { sql: 'DELETE FROM preferences' },
      ...values.map((row) => ({ sql: 'INSERT INTO preferences (name, value) VALUES (?, ?)', values: row })),
    ]);
  }

  /** The tasks that are snoozed, the one that returns first first; some may have returned. */
  async readSnoozes(): Promise<readonly TaskSnooze[]> {
    return (await this.#database.read('SELECT * FROM snoozed_tasks ORDER BY until, key')).map(
      operatorRows.snooze,
    );
  }

  /** Snoozes a task in place of an earlier time, and forgets those that returned before `now`. */
  async writeSnooze({ key, until, amount, currency, level }: TaskSnooze, now: number): Promise<void> {
    await this.#database.batch([
      { sql: 'DELETE FROM snoozed_tasks WHERE until <= ?', values: [now] },
      {
        sql: `INSERT OR REPLACE INTO snoozed_tasks (key, until, amount, currency, level) VALUES (?, ?, ?, ?, ?)`,
        values: [key, until, amount, currency, level],
      },
    ]);
  }

  /** Shows a task again before its time; false when it is not snoozed. */
  removeSnooze(key: string): Promise<boolean> {
    return this.#changeOne('DELETE FROM snoozed_tasks WHERE key = ?', key);
  }

  /** What operators know of who is paid; null before the first look. */
  async readPayees(): Promise<KnownPayees | null> {
    const row = await this.#database.readRow('SELECT revision, confirmed, told FROM payees');
    return row ? operatorRows.payees(row) : null;
  }

  /** Stores the revision after `revision` (0 before the first); false when another process has stored it already. */
  writePayees({ revision, confirmed, told }: KnownPayees): Promise<boolean> {
    const sql = `INSERT INTO payees (id, revision, confirmed, told) SELECT 1, ?, ?, ?
      WHERE ? = coalesce((SELECT revision FROM payees), 0)
      ON CONFLICT (id) DO UPDATE SET (revision, confirmed, told) = (excluded.revision, excluded.confirmed, excluded.told)`;
    const [known, hashes] = [confirmed, told].map((map) => JSON.stringify(Object.fromEntries<unknown>(map)));
    const values = [revision + 1, known ?? '', hashes ?? '', revision];
    return this.#changeOne(sql, ...values);
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #changeOne(...statement: Parameters<Database['change']>): Promise<boolean> {
    return (await this.#database.change(...statement)) === 1;
  }
}

/** Runs on an executor with the errors of the console's database. */
export function withOperatorErrors(executor: SqlExecutor): Database {
  return new Database(executor, (error) => {
    const isTaken = error.code === 'invalid' && error.message.includes('operators.name_key');
    const code = isTaken ? 'name-taken' : error.code === 'closed' ? 'closed' : 'unavailable';
    return new OperatorStoreError(code, error.message, { cause: error });
  });
}
