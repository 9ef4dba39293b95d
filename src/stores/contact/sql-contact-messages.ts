import { parseContactValues } from '../../core/contact/contact-message.ts';
import {
  type ContactMessage,
  type ContactMessages,
  MESSAGE_STATES,
  type MessageCounts,
  type MessageFilter,
  type MessageState,
} from '../../core/contact/contact-messages.ts';
import { parseEventRow } from '../events/event-row.ts';
import { convertErrors } from '../events/sql-event-reader.ts';
import type { SqlExecutor, SqlRow, SqlStatement } from '../sql/sql-executor.ts';

const MESSAGES = `events LEFT JOIN contact_message_states AS states ON states.id = events.id
  WHERE name = 'contact_message'`;
const STATE = `coalesce(states.state, 'new')`;

export class SqlContactMessages implements ContactMessages {
  readonly #database: Pick<SqlExecutor, 'query' | 'batch'>;

  constructor(database: Pick<SqlExecutor, 'query' | 'batch'>) {
    this.#database = database;
  }

  async read({ state, offset, limit }: MessageFilter): Promise<readonly ContactMessage[]> {
    const inState = state === undefined ? '' : `AND ${STATE} = ?`;
    const rows = await this.#query({
      sql: `SELECT events.*, ${STATE} AS state FROM ${MESSAGES} ${inState}
        ORDER BY server_time DESC, seq DESC LIMIT ? OFFSET ?`,
      values: [...(state === undefined ? [] : [state]), limit, offset],
    });
    return rows.map(parseMessage);
  }

  async count(): Promise<MessageCounts> {
    const rows = await this.#query({
      sql: `SELECT ${STATE} AS state, count(*) AS count FROM ${MESSAGES} GROUP BY 1`,
    });
    const get = (state: MessageState) => Number(rows.find((row) => row['state'] === state)?.['count'] ?? 0);
    return { new: get('new'), read: get('read'), answered: get('answered') };
  }

  async setState(id: string, state: MessageState, now: number): Promise<boolean> {
    const sql = `INSERT INTO contact_message_states (id, state, changed_at)
      SELECT id, ?, ? FROM events WHERE id = ? AND name = 'contact_message'
      ON CONFLICT (id) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at`;
    return this.#change([{ sql, values: [state, now, id] }]);
  }

  async remove(id: string): Promise<boolean> {
    return this.#change([
      { sql: `DELETE FROM events WHERE id = ? AND name = 'contact_message'`, values: [id] },
      { sql: 'DELETE FROM contact_message_states WHERE id = ?', values: [id] },
    ]);
  }

  async removeSignups(email: string): Promise<number> {
    const sql = `DELETE FROM events
      WHERE name = 'newsletter_signup' AND lower(json_extract(data, '$.email')) = lower(?)`;
    const [removed] = await convertErrors(this.#database.batch([{ sql, values: [email.trim()] }]));
    return removed?.changes ?? 0;
  }

  async #change(statements: readonly SqlStatement[]): Promise<boolean> {
    const [first] = await convertErrors(this.#database.batch(statements));
    return (first?.changes ?? 0) > 0;
  }

  #query(statement: SqlStatement): Promise<readonly SqlRow[]> {
    return convertErrors(this.#database.query(statement));
  }
}

function parseMessage(row: SqlRow): ContactMessage {
  const { id, serverTime, page, data, flags } = parseEventRow(row);
  return {
    id,
    sentAt: serverTime,
    ...parseContactValues((field) => data[field]),
    page,
    isSuspicious: flags.includes('bot'),
    state: MESSAGE_STATES.find((state) => state === row['state']) ?? 'new',
  };
}
