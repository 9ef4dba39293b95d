import { getOffsets, type OffsetSpan } from '../core/commissions/local-time.ts';
import type { EventCounts, RollupDimension } from '../core/events/rollup.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { convertErrors } from './events.ts';
import { buildRollupQuery, ROLLUP_POSITION, readRollupState } from './rollups.ts';
import type { SqlExecutor, SqlStatement, SqlValue } from './sql/sql-executor.ts';

/** A part of a key that has, or has not, a value. */
export interface RollupKeyPart {
  /** Place in the key, from 0. */
  readonly index: number;
  readonly value: string;
  readonly isNot?: boolean | undefined;
}

/** Which counts to read; days are `YYYY-MM-DD` in the time zone of the store, both inclusive. */
export interface RollupFilter {
  readonly dimension: RollupDimension;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only these keys; all when left out. */
  readonly keys?: readonly (readonly string[])[] | undefined;
  /** Only keys for which all of these are true. */
  readonly parts?: readonly RollupKeyPart[] | undefined;
}

/** Counts of one day or one key. */
export interface RollupGroup extends EventCounts {
  readonly key: readonly string[];
}

export interface DailyRollupGroup extends RollupGroup {
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

/** Days whose clicks count by a weight; both ends inclusive. */
export interface WeightedDays {
  readonly from: string;
  readonly to: string;
  readonly weight: number;
}

/** Counts of one key, and its clicks by the weights of their days. */
export interface WeightedRollupGroup extends RollupGroup {
  readonly weightedClicks: number;
}

/** The clicks of one key in one of several periods. */
export interface RollupClicks {
  readonly key: readonly string[];
  /** Place of the period in the list, from 0. */
  readonly period: number;
  readonly clicks: number;
}

/** Periods of days without a common day, and the keys whose clicks are read. */
export interface RollupClicksFilter extends Pick<RollupFilter, 'dimension' | 'keys'> {
  readonly periods: readonly Pick<WeightedDays, 'from' | 'to'>[];
}

export interface RollupReader {
  /** Sums the counts of each key, in the order of the keys. */
  readByKey(filter: RollupFilter): Promise<readonly RollupGroup[]>;
  /** Sums the counts of each day, in the order of the days. The key is the day. */
  readByDay(filter: RollupFilter): Promise<readonly RollupGroup[]>;
  /** The counts of each key on each day, in the order of the days, then of the keys. */
  readByDayAndKey(filter: RollupFilter): Promise<readonly DailyRollupGroup[]>;
  /** Sums the counts of each key over periods of days without a common day, in the order of the keys. */
  readWeighted(
    filter: Pick<RollupFilter, 'dimension'> & { readonly days: readonly WeightedDays[] },
  ): Promise<readonly WeightedRollupGroup[]>;
  /** Sums the clicks of each key in each period, without those that have none. */
  readClicks(filter: RollupClicksFilter): Promise<readonly RollupClicks[]>;
}

/**
 * Counts of events by day and dimension. Reads include events that are not rolled up yet. Every method rejects with
 * `EventStoreError`.
 */
export interface RollupStore extends RollupReader {
  /** Adds the next events to the counts; resolves with how many events that were, 0 when there are no more. */
  advance(): Promise<number>;
  /**
   * Begins to count all stored events again; `advance` continues. Counts of days that retention has removed events of
   * stay. Reads stay exact in between.
   */
  rebuild(): Promise<void>;
}

const COUNTS = ['sum(views)', 'sum(sessions)', 'sum(actions)', 'sum(clicks)'];

/** Reads the counts of events by day, with those of the events that are not counted yet. */
export class SqlRollupReader implements RollupReader {
  protected readonly executor: Pick<SqlExecutor, 'batch' | 'query'>;
  protected readonly timeZone: string;

  constructor(executor: Pick<SqlExecutor, 'batch' | 'query'>, timeZone: string) {
    this.executor = executor;
    this.timeZone = timeZone;
  }

  async readByKey(filter: RollupFilter): Promise<readonly RollupGroup[]> {
    const rows = await this.#readFiltered(['key'], filter);
    return rows.map(([key, ...counts]) => ({ key: parseKey(key), ...parseCounts(counts) }));
  }

  async readByDay(filter: RollupFilter): Promise<readonly RollupGroup[]> {
    const rows = await this.#readFiltered(['day'], filter);
    return rows.map(([day, ...counts]) => ({ key: [String(day)], ...parseCounts(counts) }));
  }

  async readByDayAndKey(filter: RollupFilter): Promise<readonly DailyRollupGroup[]> {
    const rows = await this.#readFiltered(['day', 'key'], filter);
    return rows.map(([day, key, ...counts]) => ({
      day: String(day),
      key: parseKey(key),
      ...parseCounts(counts),
    }));
  }

  async readWeighted({
    dimension,
    days,
  }: {
    readonly dimension: RollupDimension;
    readonly days: readonly WeightedDays[];
  }): Promise<readonly WeightedRollupGroup[]> {
    const sums = [...COUNTS, 'sum(clicks * weight)'];
    const rows = await this.#read({ dimension, days, by: ['key'], sums });
    return rows.map(([key, views, sessions, actions, clicks, weightedClicks]) => ({
      key: parseKey(key),
      ...parseCounts([views, sessions, actions, clicks]),
      weightedClicks: Number(weightedClicks),
    }));
  }

