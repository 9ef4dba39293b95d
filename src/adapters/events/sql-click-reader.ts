import type { ClickFilter, ClickReader } from '../../core/events/click-reader.ts';
import { FORMER_DUPLICATE_FLAG, type SiteEvent, UNCOUNTED_FLAGS } from '../../core/events/site-event.ts';
import type { SqlExecutor } from '../sql/sql-executor.ts';
import { parseEventRow } from './event-row.ts';
import { convertErrors } from './sql-event-reader.ts';

/** No flag is part of the name of another, so a substring is found only where the flag is. */
const COUNTED = [...UNCOUNTED_FLAGS, FORMER_DUPLICATE_FLAG]
  .map((flag) => `instr(flags, '${flag}') = 0`)
  .join(' AND ');

/** The clicks of the events' database, over an executor that may be read-only. */
export class SqlClickReader implements ClickReader {
  readonly #database: Pick<SqlExecutor, 'query'>;

  constructor(database: Pick<SqlExecutor, 'query'>) {
    this.#database = database;
  }

  async readClicks({ from, to, limit }: ClickFilter): Promise<readonly SiteEvent[]> {
    const sql = `SELECT * FROM events WHERE name = 'affiliate_redirect' AND server_time >= ? AND server_time < ?
      AND ${COUNTED} ORDER BY server_time DESC LIMIT ?`;
    const rows = await convertErrors(this.#database.query({ sql, values: [from, to, limit] }));
    return rows.map(parseEventRow);
  }
}
