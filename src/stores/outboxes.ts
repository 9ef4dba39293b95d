import { z } from 'zod';
import type { AttemptOutcome } from '../core/commissions/build-analytics-messages.ts';
import {
  type AnalyticsMessage,
  type ClaimedMessage,
  claimedMessageSchema,
} from '../core/commissions/ledger/stored-money.schema.ts';
import {
  isRepeatable,
  NOTIFICATION_CHANNELS,
  NOTIFICATION_KINDS,
  type NotificationChannelName,
  type NotificationDelivery,
  type OperatorNotification,
} from '../core/console/notification.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { withLedgerErrors } from './ledger.ts';
import { createRowParser } from './ledger-rows.ts';
import { Database, type SqlExecutor, type SqlRow } from './sql/sql-executor.ts';
import { type Lease, READ_STATE, takeLease, WRITE_STATE } from './sql/statements.ts';

/** What becomes of a delivery after an attempt. */
export type DeliveryResult =
  | { readonly state: 'sent' }
  /** Never sent again: it was refused, or too old. */
  | { readonly state: 'failed'; readonly problem: string }
  /** Never sent again: it may have arrived. */
  | { readonly state: 'unknown'; readonly problem: string }
  | { readonly state: 'waiting'; readonly problem: string; readonly dueAt: number };

/** Why the outbox could not be read or written. */
export class NotificationOutboxError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(`[notifications] ${message}`, options);
    this.name = 'NotificationOutboxError';
  }
}

const INSERT = `INSERT INTO deliveries (id, channel, state, notification, failures, due_at, problem, changed_at)
  VALUES (?, ?, 'waiting', ?, 0, ?, '', ?) ON CONFLICT (id, channel) DO NOTHING`;
const CLAIM = `UPDATE deliveries SET state = 'sending', due_at = ?, changed_at = ?
  WHERE (id, channel) = (SELECT id, channel FROM deliveries
    WHERE state = 'waiting' AND (due_at <= ? OR due_at > ?) ORDER BY due_at, id, channel LIMIT 1)
  RETURNING id, channel, notification, failures`;
const FINISH = `UPDATE deliveries SET state = ?, problem = ?, due_at = ?, changed_at = ?, failures = failures + ?,
  notification = iif(?, notification, '') WHERE id = ? AND channel = ? AND state = 'sending'`;
const GIVE_UP = `UPDATE deliveries SET state = 'unknown', notification = '', changed_at = ?,
  problem = 'the process ended while it was being sent' WHERE state = 'sending' AND due_at < ?`;
const REPEATABLE = NOTIFICATION_CHANNELS.filter(isRepeatable);
const RESUME = `UPDATE deliveries SET state = 'waiting', failures = failures + 1, due_at = ?, changed_at = ?
  WHERE state = 'sending' AND due_at < ? AND channel IN (${REPEATABLE.map(() => '?').join(', ')})`;
const FORGET = `DELETE FROM deliveries WHERE state IN ('sent', 'failed', 'unknown') AND changed_at < ?`;
const FORGET_MS = 90 * 86_400_000;
/** No pause between two attempts is as long: a later time was set while the clock was wrong. */
const MAX_WAIT_MS = 7 * 86_400_000;

/**
 * Notifications that wait to be sent, on disk. A delivery is claimed before it is sent, and a claim that was not
 * finished in time is never sent again: each is sent at most once, whatever happens to the process. Only what is
 * repeatable (see `isRepeatable`) is sent again. The content is removed once a delivery is over; its id stays for 90
 * days. Every method rejects with `NotificationOutboxError`.
 */
export class NotificationOutbox {
  readonly #database: Database;

