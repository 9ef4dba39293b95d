import type { EventFeed, FeedFilter, FeedPage } from '../../core/events/event-feed.ts';
import { isCounted, type SiteEvent } from '../../core/events/site-event.ts';
import type { SqlExecutor } from '../sql/sql-executor.ts';
import { parseEventRow } from './event-row.ts';
import { convertErrors } from './sql-event-reader.ts';

/** Events of bots and duplicates are read and left out; more of them than these in a row hide what is older. */
const READ_PER_EVENT = 4;

/** Rows of one read; each is copied to the main thread, which other requests wait for. */
const ROWS_PER_READ = 500;
const SELECT_PAGE = 'SELECT * FROM events WHERE seq > ? AND seq < ? ORDER BY seq DESC LIMIT ?';

/** The newest events of the events' database, over an executor that may be read-only. */
export class SqlEventFeed implements EventFeed {
  readonly #database: Pick<SqlExecutor, 'query'>;

  constructor(database: Pick<SqlExecutor, 'query'>) {
    this.#database = database;
  }

  async readRecent({ since, after = 0, limit }: FeedFilter): Promise<FeedPage> {
    const events: SiteEvent[] = [];
    let position = after;
    let before = Number.MAX_SAFE_INTEGER;
    for (let left = limit * READ_PER_EVENT; left > 0 && events.length < limit; left -= ROWS_PER_READ) {
      const values = [after, before, Math.min(left, ROWS_PER_READ)];
      const rows = await convertErrors(this.#database.query({ sql: SELECT_PAGE, values }));
      position = Math.max(position, Number(rows[0]?.['seq'] ?? after));
      const recent = rows.map(parseEventRow).filter((event) => event.serverTime >= since);
      events.push(...recent.filter(isCounted));
      if (rows.length < ROWS_PER_READ || recent.length === 0) break;
      before = Number(rows.at(-1)?.['seq']);
    }
    return { events: events.slice(0, limit), position };
  }
}
