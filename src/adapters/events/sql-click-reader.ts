import type { ClickFilter, ClickPath, ClickReader } from '../../core/events/click-reader.ts';
import { FORMER_DUPLICATE_FLAG, type SiteEvent, UNCOUNTED_FLAGS } from '../../core/events/site-event.ts';
import { parseJson } from '../../core/text/parse-json.ts';
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

  async *readClickPaths({ from, to, limit }: ClickFilter): AsyncGenerator<readonly ClickPath[]> {
    // The place after everything that is read: clicks before it are read next.
    let place: readonly [time: number, seq: number] = [to, 0];
    for (let left = limit; left > 0; left -= PATHS_PER_READ) {
      const values = [from, ...place, Math.min(left, PATHS_PER_READ)];
      const [row] = await convertErrors(this.#database.query({ sql: SELECT_PATHS, values }));
      const rows = parseJson(row?.['paths']);
      if (!Array.isArray(rows) || rows.length === 0) return;
      yield rows.map(parsePath);
      const [time, seq]: readonly unknown[] = rows.at(-1);
      if (rows.length < PATHS_PER_READ) return;
      place = [Number(time), Number(seq)];
    }
  }
}

/** One row: clicks as JSON, which crosses the border between threads faster than rows. */
const SELECT_PATHS = `SELECT json_group_array(json_array(server_time, seq, id, page, data -> '$.entry_page',
    data -> '$.journey_pages', data -> '$.partner')) AS paths
  FROM (SELECT seq, id, page, data, server_time FROM events
    WHERE name = 'affiliate_redirect' AND server_time >= ? AND (server_time, seq) < (?, ?) AND ${COUNTED}
    ORDER BY server_time DESC, seq DESC LIMIT ?)`;
const PATHS_PER_READ = 1_000;

function parsePath(row: unknown): ClickPath {
  const [, , clickId, page, entryPage, pages, partner] = Array.isArray(row) ? row : [];
  return {
    clickId: parseText(clickId),
    page: parseText(page),
    entryPage: parseText(entryPage),
    pages: parseList(pages),
    partner: parseText(partner),
  };
}

const parseText = (value: unknown) => (typeof value === 'string' ? value : '');

/** A list in the data of an event; one with a single text is stored as the text. */
function parseList(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