  /** The executor is closed with the outbox. */
  constructor(executor: SqlExecutor) {
    this.#database = new Database(
      executor,
      (error) => new NotificationOutboxError(error.message, { cause: error }),
    );
  }

  /** Adds a delivery for each channel; resolves with how many are new. One with a known id changes nothing. */
  async add(
    notification: OperatorNotification,
    channels: readonly NotificationChannelName[],
  ): Promise<number> {
    const { id, createdAt } = notification;
    const content = JSON.stringify(notification);
    const results = await this.#database.batch(
      channels.map((channel) => ({ sql: INSERT, values: [id, channel, content, createdAt, createdAt] })),
    );
    return results.filter(({ changes }) => changes > 0).length;
  }

  /** Claims the delivery that is due first; null when none is. `leaseUntil` is when the claim counts as lost. */
  async claim(now: number, leaseUntil: number): Promise<NotificationDelivery | null> {
    const row = await this.#database.changeRow(CLAIM, leaseUntil, now, now, now + MAX_WAIT_MS);
    return row === undefined ? null : parseDelivery(row);
  }

  async finish(delivery: NotificationDelivery, result: DeliveryResult, now: number): Promise<void> {
    const isWaiting = result.state === 'waiting';
    const isSent = result.state === 'sent';
    const values = [isSent ? '' : result.problem, isWaiting ? result.dueAt : now, now, Number(!isSent)];
    const { channel, notification } = delivery;
    await this.#database.change(FINISH, result.state, ...values, Number(isWaiting), notification.id, channel);
  }

  /** Gives up claims that were not finished in time, and returns repeatable ones; resolves with how many it gave up. */
  async giveUp(now: number): Promise<number> {
    const [, given] = await this.#database.batch([
      { sql: RESUME, values: [now, now, now, ...REPEATABLE] },
      { sql: GIVE_UP, values: [now, now] },
    ]);
    return given?.changes ?? 0;
  }

  /** Removes ids that are older than 90 days. `now` must not come from a clock that may be ahead. */
  async forget(now: number): Promise<void> {
    await this.#database.change(FORGET, now - FORGET_MS);
  }

  /** Counts deliveries by state; `sending` is in progress, in this process or another. */
  async count() {
    const rows = await this.#database.read('SELECT state, count(*) AS count FROM deliveries GROUP BY state');
    const get = (state: string) => Number(rows.find((row) => row['state'] === state)?.['count'] ?? 0);
    return {
      waiting: get('waiting'),
      sending: get('sending'),
      sent: get('sent'),
      failed: get('failed'),
      unknown: get('unknown'),
    };
  }

  /**
   * The deliveries that have failed since a time and are not tried again, that may have arrived (`unknown`), or that wait after a
   * failure and were created before `waiting`; the newest first.
   */
  async readFailed(since: number, waiting: number) {
    const rows = await this.#database.read(
      `SELECT id, channel, state, problem FROM deliveries
        WHERE (state IN ('failed', 'unknown') AND changed_at >= ?)
        OR (state = 'waiting' AND failures > 0 AND notification ->> 'createdAt' < ?)
        ORDER BY changed_at DESC LIMIT 100`,
      since,
      waiting,
    );
    return rows.map((row) => ({
      state: String(row['state']),
      id: String(row['id']),
      channel: String(row['channel']),
      problem: String(row['problem']),
    }));
  }

  /** A value that a part of the notifications remembers. */
  async readState(key: string): Promise<string | null> {
    const row = await this.#database.readRow(READ_STATE, key);
    return row === undefined ? null : String(row['value']);
  }

  async writeState(key: string, value: string): Promise<void> {
    await this.#database.change(WRITE_STATE, key, value);
  }

  /** Takes or prolongs a lease until a time; false while another holder has it. */
  takeLease(name: string, lease: Lease): Promise<boolean> {
    return takeLease(this.#database, name, lease);
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

const notificationSchema: z.ZodType<OperatorNotification> = z.object({
  id: z.string().min(1),
  kind: z.enum(NOTIFICATION_KINDS),
  subject: z.string(),
  text: z.string(),
  html: z.string().nullable(),
  replyTo: z.object({ name: z.string(), address: z.string() }).nullable(),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  createdAt: z.number(),
});

function parseDelivery(row: SqlRow): NotificationDelivery {
  const channel = NOTIFICATION_CHANNELS.find((name) => name === row['channel']);
  const notification = notificationSchema.safeParse(parseJson(row['notification'])).data;
  if (channel === undefined || notification === undefined)
    throw new NotificationOutboxError(`the stored notification ${String(row['id'])} cannot be read`);
  return { channel, notification, failures: Number(row['failures']) };
}

const SAME_COMMISSION =
  'other.partner = message.partner AND other.account = message.account AND other.native_id = message.native_id';
const PURCHASE = `SELECT 1 FROM analytics_messages AS other WHERE ${SAME_COMMISSION} AND other.name = 'purchase'`;
/** What was not reported as a purchase is not reported as taken back either. */
const INSERT_ANALYTICS = `INSERT INTO analytics_messages
  SELECT *, 'waiting', 0, ?, ? FROM (SELECT ? AS partner, ? AS account, ? AS native_id, ? AS name, ?, ?, ?) AS message
  WHERE name = 'purchase' OR EXISTS (${PURCHASE})
  ON CONFLICT (partner, account, native_id, name) DO NOTHING`;
/** Finding and claiming is one statement, so that no two processes get one message. */
const CLAIM_ANALYTICS = `UPDATE analytics_messages SET state = 'sending', attempts = attempts + 1, changed_at = ?
  WHERE (partner, account, native_id, name) IN (SELECT partner, account, native_id, name
    FROM analytics_messages AS message WHERE state = 'waiting' AND (due_at <= ? OR due_at > ?)
    AND (name = 'purchase' OR EXISTS (${PURCHASE} AND other.state IN ('sent', 'unknown')))
    ORDER BY due_at LIMIT 1)
  RETURNING *`;
const FINISH_ANALYTICS = `UPDATE analytics_messages SET state = ?, due_at = ?, changed_at = ?
  WHERE partner = ? AND account = ? AND native_id = ? AND name = ? AND state = 'sending'`;

const parseMessageRow = createRowParser('analytics_messages', claimedMessageSchema);

/**
 * The messages to analytics, in the database of the ledger, which closes the executor. Each is sent at most once, also
 * when several processes send or one is killed while it sends. Every method rejects with `LedgerError`.
 */
export class AnalyticsOutbox {
  readonly #database: Database;

  constructor(executor: SqlExecutor) {
    this.#database = withLedgerErrors(executor);
  }

  /** Adds messages that are not known yet; the others change nothing. */
  async add(messages: readonly AnalyticsMessage[], now: number): Promise<void> {
    const statements = messages.map(({ partner, account, nativeId, name, clickId, amount, currency }) => ({
      sql: INSERT_ANALYTICS,
      values: [now, now, partner, account, nativeId, name, clickId, amount, currency],
    }));
    await this.#database.batch(statements);
  }

  /** Claims a message that is due; null when no message is. A claimed message is never returned again by itself. */
  async claim(now: number): Promise<ClaimedMessage | null> {
    const row = await this.#database.changeRow(CLAIM_ANALYTICS, now, now, now + MAX_WAIT_MS);
    return row === undefined ? null : parseMessageRow(row);
  }

  async finish(message: ClaimedMessage, outcome: AttemptOutcome, now: number): Promise<void> {
    const { partner, account, nativeId, name } = message;
    const dueAt = outcome.state === 'waiting' ? outcome.retryAt : now;
    const id = [partner, account, nativeId, name];
    await this.#database.change(FINISH_ANALYTICS, outcome.state, dueAt, now, ...id);
  }

  /** How many messages have each state: `waiting`, `sending` and those of `AttemptOutcome`. */
  async count(): Promise<Readonly<Record<string, number>>> {
    const sql = 'SELECT state, count(*) AS count FROM analytics_messages GROUP BY state';
    const rows = await this.#database.read(sql);
    return Object.fromEntries(rows.map((row) => [String(row['state']), Number(row['count'])]));
  }
}
