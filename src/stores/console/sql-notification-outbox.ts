import { z } from 'zod';
import type { Lease } from '../../core/commissions/commission-store.ts';
import {
  isRepeatable,
  NOTIFICATION_CHANNELS,
  NOTIFICATION_KINDS,
  type NotificationChannelName,
  type NotificationDelivery,
  type OperatorNotification,
} from '../../core/console/notification.ts';
import {
  type DeliveryCounts,
  type DeliveryResult,
  type NotificationOutbox,
  NotificationOutboxError,
} from '../../core/console/notification-outbox.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import { buildLeaseStatement } from '../sql/lease-statement.ts';
import { convertSqlErrors, type SqlExecutor, type SqlRow, type SqlStatement } from '../sql/sql-executor.ts';

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

/** The outbox over any SQL executor, which it closes with itself. */
export class SqlNotificationOutbox implements NotificationOutbox {
  readonly #executor: SqlExecutor;

  constructor(executor: SqlExecutor) {
    this.#executor = executor;
  }

  async add(
    notification: OperatorNotification,
    channels: readonly NotificationChannelName[],
  ): Promise<number> {
    const { id, createdAt } = notification;
    const content = JSON.stringify(notification);
    const results = await this.#write(
      channels.map((channel) => ({ sql: INSERT, values: [id, channel, content, createdAt, createdAt] })),
    );
    return results.filter(({ changes }) => changes > 0).length;
  }

  async claim(now: number, leaseUntil: number): Promise<NotificationDelivery | null> {
    const [result] = await this.#write([{ sql: CLAIM, values: [leaseUntil, now, now, now + MAX_WAIT_MS] }]);
    const [row] = result?.rows ?? [];
    return row === undefined ? null : parseDelivery(row);
  }

  async finish(delivery: NotificationDelivery, result: DeliveryResult, now: number): Promise<void> {
    const isWaiting = result.state === 'waiting';
    await this.#write([
      {
        sql: FINISH,
        values: [
          result.state,
          result.state === 'sent' ? '' : result.problem,
          isWaiting ? result.dueAt : now,
          now,
          Number(result.state !== 'sent'),
          Number(isWaiting),
          delivery.notification.id,
          delivery.channel,
        ],
      },
    ]);
  }

  async giveUp(now: number): Promise<number> {
    const [, given] = await this.#write([
      { sql: RESUME, values: [now, now, now, ...REPEATABLE] },
      { sql: GIVE_UP, values: [now, now] },
    ]);
    return given?.changes ?? 0;
  }

  async forget(now: number): Promise<void> {
    await this.#write([{ sql: FORGET, values: [now - FORGET_MS] }]);
  }

  async count(): Promise<DeliveryCounts> {
    const rows = await this.#read({ sql: 'SELECT state, count(*) AS count FROM deliveries GROUP BY state' });
    const get = (state: string) => Number(rows.find((row) => row['state'] === state)?.['count'] ?? 0);
    return {
      waiting: get('waiting'),
      sending: get('sending'),
      sent: get('sent'),
      failed: get('failed'),
      unknown: get('unknown'),
    };
  }

  async readState(key: string): Promise<string | null> {
    const [row] = await this.#read({ sql: 'SELECT value FROM state WHERE key = ?', values: [key] });
    return row === undefined ? null : String(row['value']);
  }

  async writeState(key: string, value: string): Promise<void> {
    const sql = `INSERT INTO state (key, value) VALUES (?, ?)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
    await this.#write([{ sql, values: [key, value] }]);
  }

  async takeLease(name: string, lease: Lease): Promise<boolean> {
    const [result] = await this.#write([buildLeaseStatement(name, lease)]);
    return result?.changes === 1;
  }

  close(): Promise<void> {
    return this.#executor.close();
  }

  #write(statements: readonly SqlStatement[]): ReturnType<SqlExecutor['batch']> {
    return convertErrors(this.#executor.batch(statements));
  }

  #read(statement: SqlStatement): Promise<readonly SqlRow[]> {
    return convertErrors(this.#executor.query(statement));
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

function convertErrors<T>(result: Promise<T>): Promise<T> {
  return convertSqlErrors(result, (error) => new NotificationOutboxError(error.message, { cause: error }));
}