  async readClicks({ dimension, keys, periods }: RollupClicksFilter): Promise<readonly RollupClicks[]> {
    const days = periods.map((period) => ({ ...period, weight: 1 }));
    const by = ['key', 'period'] as const;
    const rows = await this.#read({ dimension, days, keys, by, sums: ['sum(clicks)'], isClicked: true });
    return rows.map(([key, period, clicks]) => ({
      key: parseKey(key),
      period: Number(period),
      clicks: Number(clicks),
    }));
  }

  #readFiltered(by: RollupRead['by'], { from = '', to = '9999-12-31', ...filter }: RollupFilter) {
    return this.#read({ ...filter, days: [{ from, to, weight: 1 }], by, sums: COUNTS });
  }

  async #read(read: RollupRead): Promise<readonly (readonly unknown[])[]> {
    const state = await readRollupState(this.executor, Number.MAX_SAFE_INTEGER);
    // The part over new events takes time to prepare even when it is empty.
    const spans = state.events === 0 ? null : getOffsets(state.oldest, state.newest, this.timeZone);
    const statement: SqlStatement = buildRollupRead(read, spans);
    const texts = await convertErrors(this.executor.query(statement));
    return texts.flatMap(({ rows }) => parseRows(rows));
  }
}

function parseRows(text: unknown): readonly (readonly unknown[])[] {
  const rows = parseJson(text);
  return Array.isArray(rows) ? rows.filter((row): row is unknown[] => Array.isArray(row)) : [];
}

function parseKey(key: unknown): readonly string[] {
  return Array.isArray(key) ? key.map(String) : [];
}

function parseCounts([views, sessions, actions, clicks]: readonly unknown[]) {
  return {
    views: Number(views),
    sessions: Number(sessions),
    actions: Number(actions),
    clicks: Number(clicks),
  };
}

/** What is read of the counts, and how it is grouped. */
export interface RollupRead extends Pick<RollupFilter, 'dimension' | 'keys' | 'parts'> {
  readonly days: readonly WeightedDays[];
  readonly by: readonly ('day' | 'key' | 'period')[];
  /** Sums of counters and of what is computed from them, as SQL expressions. */
  readonly sums: readonly string[];
  /** Whether only counts with clicks are read. */
  readonly isClicked?: boolean;
}

const COLUMNS = 'period, weight, day, rollup.key AS key, views, sessions, actions, clicks';

/** Groups of one JSON text: together they stay below the 2 MB of a value in D1. */
const GROUPS_PER_TEXT = 4_000;

/**
 * Builds a query with one column `rows`: the groups in their order as JSON arrays of arrays, which pass the border
 * between threads several times as fast as rows. `spans` are the offsets of the time zone at the events that are not
 * counted yet; null leaves these events out.
 */
export function buildRollupRead(read: RollupRead, spans: readonly OffsetSpan[] | null): SqlStatement {
  const { dimension, by, sums } = read;
  const sources = [
    buildSource('rollups', read),
    ...(spans === null
      ? []
      : [buildSource(`(${buildRollupQuery(`seq > ${ROLLUP_POSITION}`, spans, dimension)})`, read)]),
  ];
  const groups = by.join(', ');
  const names = sums.map((_, index) => `sum${index}`);
  const values = [...by.map((name) => (name === 'key' ? 'json(key)' : name)), ...names].join(', ');
  return {
    sql: `SELECT json_group_array(json_array(${values}) ORDER BY place) AS rows FROM (
      SELECT ${groups}, row_number() OVER (ORDER BY ${groups}) AS place,
        ${sums.map((sum, index) => `${sum} AS ${names[index]}`).join(', ')}
      FROM (${sources.map(({ sql }) => sql).join(' UNION ALL ')}) GROUP BY ${groups})
      GROUP BY place / ${GROUPS_PER_TEXT} ORDER BY place / ${GROUPS_PER_TEXT}`,
    values: sources.flatMap((source) => source.values),
  };
}

/** Builds the query of single counts. Each period is a range of the primary key, which is what makes it fast. */
function buildSource(table: string, { dimension, days, keys, parts = [], isClicked = false }: RollupRead) {
  const conditions = [
    'dimension = ? AND day BETWEEN first AND last',
    ...(isClicked ? ['clicks > 0'] : []),
    ...(keys === undefined ? [] : ['rollup.key IN (SELECT value FROM json_each(?))']),
    ...parts.map(({ isNot = false }) => `json_extract(rollup.key, ?) IS ${isNot ? 'NOT ' : ''}?`),
  ].join(' AND ');
  const values: readonly SqlValue[] = [
    JSON.stringify(days.map(({ from, to, weight }) => [from, to, weight])),
    dimension,
    ...(keys === undefined ? [] : [JSON.stringify(keys.map((key) => JSON.stringify(key)))]),
    ...parts.flatMap(({ index, value }) => [`$[${index}]`, value]),
  ];
  const periods = `SELECT key AS period, json_extract(value, '$[0]') AS first,
    json_extract(value, '$[1]') AS last, json_extract(value, '$[2]') AS weight FROM json_each(?)`;
  const sql = `SELECT ${COLUMNS} FROM (${periods}) AS days CROSS JOIN ${table} AS rollup WHERE ${conditions}`;
  return { sql, values };
}
