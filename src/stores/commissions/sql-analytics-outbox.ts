import { z } from 'zod';
import type {
  AnalyticsMessage,
  AnalyticsOutbox,
  AttemptOutcome,
  ClaimedMessage,
} from '../../core/commissions/analytics-outbox.ts';
import { CommissionStoreError } from '../../core/commissions/commission-store.ts';
import type { SqlExecutor } from '../sql/sql-executor.ts';
import { convertLedgerErrors } from './convert-ledger-errors.ts';

const SAME_COMMISSION =
  'other.partner = message.partner AND other.account = message.account AND other.native_id = message.native_id';
const PURCHASE = `SELECT 1 FROM analytics_messages AS other WHERE ${SAME_COMMISSION} AND other.name = 'purchase'`;
/** What was not reported as a purchase is not reported as taken back either. */
const INSERT = `INSERT INTO analytics_messages
  SELECT *, 'waiting', 0, ?, ? FROM (SELECT ? AS partner, ? AS account, ? AS native_id, ? AS name, ?, ?, ?) AS message
  WHERE name = 'purchase' OR EXISTS (${PURCHASE})
  ON CONFLICT (partner, account, native_id, name) DO NOTHING`;
/** Finding and claiming is one statement, so that no two processes get one message. */
const CLAIM = `UPDATE analytics_messages SET state = 'sending', attempts = attempts + 1, changed_at = ?
  WHERE (partner, account, native_id, name) IN (SELECT partner, account, native_id, name
    FROM analytics_messages AS message WHERE state = 'waiting' AND (due_at <= ? OR due_at > ?)
    AND (name = 'purchase' OR EXISTS (${PURCHASE} AND other.state IN ('sent', 'unknown')))
    ORDER BY due_at LIMIT 1)
  RETURNING *`;
/** No pause between two attempts is as long: a later time was set while the clock was wrong. */
const MAX_WAIT_MS = 7 * 86_400_000;
const FINISH = `UPDATE analytics_messages SET state = ?, due_at = ?, changed_at = ?
  WHERE partner = ? AND account = ? AND native_id = ? AND name = ? AND state = 'sending'`;

const messageRow = z.object({
  partner: z.string(),
  account: z.string(),
  native_id: z.string(),
  name: z.enum(['purchase', 'refund']),
  click_id: z.string(),
  amount: z.number(),
  currency: z.string(),
  attempts: z.number(),
});

/** The messages to analytics in the database of the ledger, whose store closes the executor. */
export class SqlAnalyticsOutbox implements AnalyticsOutbox {
  readonly #executor: Pick<SqlExecutor, 'batch' | 'query'>;

  constructor(executor: Pick<SqlExecutor, 'batch' | 'query'>) {
    this.#executor = executor;
  }

  async add(messages: readonly AnalyticsMessage[], now: number): Promise<void> {
    const statements = messages.map(({ partner, account, nativeId, name, clickId, amount, currency }) => ({
      sql: INSERT,
      values: [now, now, partner, account, nativeId, name, clickId, amount, currency],
    }));
    await convertLedgerErrors(this.#executor.batch(statements));
  }

  async claim(now: number): Promise<ClaimedMessage | null> {
    const [result] = await convertLedgerErrors(
      this.#executor.batch([{ sql: CLAIM, values: [now, now, now + MAX_WAIT_MS] }]),
    );
    const [row] = result?.rows ?? [];
    if (row === undefined) return null;
    const parsed = messageRow.safeParse(row);
    if (!parsed.success) {
      throw new CommissionStoreError('unavailable', 'the table analytics_messages has an unreadable row');
    }
    const { native_id: nativeId, click_id: clickId, ...rest } = parsed.data;
    return { ...rest, nativeId, clickId };
  }

  async finish(message: ClaimedMessage, outcome: AttemptOutcome, now: number): Promise<void> {
    const { partner, account, nativeId, name } = message;
    const dueAt = outcome.state === 'waiting' ? outcome.retryAt : now;
    const values = [outcome.state, dueAt, now, partner, account, nativeId, name];
    await convertLedgerErrors(this.#executor.batch([{ sql: FINISH, values }]));
  }

  async count(): Promise<Readonly<Record<string, number>>> {
    const sql = 'SELECT state, count(*) AS count FROM analytics_messages GROUP BY state';
    const rows = await convertLedgerErrors(this.#executor.query({ sql }));
    return Object.fromEntries(rows.map((row) => [String(row['state']), Number(row['count'])]));
  }
}
