import type { OffsetSpan } from '../../core/commissions/local-time.ts';
import type { RollupFilter, WeightedDays } from '../../core/events/rollup-store.ts';
import type { SqlStatement, SqlValue } from '../sql/sql-executor.ts';
import { buildRollupQuery, ROLLUP_POSITION } from './rollup-sql.ts';

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
