import type { OffsetSpan } from '../../core/commissions/local-time.ts';
import { AD_CLICKS } from '../../core/events/campaign-parts.ts';
import {
  ACTION_EVENTS,
  ANSWER_FIELDS,
  ANSWER_LIST,
  ASSESSMENT_STAGES,
  MAX_ASSESSMENT_STEP,
  OTHER_KEY,
  type RollupDimension,
} from '../../core/events/rollup.ts';
import { UNCOUNTED_FLAGS } from '../../core/events/site-event.ts';
import type { SqlStatement } from '../sql/sql-executor.ts';

/** Keys of a dimension per day; addresses with random parameters would otherwise fill the table. */
const MAX_KEYS_PER_DAY = 2_000;
/** Every pair of pages is a path: the rare ones say little, and would make long ranges slow to read. */
const MAX_PATHS_PER_DAY = 400;
const MAX_KEYS = `iif(dimension = 'path', ${MAX_PATHS_PER_DAY}, ${MAX_KEYS_PER_DAY})`;
const COUNTERS = ['views', 'sessions', 'actions', 'clicks'] as const;
const ADD_COUNTERS = COUNTERS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ');
const quote = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');
/** A text of a JSON object; empty when it is missing or of another type. */
const readText = (column: string, key: string) =>
  `iif(json_type(${column}, '$.${key}') = 'text', json_extract(${column}, '$.${key}'), '')`;

/** The position up to which the events are counted, as an SQL expression. */
export const ROLLUP_POSITION = '(SELECT position FROM rollup_state)';

/** Sums of the counters, as columns of a query. */
export const COUNTER_SUMS = COUNTERS.map((name) => `sum(${name}) AS ${name}`).join(', ');

/**
 * Builds a SELECT of the columns of `rollups` over the events of a range, an SQL condition. `spans` are the offsets of
 * the time zone in that range; without a dimension, all are counted.
 */
export function buildRollupQuery(
  range: string,
  spans: readonly OffsetSpan[],
  only?: RollupDimension | undefined,
): string {
  const counted = UNCOUNTED_FLAGS.map((flag) => `instr(flags, '${flag}') = 0`).join(' AND ');
  const arms = KEYS.filter(([dimension]) => only === undefined || dimension === only);
  return `SELECT dimension, day, key, ${COUNTER_SUMS} FROM (
    WITH counted AS (SELECT ${buildDay(spans)} AS day, name, page, data, campaign, value, name = 'page_view' AS views,
      name = 'page_view' AND json_extract(data, '$.referrer') IS NOT NULL AS sessions,
      name IN (${quote(ACTION_EVENTS)}) AS actions, name = 'affiliate_redirect' AS clicks
      FROM events WHERE ${range} AND ${counted})
    ${arms
      .map(
        ([dimension, key, tables, condition, counters = COUNTERS.join(', ')]) =>
          `SELECT '${dimension}' AS dimension, day, ${key} AS key, ${counters} FROM counted${tables} WHERE ${condition}`,
      )
      .join(' UNION ALL ')}
  ) WHERE day > (SELECT after_day FROM rollup_state) GROUP BY dimension, day, key`;
}

/** Builds the INSERT of what `buildRollupQuery` selects. */
export function buildRollupInsert(query: string): string {
  return `INSERT INTO rollups ${query} ON CONFLICT DO UPDATE SET ${ADD_COUNTERS}`;
}

/** Merges the keys with the lowest counts of the days from `first` to `last`, where there are more than the limit. */
export function buildMerge(first: string, last: string): readonly SqlStatement[] {
  const other = `'${JSON.stringify(OTHER_KEY)}'`;
  const days = 'day BETWEEN ? AND ?';
  const rare = `SELECT dimension, day, key FROM (
    SELECT dimension, day, key, row_number() OVER (
      PARTITION BY dimension, day ORDER BY views + actions + clicks DESC, key) AS place
    FROM rollups WHERE ${days} AND key <> ${other} AND (dimension, day) IN (
      SELECT dimension, day FROM rollups WHERE ${days} GROUP BY dimension, day HAVING count(*) > ${MAX_KEYS}))
    WHERE place >= ${MAX_KEYS} / 2`;
  const values = [first, last, first, last];
  return [
    {
      sql: `INSERT INTO rollups SELECT dimension, day, ${other}, ${COUNTER_SUMS} FROM rollups
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

/** Dimension, key, further tables, condition and, where they differ, counters, as `buildRollupRows` defines them. */
const KEYS: readonly (readonly [RollupDimension, string, string, string, string?])[] = [
  ['page', 'json_array(page)', '', 'views + actions + clicks > 0'],
  ['campaign', buildCampaignKey(), '', 'views + actions + clicks > 0'],
  [
    'placement',
    `json_array(page, ${readText('data', 'source')}, iif(clicks, ${readText('data', 'partner')}, ''))`,
    '',
    'actions + clicks > 0',
  ],
  ['partner', `json_array(${readText('data', 'partner')})`, '', 'clicks > 0'],
  [
    'path',
    `json_array(${readText('data', 'entry_page')}, page, ${readText('data', 'partner')})`,
    '',
    'clicks > 0',
  ],
  [
    'assessment',
    `json_array(CASE name ${Object.entries(ASSESSMENT_STAGES)
      .map(([name, stage]) => `WHEN '${name}' THEN '${stage}'`)
      .join(' ')} ELSE '' || CAST(value AS INTEGER) END)`,
    '',
    `name IN (${quote(Object.keys(ASSESSMENT_STAGES))})
      OR name = 'assessment_step' AND value BETWEEN 1 AND ${MAX_ASSESSMENT_STEP}`,
    '1 AS views, 0 AS sessions, 0 AS actions, 0 AS clicks',
  ],
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

/** The key of a campaign, as `getCampaignParts` builds it. */
function buildCampaignKey(): string {
  const [source, medium, name, content] = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content'].map(
    (parameter) => readText('campaign', parameter),
  );
  const ads = AD_CLICKS.map(
    (ad) =>
      `WHEN ${readText('campaign', ad.id)} <> '' THEN json_array('${ad.source}', '${ad.medium}', '(${ad.id})', ${content})`,
  );
  return `CASE WHEN campaign = '{}' THEN '["","","",""]'
    WHEN ${source} || ${medium} || ${name} <> '' THEN json_array(${source}, ${medium}, ${name}, ${content})
    ${ads.join(' ')} ELSE json_array('', '', '', ${content}) END`;
}
