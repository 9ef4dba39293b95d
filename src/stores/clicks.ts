import { isCounted, isWithoutJourney, type SiteEvent } from '../core/events/site-event.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { IS_COUNTED, IS_WITHOUT_JOURNEY, parseEventRow, withEventErrors } from './events.ts';
import type { CountedVisits } from './rollups.ts';
import type { Database, SqlExecutor, SqlRow } from './sql/sql-executor.ts';

/** Which clicks to read; times are ms since 1970 on the server's clock. */
export interface ClickFilter {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly limit: number;
  /** Only clicks of visits with journey, or without. */
  readonly visits?: CountedVisits;
}

/** Clicks whose links carried the same of their visits. */
export type ClickPath = Readonly<ReturnType<typeof parsePath>>;

export interface ClickPathFilter extends ClickFilter {
  /** Ids of clicks that are left out; they count towards the limit. */
  readonly except: readonly string[];
}

/** Groups of one JSON text: together they stay below the 2 MB of a value in D1. */
const GROUPS_PER_TEXT = 1_000;

/** Groups as JSON, which crosses the border between threads faster than rows. */
const buildPathSelect = (condition: string) => `SELECT sum(clicks) AS clicks,
    json_group_array(json_array(page, json(entry), json(pages), json(partner), clicks)) FILTER (WHERE NOT is_left_out) AS paths
  FROM (SELECT page, entry, pages, partner, is_left_out, count(*) AS clicks, row_number() OVER () AS place
    FROM (SELECT page, data -> '$.entry_page' AS entry, data -> '$.journey_pages' AS pages,
        data -> '$.partner' AS partner, id IN (SELECT value FROM json_each(?)) AS is_left_out
      FROM (SELECT id, page, data FROM events
        WHERE name = 'affiliate_redirect' AND server_time >= ? AND server_time < ? AND ${IS_COUNTED}${condition}
        ORDER BY server_time DESC, seq DESC LIMIT ?))
    GROUP BY page, entry, pages, partner, is_left_out)
  GROUP BY place / ${GROUPS_PER_TEXT}`;

function buildVisitCondition(visits: CountedVisits): string {
  if (visits === undefined) return '';
  return visits === 'none' ? ' AND 0' : ` AND ${visits === 'with' ? 'NOT ' : ''}${IS_WITHOUT_JOURNEY}`;
}

function parsePath(row: unknown) {
  const [page, entryPage, pages, partner, clicks] = Array.isArray(row) ? row : [];
  return {
    /** Path of the page that carried the link. */
    page: parseText(page),
    /** Name of the page on which the visits began; empty when it is not known. */
    entryPage: parseText(entryPage),
    /** Names of the first pages of the visits. */
    pages: parseList(pages),
    partner: parseText(partner),
    /** How many they are. */
    clicks: Number(clicks),
  };
}

const parseText = (value: unknown) => (typeof value === 'string' ? value : '');

/** A list in the data of an event; one with a single text is stored as the text. */
function parseList(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
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

  /** When the oldest of the newest clicks arrived, without those that no visitor caused; null without any. */
  async findOldestTime({ from, to, limit, visits }: ClickFilter): Promise<number | null> {
    const sql = `SELECT min(server_time) AS first FROM (SELECT server_time FROM events
      WHERE ${CLICK} AND server_time >= ? AND server_time < ? AND ${IS_COUNTED}${buildVisitCondition(visits)} ORDER BY server_time DESC LIMIT ?)`;
    const first = (await this.#database.readRow(sql, from, to, limit))?.['first'];
    return typeof first === 'number' ? first : null;
  }

  /** Counts the newest clicks by what their links carried, without those that no visitor caused. */
  async readClickPaths({ from, to, limit, except, visits }: ClickPathFilter) {
    const sql = buildPathSelect(buildVisitCondition(visits));
    const parts = await this.#database.read(sql, JSON.stringify(except), from, to, limit);
    const paths = parts.flatMap((part) => {
      const list = parseJson(part['paths']);
      return Array.isArray(list) ? list.map(parsePath) : [];
    });
    const count = parts.reduce((sum, { clicks }) => sum + Number(clicks), 0);
    return { paths, isCut: count >= limit };
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
