import type { SqlExecutor } from '../sql/sql-executor.ts';
import { ROLLUP_POSITION } from './rollup-sql.ts';
import { convertErrors } from './sql-event-reader.ts';

/** Where the counts stop, and what the next events are. Times are ms since 1970, 0 without events. */
export interface RollupState {
  readonly position: number;
  readonly afterDay: string;
  readonly timeZone: string;
  readonly version: number | null;
  /** How many events follow, up to the limit of the read. */
  readonly events: number;
  /** The position of the last of them; null without any. */
  readonly upTo: number | null;
  readonly oldest: number;
  readonly newest: number;
  /**
   * The time from which the database has every event: of earlier ones it has none, or only those that are not archived.
   * Null in an empty database.
   */
  readonly first: number | null;
}

const FIRST = '(SELECT max((SELECT min(server_time) FROM events), archived_before) FROM archive_state)';

/** Reads where the counts stop, and what the next events are. Rejects with `EventStoreError`. */
export async function readRollupState(
  executor: Pick<SqlExecutor, 'query'>,
  limit: number,
): Promise<RollupState> {
  const sql = `SELECT position, after_day, time_zone, version, count(seq) AS events, max(seq) AS up_to,
      min(server_time) AS oldest, max(server_time) AS newest, ${FIRST} AS first
    FROM rollup_state
    LEFT JOIN (SELECT seq, server_time FROM events WHERE seq > ${ROLLUP_POSITION} ORDER BY seq LIMIT ?)`;
  const [row] = await convertErrors(executor.query({ sql, values: [limit] }));
  const number = (name: string) => (typeof row?.[name] === 'number' ? row[name] : null);
  return {
    position: number('position') ?? 0,
    afterDay: String(row?.['after_day']),
    timeZone: String(row?.['time_zone']),
    version: number('version'),
    events: number('events') ?? 0,
    upTo: number('up_to'),
    oldest: number('oldest') ?? 0,
    newest: number('newest') ?? 0,
    first: number('first'),
  };
}
