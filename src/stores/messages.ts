import { MESSAGE_STATES, type MessageState, parseContactValues } from '../core/contact/contact-message.ts';
import type { SiteEvent } from '../core/events/site-event.ts';
import { parseEventRow, withEventErrors } from './events.ts';
import type { Database, SqlExecutor, SqlRow } from './sql/sql-executor.ts';

/** A message of the contact form. Every text was written by a visitor. */
export interface ContactMessage {
  /** Id of its event (UUID). */
  readonly id: string;
  /** ms since 1970. */
  readonly sentAt: number;
  readonly topic: string;
  readonly name: string;
  readonly email: string;
  readonly message: string;
  /** Path of the page with the form. */
  readonly page: string;
  /** Whether the honeypot was filled in, which programs do and browsers of people now and then. */
  readonly isSuspicious: boolean;
  readonly state: MessageState;
}

export interface MessageFilter {
  /** All states when left out. */
  readonly state?: MessageState | undefined;
  readonly offset: number;
  readonly limit: number;
}

const MESSAGES = `events LEFT JOIN contact_message_states AS states ON states.id = events.id
  WHERE name = 'contact_message'`;
const STATE = `coalesce(states.state, 'new')`;

/** The messages of the contact form, stored among the events. Every method rejects with `EventStoreError`. */
export class ContactMessages {
  readonly #database: Database;

  constructor(executor: SqlExecutor) {
    this.#database = withEventErrors(executor);
  }

  /** Newest first. */
  async read({ state, offset, limit }: MessageFilter): Promise<readonly ContactMessage[]> {
    const inState = state === undefined ? '' : `AND ${STATE} = ?`;
    const sql = `SELECT events.*, ${STATE} AS state FROM ${MESSAGES} ${inState}
      ORDER BY server_time DESC, seq DESC LIMIT ? OFFSET ?`;
    const rows = await this.#database.read(sql, ...(state === undefined ? [] : [state]), limit, offset);
    return rows.map(parseMessage);
  }

  async count(): Promise<Readonly<Record<MessageState, number>>> {
    const sql = `SELECT ${STATE} AS state, count(*) AS count FROM ${MESSAGES} GROUP BY 1`;
    const rows = await this.#database.read(sql);
    const get = (state: MessageState) => Number(rows.find((row) => row['state'] === state)?.['count'] ?? 0);
    return { new: get('new'), read: get('read'), answered: get('answered') };
  }

  /** False for an unknown id. */
  async setState(id: string, state: MessageState, now: number): Promise<boolean> {
    const sql = `INSERT INTO contact_message_states (id, state, changed_at)
      SELECT id, ?, ? FROM events WHERE id = ? AND name = 'contact_message'
      ON CONFLICT (id) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at`;
    return (await this.#database.change(sql, state, now, id)) > 0;
  }

  /** Removes a message with its text; false for an unknown id. */
  async remove(id: string): Promise<boolean> {
    const [removed] = await this.#database.batch([
      { sql: `DELETE FROM events WHERE id = ? AND name = 'contact_message'`, values: [id] },
      { sql: 'DELETE FROM contact_message_states WHERE id = ?', values: [id] },
    ]);
    return (removed?.changes ?? 0) > 0;
  }

  /** Removes the newsletter sign-ups of an email address, in capitals or not; resolves with how many. */
  removeSignups(email: string): Promise<number> {
    const sql = `DELETE FROM events
      WHERE name = 'newsletter_signup' AND lower(json_extract(data, '$.email')) = lower(?)`;
    return this.#database.change(sql, email.trim());
  }

  /** The position of the newest event; 0 without events. */
  async readPosition(): Promise<number> {
    const row = await this.#database.readRow('SELECT max(seq) AS position FROM events');
    return Number(row?.['position'] ?? 0);
  }

  /**
   * The messages or newsletter sign-ups after a position in the order in which they were stored, so that none is left
   * out, and the position up to which that is complete.
   */
  async readAfter(
    position: number,
    name: 'contact_message' | 'newsletter_signup' = 'contact_message',
  ): Promise<{ readonly messages: readonly SiteEvent[]; readonly position: number }> {
    const upTo = await this.readPosition();
    if (upTo <= position) return { messages: [], position };
    const sql = `SELECT * FROM events WHERE seq > ? AND seq <= ? AND name = ? ORDER BY seq`;
    const rows = await this.#database.read(sql, position, upTo, name);
    return { messages: rows.map(parseEventRow), position: upTo };
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
