import type { MessageFeed } from '../../core/contact/message-feed.ts';
import type { EventName } from '../../core/events/event-definitions.ts';
import { parseEventRow } from '../events/event-row.ts';
import { convertErrors } from '../events/sql-event-reader.ts';
import type { SqlExecutor } from '../sql/sql-executor.ts';

/**
 * Reads the messages, or the other events of a name, from the events' database by the sequence of the events, so that
 * none is left out.
 */
export class SqlMessageFeed implements MessageFeed {
  readonly #database: Pick<SqlExecutor, 'query'>;
  readonly #name: EventName;

  constructor(database: Pick<SqlExecutor, 'query'>, name: EventName = 'contact_message') {
    this.#database = database;
    this.#name = name;
  }

  async readPosition(): Promise<number> {
    const [row] = await convertErrors(
      this.#database.query({ sql: 'SELECT max(seq) AS position FROM events' }),
    );
    return Number(row?.['position'] ?? 0);
  }

  async readAfter(position: number) {
    const upTo = await this.readPosition();
    if (upTo <= position) return { messages: [], position };
    const sql = `SELECT * FROM events WHERE seq > ? AND seq <= ? AND name = ? ORDER BY seq`;
    const rows = await convertErrors(this.#database.query({ sql, values: [position, upTo, this.#name] }));
    return { messages: rows.map(parseEventRow), position: upTo };
  }
}
