import { getOffsets, type OffsetSpan } from '../../core/commissions/local-time.ts';
import {
  ACTION_EVENTS,
  ANSWER_FIELDS,
  ANSWER_LIST,
  CAMPAIGN_KEY,
  OTHER_KEY,
  ROLLUP_VERSION,
} from '../../core/events/rollup.ts';
import type { RollupFilter, RollupGroup, RollupStore } from '../../core/events/rollup-store.ts';
import { UNCOUNTED_FLAGS } from '../../core/events/site-event.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import type { SqlExecutor, SqlRow, SqlStatement, SqlValue } from '../sql/sql-executor.ts';
import { convertErrors } from './sql-event-reader.ts';

/** Events of one transaction: about 30 ms, in which appends wait. */
const EVENTS_PER_BATCH = 2_000;
/** Keys of a dimension per day; addresses with random parameters would otherwise fill the table. */
const MAX_KEYS_PER_DAY = 2_000;

const POSITION = '(SELECT position FROM rollup_state)';
const COUNTERS = ['views', 'sessions', 'actions', 'clicks'] as const;
const SUMS = COUNTERS.map((name) => `sum(${name}) AS ${name}`).join(', ');
const ADD_COUNTERS = COUNTERS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ');
const quote = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');
/** A text of a JSON object; empty when it is missing or of another type. */
const readText = (column: string, key: string) =>
  `iif(json_type(${column}, '$.${key}') = 'text', json_extract(${column}, '$.${key}'), '')`;

/** The counts of events by day, in the same database as the events. */
export class SqlRollupStore implements RollupStore {
  readonly #executor: Pick<SqlExecutor, 'batch' | 'query'>;
  readonly #timeZone: string;

  constructor(executor: Pick<SqlExecutor, 'batch' | 'query'>, timeZone: string) {
    this.#executor = executor;
    this.#timeZone = timeZone;
  }

  async advance(): Promise<number> {
    const state = await this.#readState();
    if (state.timeZone !== this.#timeZone || state.version !== ROLLUP_VERSION) {
      await this.rebuild();
      return this.advance();
    }
    if (state.upTo === null) return 0;
    // The counters change only together with the position, so that no event is counted twice or left out.
    const range = `seq > ? AND seq <= ? AND ${POSITION} = ?`;
    const values = [state.position, state.upTo, state.position];
    await this.#write([
      {
        sql: `INSERT INTO rollups ${this.#buildCounts(range, state)} ON CONFLICT DO UPDATE SET ${ADD_COUNTERS}`,
        values,
      },
      ...buildMerge(this.#getDay(state.oldest), this.#getDay(state.newest)),
      {
        sql: 'UPDATE rollup_state SET position = ? WHERE position = ?',
        values: [state.upTo, state.position],
      },
    ]);
    return state.events;
  }

  async rebuild(): Promise<void> {
    const { first } = await this.#readState();
    const firstDay = first === null ? '' : this.#getDay(first);
    const [older] = await this.#read('SELECT count(*) AS days FROM rollups WHERE day < ?', [firstDay]);
    const afterDay = Number(older?.['days']) > 0 ? firstDay : '';
    await this.#write([
      { sql: 'DELETE FROM rollups WHERE day > ?', values: [afterDay] },
      {
        sql: 'UPDATE rollup_state SET position = 0, after_day = ?, time_zone = ?, version = ?',
        values: [afterDay, this.#timeZone, ROLLUP_VERSION],
      },
    ]);
  }

  readByKey(filter: RollupFilter): Promise<readonly RollupGroup[]> {
    return this.#readGroups('key', filter);
  }

  readByDay(filter: RollupFilter): Promise<readonly RollupGroup[]> {
    return this.#readGroups('json_array(day)', filter);
  }

  async #readGroups(group: string, filter: RollupFilter): Promise<readonly RollupGroup[]> {
    const { dimension, from = '', to = '9999-12-31' } = filter;
    const state = await this.#readState(Number.MAX_SAFE_INTEGER);
    const tail = this.#buildCounts(`seq > ${POSITION}`, state);
    const rows = await this.#read(
      `SELECT ${group} AS key, ${SUMS} FROM (SELECT * FROM rollups UNION ALL ${tail})
      WHERE dimension = ? AND day BETWEEN ? AND ? GROUP BY 1 ORDER BY 1`,
      [dimension, from, to],
    );
    return rows.map(parseGroup);
  }

  /** Reads where the counts stop, and what the next events are. */
  async #readState(limit = EVENTS_PER_BATCH) {
    const [row] = await this.#read(
      `SELECT position, time_zone, version, count(seq) AS events, max(seq) AS up_to,
        min(server_time) AS oldest, max(server_time) AS newest, (SELECT min(server_time) FROM events) AS first
      FROM rollup_state
      LEFT JOIN (SELECT seq, server_time FROM events WHERE seq > ${POSITION} ORDER BY seq LIMIT ?)`,
      [limit],
    );
    const number = (name: string) => (typeof row?.[name] === 'number' ? row[name] : null);
    return {
      position: number('position') ?? 0,
      timeZone: String(row?.['time_zone']),
      version: number('version'),
      events: number('events') ?? 0,
      upTo: number('up_to'),
      oldest: number('oldest') ?? 0,
      newest: number('newest') ?? 0,
      first: number('first'),
    };
  }

  /** Builds a SELECT of the columns of `rollups` over the events of a range. */
  #buildCounts(
    range: string,
    { oldest, newest }: { readonly oldest: number; readonly newest: number },
  ): string {
    const day = buildDay(getOffsets(oldest, newest, this.#timeZone));
    const counted = UNCOUNTED_FLAGS.map((flag) => `instr(flags, '${flag}') = 0`).join(' AND ');
    return `SELECT dimension, day, key, ${SUMS} FROM (
      WITH counted AS (SELECT ${day} AS day, page, data, campaign, name = 'page_view' AS views,
        name = 'page_view' AND json_extract(data, '$.referrer') IS NOT NULL AS sessions,
        name IN (${quote(ACTION_EVENTS)}) AS actions, name = 'affiliate_redirect' AS clicks
        FROM events WHERE ${range} AND ${counted})
      ${KEYS.map(
        ([dimension, key, tables, condition]) => `SELECT '${dimension}' AS dimension, day,
        ${key} AS key, views, sessions, actions, clicks FROM counted${tables} WHERE ${condition}`,
      ).join(' UNION ALL ')}
    ) WHERE day > (SELECT after_day FROM rollup_state) GROUP BY dimension, day, key`;
  }

  #getDay(time: number): string {
    const [span] = getOffsets(time, time, this.#timeZone);
    return new Date(time + (span?.offset ?? 0)).toISOString().slice(0, 10);
  }

  #write(statements: readonly SqlStatement[]) {
    return convertErrors(this.#executor.batch(statements));
  }

  #read(sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    return convertErrors(this.#executor.query({ sql, values }));
  }
}

