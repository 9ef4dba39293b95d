import type { EventFeed, FeedFilter, FeedPage } from '../../core/events/event-feed.ts';
import { isCounted } from '../../core/events/site-event.ts';
import type { SqlExecutor } from '../sql/sql-executor.ts';
import { parseEventRow } from './event-row.ts';
import { convertErrors } from './sql-event-reader.ts';

/** Events of bots and duplicates are read and left out; more of them than these in a row hide what is older. */
const READ_PER_EVENT = 4;

/** The newest events of the events' database, over an executor that may be read-only. */
export class SqlEventFeed implements EventFeed {
  readonly #database: Pick<SqlExecutor, 'query'>;

  constructor(database: Pick<SqlExecutor, 'query'>) {
    this.#database = database;
  }

  async readRecent({ since, after = 0, limit }: FeedFilter): Promise<FeedPage> {
    const rows = await convertErrors(
      this.#database.query({
        sql: 'SELECT * FROM events WHERE seq > ? ORDER BY seq DESC LIMIT ?',
        values: [after, limit * READ_PER_EVENT],
      }),
    );
    const events = rows.map(parseEventRow).filter((event) => isCounted(event) && event.serverTime >= since);
    return { events: events.slice(0, limit), position: Number(rows[0]?.['seq'] ?? after) };
  }
}
