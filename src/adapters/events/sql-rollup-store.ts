import { getOffsets } from '../../core/commissions/local-time.ts';
import { ROLLUP_VERSION } from '../../core/events/rollup.ts';
import type {
  DailyRollupGroup,
  RollupFilter,
  RollupGroup,
  RollupStore,
} from '../../core/events/rollup-store.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import type { SqlExecutor, SqlRow, SqlStatement, SqlValue } from '../sql/sql-executor.ts';
import {
  buildMerge,
  buildRollupInsert,
  buildRollupQuery,
  COUNTER_SUMS,
  ROLLUP_POSITION,
} from './rollup-sql.ts';
import { convertErrors } from './sql-event-reader.ts';

/** Events of one transaction: about 30 ms, in which appends wait. */
const EVENTS_PER_BATCH = 2_000;

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
    const range = `seq > ? AND seq <= ? AND ${ROLLUP_POSITION} = ?`;
    const values = [state.position, state.upTo, state.position];
    await this.#write([
      { sql: buildRollupInsert(buildRollupQuery(range, this.#getSpans(state))), values },
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

  async readByKey(filter: RollupFilter): Promise<readonly RollupGroup[]> {
    const rows = await this.#readGroups(['key'], filter);
    return rows.map((row) => ({ key: parseKey(row['key']), ...parseCounts(row) }));
  }

  async readByDay(filter: RollupFilter): Promise<readonly RollupGroup[]> {
    const rows = await this.#readGroups(['day'], filter);
    return rows.map((row) => ({ key: [String(row['day'])], ...parseCounts(row) }));
  }

  async readByDayAndKey(filter: RollupFilter): Promise<readonly DailyRollupGroup[]> {
    const rows = await this.#readGroups(['day', 'key'], filter);
    return rows.map((row) => ({
      day: String(row['day']),
      key: parseKey(row['key']),
      ...parseCounts(row),
    }));
  }

  async #readGroups(
    groups: readonly ('day' | 'key')[],
    { dimension, from = '', to = '9999-12-31', keys, parts = [] }: RollupFilter,
  ): Promise<readonly SqlRow[]> {
    const state = await this.#readState(Number.MAX_SAFE_INTEGER);
    const conditions = [
      'dimension = ? AND day BETWEEN ? AND ?',
      ...(keys === undefined ? [] : ['key IN (SELECT value FROM json_each(?))']),
      ...parts.map(({ isNot = false }) => `json_extract(key, ?) IS ${isNot ? 'NOT ' : ''}?`),
    ].join(' AND ');
    const values = [
      dimension,
      from,
      to,
      ...(keys === undefined ? [] : [JSON.stringify(keys.map((key) => JSON.stringify(key)))]),
      ...parts.flatMap(({ index, value }) => [`$[${index}]`, value]),
    ];
    const columns = 'dimension, day, key, views, sessions, actions, clicks';
    const tail = buildRollupQuery(`seq > ${ROLLUP_POSITION}`, this.#getSpans(state), dimension);
    // The part over new events takes time to prepare even when it is empty.
    const sources = [
      { sql: `SELECT ${columns} FROM rollups WHERE ${conditions}`, values },
      ...(state.events === 0
        ? []
        : [{ sql: `SELECT ${columns} FROM (${tail}) WHERE ${conditions}`, values }]),
    ];
    return this.#read(
      `SELECT ${groups.join(', ')}, ${COUNTER_SUMS} FROM (${sources.map(({ sql }) => sql).join(' UNION ALL ')})
      GROUP BY ${groups.join(', ')} ORDER BY ${groups.join(', ')}`,
      sources.flatMap((source) => source.values),
    );
  }

  /** Reads where the counts stop, and what the next events are. */
  async #readState(limit = EVENTS_PER_BATCH) {
    const [row] = await this.#read(
      `SELECT position, time_zone, version, count(seq) AS events, max(seq) AS up_to,
        min(server_time) AS oldest, max(server_time) AS newest, (SELECT min(server_time) FROM events) AS first
      FROM rollup_state
      LEFT JOIN (SELECT seq, server_time FROM events WHERE seq > ${ROLLUP_POSITION} ORDER BY seq LIMIT ?)`,
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

  #getSpans({ oldest, newest }: { readonly oldest: number; readonly newest: number }) {
    return getOffsets(oldest, newest, this.#timeZone);
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

function parseKey(text: SqlRow[string] | undefined): readonly string[] {
  const key = parseJson(text);
  return Array.isArray(key) ? key.map(String) : [];
}

function parseCounts(row: SqlRow) {
  const count = (name: string) => Number(row[name]);
  return {
    views: count('views'),
    sessions: count('sessions'),
    actions: count('actions'),
    clicks: count('clicks'),
  };
}
