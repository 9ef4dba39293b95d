import type { ClickSource } from '../../core/commissions/click-source.ts';
import { isCounted, type SiteEvent } from '../../core/events/site-event.ts';
import { parseEventRow } from '../events/event-row.ts';
import { convertErrors } from '../events/sql-event-reader.ts';
import type { SqlExecutor, SqlRow, SqlValue } from '../sql/sql-executor.ts';

const CLICK = `name = 'affiliate_redirect'`;
const CLICK_ID_LENGTH = 36;
/** Follows every character of a UUID, so that a range finds what begins with a text. */
const AFTER_ID = 'g';
/** Ids or sessions of one query. */
const IDS_PER_QUERY = 200;
/** Time in which the redirect page repeats its request, in ms. */
const MAX_REPEAT_MS = 60_000;
/** A session with more events is cut off: a journey needs its pages once each. */
const MAX_SESSION_EVENTS = 50_000;

/** The clicks and sessions of the events' database, over an executor that may be read-only. */
export class SqlClickSource implements ClickSource {
  readonly #database: Pick<SqlExecutor, 'query'>;

  constructor(database: Pick<SqlExecutor, 'query'>) {
    this.#database = database;
  }

  async findClicks(beginnings: readonly string[]): Promise<readonly SiteEvent[]> {
    const whole = beginnings.filter((text) => text.length === CLICK_ID_LENGTH);
    const partial = beginnings.filter((text) => text.length < CLICK_ID_LENGTH);
    const rows = await this.#readIn(`SELECT * FROM events WHERE ${CLICK} AND id IN`, whole, '');
    for (const text of partial) {
      const sql = `SELECT * FROM events WHERE ${CLICK} AND id >= ? AND id < ? LIMIT 2`;
      rows.push(...(await this.#read(sql, [text, text + AFTER_ID])));
    }
    return Promise.all(
      rows
        .map(parseEventRow)
        .filter(isCounted)
        .map((click) => this.#addVisit(click)),
    );
  }

  async readSessions(sessions: readonly string[]): Promise<readonly SiteEvent[]> {
    const rows = await this.#readIn(
      `SELECT * FROM events WHERE session <> '' AND session IN`,
      sessions.filter((session) => session !== ''),
      `ORDER BY seq LIMIT ${MAX_SESSION_EVENTS}`,
    );
    return rows.map(parseEventRow).filter(isCounted);
  }

  async readFirstEventTime(): Promise<number | null> {
    const [row] = await this.#read('SELECT min(server_time) AS first FROM events', []);
    return typeof row?.['first'] === 'number' ? row['first'] : null;
  }

  /**
   * A link that is not opened by a click carries nothing of the visit. The redirect page then repeats the request with
   * what storage has, which is stored as a duplicate that names the click.
   */
  async #addVisit(click: SiteEvent): Promise<SiteEvent> {
    if (click.session !== '') return click;
    const { id, serverTime } = click;
    const sql = `SELECT * FROM events WHERE ${CLICK} AND server_time BETWEEN ? AND ? AND session <> ''
      AND json_extract(data, '$.click') = ? ORDER BY seq LIMIT 1`;
    const [row] = await this.#read(sql, [serverTime, serverTime + MAX_REPEAT_MS, id]);
    if (row === undefined) return click;
    const { session, page, campaign, data } = parseEventRow(row);
    const { click: _, ...visit } = data;
    return { ...click, session, page, campaign, data: visit };
  }

  async #readIn(head: string, values: readonly string[], tail: string): Promise<SqlRow[]> {
    const rows: SqlRow[] = [];
    // The list is one value, because D1 binds at most 100.
    const sql = `${head} (SELECT value FROM json_each(?)) ${tail}`;
    for (let start = 0; start < values.length; start += IDS_PER_QUERY) {
      rows.push(...(await this.#read(sql, [JSON.stringify(values.slice(start, start + IDS_PER_QUERY))])));
    }
    return rows;
  }

  #read(sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    return convertErrors(this.#database.query({ sql, values }));
  }
}
