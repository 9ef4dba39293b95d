import type {
  ClickFilter,
  ClickPath,
  ClickPathFilter,
  ClickPaths,
  ClickReader,
} from '../../core/events/click-reader.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import type { SqlExecutor } from '../sql/sql-executor.ts';
import { IS_COUNTED, parseEventRow } from './event-row.ts';
import { convertErrors } from './sql-event-reader.ts';

/** The clicks of the events' database, over an executor that may be read-only. */
export class SqlClickReader implements ClickReader {
  readonly #database: Pick<SqlExecutor, 'query'>;

  constructor(database: Pick<SqlExecutor, 'query'>) {
    this.#database = database;
  }

  async readClicks({ from, to, limit }: ClickFilter): Promise<readonly SiteEvent[]> {
    const sql = `SELECT * FROM events WHERE name = 'affiliate_redirect' AND server_time >= ? AND server_time < ?
      AND ${IS_COUNTED} ORDER BY server_time DESC LIMIT ?`;
    const rows = await convertErrors(this.#database.query({ sql, values: [from, to, limit] }));
    return rows.map(parseEventRow);
  }

  async readClickPaths({ from, to, limit, except }: ClickPathFilter): Promise<ClickPaths> {
    const values = [JSON.stringify(except), from, to, limit];
    const parts = await convertErrors(this.#database.query({ sql: SELECT_PATHS, values }));
    const paths = parts.flatMap((part) => {
      const list = parseJson(part['paths']);
      return Array.isArray(list) ? list.map(parsePath) : [];
    });
    const count = parts.reduce((sum, { clicks }) => sum + Number(clicks), 0);
    return { paths, isCut: count >= limit };
  }
}

/** Groups of one JSON text: together they stay below the 2 MB of a value in D1. */
const GROUPS_PER_TEXT = 1_000;

/** Groups as JSON, which crosses the border between threads faster than rows. */
const SELECT_PATHS = `SELECT sum(clicks) AS clicks,
    json_group_array(json_array(page, json(entry), json(pages), json(partner), clicks)) FILTER (WHERE NOT is_left_out) AS paths
  FROM (SELECT page, entry, pages, partner, is_left_out, count(*) AS clicks, row_number() OVER () AS place
    FROM (SELECT page, data -> '$.entry_page' AS entry, data -> '$.journey_pages' AS pages,
        data -> '$.partner' AS partner, id IN (SELECT value FROM json_each(?)) AS is_left_out
      FROM (SELECT id, page, data FROM events
        WHERE name = 'affiliate_redirect' AND server_time >= ? AND server_time < ? AND ${IS_COUNTED}
        ORDER BY server_time DESC, seq DESC LIMIT ?))
    GROUP BY page, entry, pages, partner, is_left_out)
  GROUP BY place / ${GROUPS_PER_TEXT}`;

function parsePath(row: unknown): ClickPath {
  const [page, entryPage, pages, partner, clicks] = Array.isArray(row) ? row : [];
  return {
    page: parseText(page),
    entryPage: parseText(entryPage),
    pages: parseList(pages),
    partner: parseText(partner),
    clicks: Number(clicks),
  };
}

const parseText = (value: unknown) => (typeof value === 'string' ? value : '');

/** A list in the data of an event; one with a single text is stored as the text. */
function parseList(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
