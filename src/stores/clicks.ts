import { isCounted, isWithoutJourney, type SiteEvent } from '../core/events/site-event.ts';
import { IS_COUNTED, parseEventRow, withEventErrors } from './events.ts';
import type { Database, SqlExecutor, SqlRow } from './sql/sql-executor.ts';

/** Which clicks to read; times are ms since 1970 on the server's clock. */
export interface ClickFilter {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly limit: number;
}

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

/** The clicks on links to partners and the sessions that led to them. Every method rejects with `EventStoreError`. */
export class Clicks {
  readonly #database: Database;

  /** The executor may be read-only. */
  constructor(executor: SqlExecutor) {
    this.#database = withEventErrors(executor);
  }

  /** The newest clicks first, without those that no visitor caused. */
  async readClicks({ from, to, limit }: ClickFilter): Promise<readonly SiteEvent[]> {
    const sql = `SELECT * FROM events WHERE name = 'affiliate_redirect' AND server_time >= ? AND server_time < ?
      AND ${IS_COUNTED} ORDER BY server_time DESC LIMIT ?`;
    return (await this.#database.read(sql, from, to, limit)).map(parseEventRow);
  }

  /**
   * The clicks whose ids (UUID) begin with one of the given texts. A flagged click needs its whole id: then someone has
   * used the link, whatever it looked like.
   */
  async findClicks(beginnings: readonly string[]): Promise<readonly SiteEvent[]> {
    const whole = beginnings.filter((text) => text.length === CLICK_ID_LENGTH);
    const partial = beginnings.filter((text) => text.length < CLICK_ID_LENGTH);
    const rows = await this.#readIn(`SELECT * FROM events WHERE ${CLICK} AND id IN`, whole, '');
    for (const text of partial) {
      const sql = `SELECT * FROM events WHERE ${CLICK} AND id >= ? AND id < ? LIMIT 2`;
      rows.push(...(await this.#database.read(sql, text, text + AFTER_ID)));
    }
    return Promise.all(
      rows
        .map(parseEventRow)
        .filter((click) => isCounted(click) || whole.includes(click.id))
        .map((click) => this.#addVisit(click)),
    );
  }

  /** The ids of the clicks of a session, also of those whose visit only a repeated request has named. */
  async findClickIds(session: string): Promise<readonly string[]> {
    const sql = `SELECT id, json_extract(data, '$.click') AS click FROM events
      WHERE session = ? AND session <> '' AND ${CLICK}`;
    const rows = await this.#database.read(sql, session);
    return rows.flatMap(({ id, click }) => [id, click]).filter((value) => typeof value === 'string');
  }

  /** The counted events of sessions, in stored order. */
  async readSessions(sessions: readonly string[]): Promise<readonly SiteEvent[]> {
    const rows = await this.#readIn(
      `SELECT * FROM events WHERE session <> '' AND session IN`,
      sessions.filter((session) => session !== ''),
      `ORDER BY seq LIMIT ${MAX_SESSION_EVENTS}`,
    );
    return rows.map(parseEventRow).filter(isCounted);
  }

  /** When the oldest stored event arrived; ms since 1970, null without events. */
  async readFirstEventTime(): Promise<number | null> {
    const row = await this.#database.readRow('SELECT min(server_time) AS first FROM events');
    return typeof row?.['first'] === 'number' ? row['first'] : null;
  }

  /**
   * A link that is not opened by a click carries nothing of the visit. The redirect page then repeats the request with
   * what storage has, which is stored as a duplicate that names the click.
   */
  async #addVisit(click: SiteEvent): Promise<SiteEvent> {
    if (click.session !== '' || isWithoutJourney(click)) return click;
    const { id, serverTime } = click;
    const sql = `SELECT * FROM events WHERE ${CLICK} AND server_time BETWEEN ? AND ? AND session <> ''
      AND json_extract(data, '$.click') = ? ORDER BY seq LIMIT 1`;
    const row = await this.#database.readRow(sql, serverTime, serverTime + MAX_REPEAT_MS, id);
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
      const list = JSON.stringify(values.slice(start, start + IDS_PER_QUERY));
      rows.push(...(await this.#database.read(sql, list)));
    }
    return rows;
  }
}