/** Dimension, key, further tables and condition, as `buildRollupRows` defines them. */
const KEYS: readonly (readonly [string, string, string, string])[] = [
  ['page', 'json_array(page)', '', 'views + actions + clicks > 0'],
  [
    'campaign',
    `json_array(${CAMPAIGN_KEY.map((name) => readText('campaign', name)).join(', ')})`,
    '',
    'views + actions + clicks > 0',
  ],
  [
    'placement',
    `json_array(page, ${readText('data', 'source')}, iif(clicks, ${readText('data', 'partner')}, ''))`,
    '',
    'actions + clicks > 0',
  ],
  ['partner', `json_array(${readText('data', 'partner')})`, '', 'clicks > 0'],
  ...ANSWER_FIELDS.map(
    (field) =>
      [
        'answer',
        `json_array('${field}', ${readText('data', field)})`,
        '',
        `clicks > 0 AND json_type(data, '$.${field}') = 'text'`,
      ] as const,
  ),
  [
    'answer',
    `json_array('${ANSWER_LIST}', answers.value)`,
    `, json_each(data, '$.${ANSWER_LIST}') AS answers`,
    `clicks > 0 AND json_type(data, '$.${ANSWER_LIST}') = 'array'`,
  ],
];

/** Merges the keys with the lowest counts of the days from `first` to `last`, where there are more than the limit. */
function buildMerge(first: string, last: string): readonly SqlStatement[] {
  const other = `'${JSON.stringify(OTHER_KEY)}'`;
  const days = 'day BETWEEN ? AND ?';
  const rare = `SELECT dimension, day, key FROM (
    SELECT dimension, day, key, row_number() OVER (
      PARTITION BY dimension, day ORDER BY views + actions + clicks DESC, key) AS place
    FROM rollups WHERE ${days} AND key <> ${other} AND (dimension, day) IN (
      SELECT dimension, day FROM rollups WHERE ${days} GROUP BY dimension, day HAVING count(*) > ${MAX_KEYS_PER_DAY}))
    WHERE place >= ${MAX_KEYS_PER_DAY / 2}`;
  const values = [first, last, first, last];
  return [
    {
      sql: `INSERT INTO rollups SELECT dimension, day, ${other}, ${SUMS} FROM rollups
        WHERE (dimension, day, key) IN (${rare}) GROUP BY dimension, day ON CONFLICT DO UPDATE SET ${ADD_COUNTERS}`,
      values,
    },
    { sql: `DELETE FROM rollups WHERE (dimension, day, key) IN (${rare})`, values },
  ];
}

/** The day of `server_time` in a time zone, as an SQL expression. */
function buildDay(spans: readonly OffsetSpan[]): string {
  const cases = spans.map(({ until, offset }) => `WHEN server_time < ${until} THEN ${offset}`).join(' ');
  return `date((server_time + CASE ${cases} ELSE 0 END) / 1000, 'unixepoch')`;
}

function parseGroup(row: SqlRow): RollupGroup {
  const key = parseJson(row['key']);
  const count = (name: string) => Number(row[name]);
  return {
    key: Array.isArray(key) ? key.map(String) : [],
    views: count('views'),
    sessions: count('sessions'),
    actions: count('actions'),
    clicks: count('clicks'),
  };
}
