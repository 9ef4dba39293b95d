import { isCounted, type SiteEvent } from '../core/events/site-event.ts';
import { convertErrors, parseEventRow } from './events.ts';
import type { SqlExecutor } from './sql/sql-executor.ts';

export interface FeedFilter {
  /** Server time in ms since 1970, inclusive. */
  readonly since: number;
  /** Position after which to read, as an earlier page of the feed had it; from the beginning when left out. */
  readonly after?: number | undefined;
  /** How many events at most; the newest ones stay. */
  readonly limit: number;
}

export interface FeedPage {
  /** Newest first, without events that no visitor caused. */
  readonly events: readonly SiteEvent[];
  /** Position of the newest stored event; reading after it brings what happened since. */
  readonly position: number;
}

/** The port that reads what happens now, from the end, without looking at older events. */
export interface EventFeed {
  /** Rejects with `EventStoreError`. */
  readRecent(filter: FeedFilter): Promise<FeedPage>;
}

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
