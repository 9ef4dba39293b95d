import {
  type CountFilter,
  type EventFilter,
  type EventStore,
  EventStoreError,
  type TimeRange,
} from '../../core/events/event-store.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { convertSqlErrors, type SqlExecutor } from '../sql/sql-executor.ts';
import { parseEventRow } from './event-row.ts';

/** Each page is a query of its own: one that stays open would keep SQLite from writing its log back. */
const ROWS_PER_PAGE = 500;

/** Two queries, because SQLite looks up each end of the index by time only when it is alone. */
const SELECT_TIME_RANGE = `SELECT (SELECT min(server_time) FROM events) AS oldest,
  (SELECT max(server_time) FROM events) AS newest`;

/** The site itself only appends. Kysely, which takes 80 ms and 26 MB, is loaded with the first query. */
const loadQueries = () => import('./event-queries.ts');

/** The reading half of the event store, over an executor that may be read-only. */
export class SqlEventReader implements Pick<EventStore, 'read' | 'count' | 'readTimeRange' | 'close'> {
  readonly #database: Pick<SqlExecutor, 'query' | 'close'>;

  constructor(database: Pick<SqlExecutor, 'query' | 'close'>) {
    this.#database = database;
  }

  async *read(filter: EventFilter): AsyncGenerator<SiteEvent> {
    const { buildBoundsQuery, buildPageQuery } = await loadQueries();
    const [bounds] = await convertErrors(this.#database.query(buildBoundsQuery(filter)));
    if (typeof bounds?.['first'] !== 'number') return;
    const upTo = Number(bounds['last']);
    for (let after = bounds['first'] - 1; after < upTo; ) {
      const page = buildPageQuery(filter, { after, upTo, limit: ROWS_PER_PAGE });
      const rows = await convertErrors(this.#database.query(page));
      for (const row of rows) yield parseEventRow(row);
      after = Number(rows.at(-1)?.['seq'] ?? upTo);
    }
  }

  async count(filter: CountFilter): Promise<number> {
    const { buildCountQuery } = await loadQueries();
    const [row] = await convertErrors(this.#database.query(buildCountQuery(filter)));
    return Number(row?.['count']);
  }

  async readTimeRange(): Promise<TimeRange | null> {
    const [row] = await convertErrors(this.#database.query({ sql: SELECT_TIME_RANGE }));
    const { oldest, newest } = row ?? {};
    return typeof oldest === 'number' && typeof newest === 'number' ? { oldest, newest } : null;
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

/** Passes a result on, and an error of the executor as the one of this port. */
export function convertErrors<T>(result: Promise<T>): Promise<T> {
  return convertSqlErrors(
    result,
    (error) => new EventStoreError(error.code, `[events] ${error.message}`, { cause: error }),
  );
}
