import type { OffsetSpan } from '../core/commissions/local-time.ts';
import { AD_CLICKS } from '../core/events/campaign.ts';
import type { EventName } from '../core/events/event-definitions.ts';
import {
  ACTION_EVENTS,
  ANSWER_FIELDS,
  ANSWER_LIST,
  ASSESSMENT_STAGES,
  MAX_ASSESSMENT_STEP,
  OTHER_KEY,
  ROLLUP_DIMENSIONS,
  type RollupDimension,
} from '../core/events/rollup.ts';
import { listAssistantTags } from '../core/events/source-hosts.ts';
import { IS_COUNTED, IS_WITHOUT_JOURNEY } from './events.ts';
import type { RollupFilter, WeightedDays } from './rollups.ts';
import type { SqlStatement, SqlValue } from './sql/sql-executor.ts';

/** Keys of a dimension per day; addresses with random parameters would otherwise fill the table. */
const MAX_KEYS_PER_DAY = 2_000;
/** The rare pairs of a source and a page say little, and would make long ranges slow to read. */
const MAX_ARRIVALS_PER_DAY = 1_000;
const MAX_KEYS = `iif(dimension = 'arrival', ${MAX_ARRIVALS_PER_DAY}, ${MAX_KEYS_PER_DAY})`;
/** SELECTs of a UNION in D1, which SQLite limits to 500. */
const MAX_UNITED = 5;
/** Days of every dimension, by the primary key. */
const DAYS = `dimension IN (${ROLLUP_DIMENSIONS.map((name) => `'${name}'`).join(', ')}) AND day BETWEEN ? AND ?`;
const EVENT_COUNTERS = ['views', 'sessions', 'actions', 'clicks'] as const;
/** The part of each counter that comes from visits without journey has a counter too. */
const COUNTERS: readonly string[] = [...EVENT_COUNTERS, ...EVENT_COUNTERS.map((name) => `free_${name}`)];
const ADD_COUNTERS = COUNTERS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ');
/** While events are counted, a counter has its part without journey above this: one column less to sort for each. */
const WITHOUT_JOURNEY = 2 ** 32;
const CLICK: EventName = 'affiliate_redirect';
const quote = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');
/** A text of a JSON object; empty when it is missing or of another type. */
const readText = (column: string, key: string) =>
  `iif(json_type(${column}, '$.${key}') = 'text', json_extract(${column}, '$.${key}'), '')`;

/** The position up to which the events are counted, as an SQL expression. */
export const ROLLUP_POSITION = '(SELECT position FROM rollup_state)';

/**
 * The day up to which the counts stay in a rebuild, with its end in ms since 1970 and the position of the last event that they have.
 * Events since that end count from the next day on, also where the time zone is another one, and later ones of before on that
 * day at the latest; earlier versions wrote the day alone, or no position.
 */
const AFTER = '(SELECT after_day FROM rollup_state)';
const MOMENT = `substr(${AFTER}, 12)`;
const IS_KEPT_TIME = `server_time < CAST(${MOMENT} AS INTEGER)`;
/** Without a position it is the moment, which no position reaches. */
const IS_COUNTED_BEFORE = `${IS_KEPT_TIME} AND seq <= CAST(substr(${MOMENT}, instr(${MOMENT}, ' ') + 1) AS INTEGER)`;
const FIRST_DAY_NUMBER = `iif(length(${AFTER}) > 10, unixepoch(substr(${AFTER}, 1, 10)) / 86400 + 1, 0)`;

const COUNTER_SUMS = COUNTERS.map((name) => `sum(${name}) AS ${name}`).join(', ');

/**
 * Builds a SELECT of the columns of `rollups` over the events of a range, an SQL condition. `spans` are the offsets of
 * the time zone in that range; without a dimension, all are counted. Events that agree in all that is counted become
 * one row first, so that their JSON is read once and not by every dimension. Their key is one text, because sorting by
 * many columns takes twice as long; the page is its end, because no other part can have the separator in it.
 */
function buildRollupQuery(
  range: string,
  spans: readonly OffsetSpan[],
  only?: RollupDimension | undefined,
): string {
  const arms = KEYS.filter(({ dimension }) => only === undefined || dimension === only);
  const uses = (name: string) => arms.some(({ fields }) => fields.includes(name));
  const columns = ['campaign', 'page'].filter(uses).map((column) => `, ${column}`);
  const fields = Object.entries(FIELDS).filter(([name]) => uses(name));
  const sums = EVENT_COUNTERS.map(
    (name) =>
      `sum(${name}) & ${WITHOUT_JOURNEY - 1} AS ${name}, sum(${name}) / ${WITHOUT_JOURNEY} AS free_${name}`,
  );
  return `SELECT dimension, day, key, ${sums.join(', ')} FROM (
    WITH counted AS MATERIALIZED (
      SELECT date(day_number * 86400, 'unixepoch') AS day, events, iif(name = 'page_view', events, 0) AS views,
        sessions, iif(name IN (${quote(ACTION_EVENTS)}), events, 0) AS actions, iif(name = '${CLICK}', events, 0) AS clicks
        ${columns.join('')}${fields.map(([name, sql]) => `, ${sql} AS ${name}`).join('')}
      FROM (SELECT day_number, name, step, facts, sum(is_first * weight) AS sessions, sum(weight) AS events${columns.join('')}
        FROM (SELECT iif(${IS_KEPT_TIME}, min(${buildDayNumber(spans)}, ${FIRST_DAY_NUMBER} - 1), max(${buildDayNumber(spans)}, ${FIRST_DAY_NUMBER})) AS day_number, name, iif(name = 'assessment_step', value, NULL) AS step,
            iif(name IN (${quote([CLICK, ...ACTION_EVENTS])}) OR ${IS_FIRST}, json_extract(data, ${FACT_PATHS}), NULL) AS facts,
            ${IS_FIRST} AS is_first, iif(${IS_WITHOUT_JOURNEY}, ${WITHOUT_JOURNEY + 1}, 1) AS weight${columns.join('')}
          FROM events WHERE ${range} AND NOT (${IS_COUNTED_BEFORE}) AND ${IS_COUNTED})
        GROUP BY concat_ws(char(1), day_number, name, step, facts${columns.join('')})))
    ${unite(
      arms.map(
        ({ dimension, key, tables = '', condition, counters = EVENT_COUNTERS.join(', ') }) =>
          `SELECT '${dimension}' AS dimension, day, ${key} AS key, ${counters} FROM counted${tables} WHERE ${condition}`,
      ),
    )}
  ) WHERE (length(${AFTER}) > 10 OR day > ${AFTER}) GROUP BY dimension, day, key`;
}

/** Unites SELECTs. Each UNION has at most five of them, because D1 refuses more. */
function unite(selects: readonly string[]): string {
  const groups = Array.from({ length: Math.ceil(selects.length / MAX_UNITED) }, (_, index) =>
    selects.slice(index * MAX_UNITED, (index + 1) * MAX_UNITED).join(' UNION ALL '),
  );
  return groups.length === 1 ? groups.join('') : unite(groups.map((group) => `SELECT * FROM (${group})`));
}

/** Builds a query with one row: what `buildRollupQuery` selects, as JSON for `buildRollupInsert`. */
export function buildRollupCount(range: string, spans: readonly OffsetSpan[]): string {
  const columns = `dimension, day, key, ${COUNTERS.join(', ')}`;
  return `SELECT json_group_array(json_array(${columns})) AS rows FROM (${buildRollupQuery(range, spans)})`;
}

const ROLLUP_COLUMNS = ['dimension', 'day', 'key', ...COUNTERS].join(', ');

/** Builds the INSERT of rows that are bound as JSON, if a condition is true. */
export function buildRollupInsert(condition: string): string {
  const columns = ['dimension', 'day', 'key', ...COUNTERS].map(
    (_, index) => `json_extract(value, '$[${index}]')`,
  );
  return `INSERT INTO rollups (${ROLLUP_COLUMNS}) SELECT ${columns.join(', ')} FROM json_each(?) WHERE ${condition}
    ON CONFLICT DO UPDATE SET ${ADD_COUNTERS}`;
}

/** Whether days from a first to a last one could have too many keys after rows (JSON) are inserted: one row then. */
export const MERGE_CHECK = `SELECT 1 FROM (
    SELECT dimension, day, count(*) AS keys FROM rollups WHERE ${DAYS} GROUP BY dimension, day
    UNION ALL
    SELECT json_extract(value, '$[0]') AS dimension, json_extract(value, '$[1]') AS day, count(*)
    FROM json_each(?) GROUP BY 1, 2)
  GROUP BY dimension, day HAVING sum(keys) > ${MAX_KEYS} LIMIT 1`;

/** Merges the keys with the lowest counts of the days from `first` to `last`, where there are more than the limit. */
export function buildMerge(first: string, last: string): readonly SqlStatement[] {
  const other = `'${JSON.stringify(OTHER_KEY)}'`;
  const rare = `SELECT dimension, day, key FROM (
    SELECT dimension, day, key, row_number() OVER (
      PARTITION BY dimension, day ORDER BY views + actions + clicks DESC, key) AS place
    FROM rollups WHERE ${DAYS} AND key <> ${other} AND (dimension, day) IN (
      SELECT dimension, day FROM rollups WHERE ${DAYS} GROUP BY dimension, day HAVING count(*) > ${MAX_KEYS}))
    WHERE place >= ${MAX_KEYS} / 2`;
  const values = [first, last, first, last];
  return [
    {
      sql: `INSERT INTO rollups (${ROLLUP_COLUMNS}) SELECT dimension, day, ${other}, ${COUNTER_SUMS} FROM rollups
        WHERE (dimension, day, key) IN (${rare}) GROUP BY dimension, day ON CONFLICT DO UPDATE SET ${ADD_COUNTERS}`,
      values,
    },
    { sql: `DELETE FROM rollups WHERE (dimension, day, key) IN (${rare})`, values },
  ];
}

/**
 * Counts the sessions and clicks of days that have no counts by source as of an unknown one, so that sums stay: those of
 * an earlier version of the rules whose events are gone.
 */
export const COUNT_UNKNOWN_SOURCES: readonly SqlStatement[] = (
  [
    ['source', `'["unknown",""]'`],
    ['arrival', `json_array('unknown', '', json_extract(key, '$[0]'), '')`],
  ] as const
).map(([dimension, key]) => ({
  sql: `INSERT INTO rollups (dimension, day, key, views, sessions, actions, clicks)
    SELECT '${dimension}', day, ${key} AS own, sum(sessions), sum(sessions), 0, sum(clicks) FROM rollups AS pages
    WHERE dimension = 'page' AND sessions + clicks > 0 AND NOT EXISTS (
      SELECT 1 FROM rollups AS known WHERE known.dimension = '${dimension}' AND known.day = pages.day)
    GROUP BY day, own`,
}));

const TAGGED = `dimension = 'campaign' AND lower(json_extract(key, '$[0]')) IN (${quote(listAssistantTags())})
  AND json_extract(key, '$[1]') || json_extract(key, '$[2]') = ''`;

/** Counts what was counted under the tag of an assistant, which is no campaign, as of no campaign. */
export const COUNT_TAGS_AS_NO_CAMPAIGN: readonly SqlStatement[] = [
  {
    sql: `INSERT INTO rollups (${ROLLUP_COLUMNS})
      SELECT dimension, day, json_set(key, '$[0]', '') AS own, ${COUNTER_SUMS} FROM rollups
      WHERE ${TAGGED} GROUP BY dimension, day, own ON CONFLICT DO UPDATE SET ${ADD_COUNTERS}`,
  },
  { sql: `DELETE FROM rollups WHERE ${TAGGED}` },
];

/** The day of `server_time` in a time zone, in days since 1970, as an SQL expression. */
function buildDayNumber(spans: readonly OffsetSpan[]): string {
  const cases = spans.map(({ until, offset }) => `WHEN server_time < ${until} THEN ${offset}`).join(' ');
  return `(server_time + CASE ${cases} ELSE 0 END) / 86400000`;
}

/** Whether an event is the first page view of a session, or of a visit without journey. */
const IS_FIRST = `(name = 'page_view' AND data <> '{}' AND json_extract(data, '$.referrer', '$.entry') <> '[null,null]')`;
/** What is read of the data of clicks, actions and first page views. */
const FACTS = [
  'source',
  'position',
  'partner',
  ...ANSWER_FIELDS,
  ANSWER_LIST,
  'visit_channel',
  'visit_source',
];
const FACT_PATHS = FACTS.map((name) => `'$.${name}'`).join(', ');
const readFact = (name: string, type: string, otherwise: string, condition = '') => {
  const path = `'$[${FACTS.indexOf(name)}]'`;
  return `iif(${condition}json_type(facts, ${path}) = '${type}', json_extract(facts, ${path}), ${otherwise})`;
};
const IF_CLICK = `name = '${CLICK}' AND `;

/** What an event is counted by, as SQL expressions. Only clicks have a partner and answers. */
const FIELDS: Readonly<Record<string, string>> = {
  source: readFact('source', 'text', `''`),
  position: readFact('position', 'text', `''`),
  partner: readFact('partner', 'text', `''`, IF_CLICK),
  visit_channel: readFact('visit_channel', 'text', `'unknown'`),
  visit_source: readFact('visit_source', 'text', `''`),
  stage: `CASE ${Object.entries(ASSESSMENT_STAGES)
    .map(([name, stage]) => `WHEN name = '${name}' THEN '${stage}'`)
    .join(' ')} WHEN step BETWEEN 1 AND ${MAX_ASSESSMENT_STEP} THEN '' || CAST(step AS INTEGER) END`,
  ...Object.fromEntries(ANSWER_FIELDS.map((field) => [field, readFact(field, 'text', 'NULL', IF_CLICK)])),
  [ANSWER_LIST]: readFact(ANSWER_LIST, 'array', `'[]'`, IF_CLICK),
};

/** A part of the counts: the fields of its keys, and how a key is built of them. */
interface RollupKey {
  readonly dimension: RollupDimension;
  readonly fields: readonly string[];
  readonly key: string;
  readonly condition: string;
  /** Joined to the events, after a comma. */
  readonly tables?: string;
  /** Where they differ from the counters of an event. */
  readonly counters?: string;
}

const KEYS: readonly RollupKey[] = [
  { dimension: 'page', fields: ['page'], key: 'json_array(page)', condition: 'views + actions + clicks > 0' },
  {
    dimension: 'campaign',
    fields: ['campaign', 'page'],
    // The host of a page of a site beside this one comes last.
    key: `iif(instr(page, '/') > 1, json_insert(${buildCampaignKey()}, '$[#]', substr(page, 1, instr(page, '/') - 1)),
      ${buildCampaignKey()})`,
    condition: 'views + actions + clicks > 0',
  },
  {
    dimension: 'source',
    fields: ['visit_channel', 'visit_source'],
    key: 'json_array(visit_channel, visit_source)',
    condition: 'sessions + clicks > 0',
    counters: 'sessions AS views, sessions, 0 AS actions, clicks',
  },
  {
    dimension: 'arrival',
    fields: ['visit_channel', 'visit_source', 'page', 'partner'],
    key: 'json_array(visit_channel, visit_source, page, partner)',
    condition: 'sessions + clicks > 0',
    counters: 'sessions AS views, sessions, 0 AS actions, clicks',
  },
  {
    dimension: 'placement',
    fields: ['page', 'source', 'position', 'partner'],
    // The place is named as `buildPlacement` names it.
    key: `json_array(page,
      iif(position = '', source, iif(source = '', '(none)', source) || ' / ' || position), partner)`,
    condition: 'actions + clicks > 0',
  },
  { dimension: 'partner', fields: ['partner'], key: 'json_array(partner)', condition: 'clicks > 0' },
  {
    dimension: 'assessment',
    fields: ['stage'],
    key: 'json_array(stage)',
    condition: 'stage IS NOT NULL',
    counters: 'events AS views, 0 AS sessions, 0 AS actions, 0 AS clicks',
  },
  ...ANSWER_FIELDS.map((field) => ({
    dimension: 'answer' as const,
    fields: [field],
    key: `json_array('${field}', ${field})`,
    condition: `${field} IS NOT NULL`,
  })),
  {
    dimension: 'answer',
    fields: [ANSWER_LIST],
    key: `json_array('${ANSWER_LIST}', answers.value)`,
    tables: `, json_each(${ANSWER_LIST}) AS answers`,
    condition: 'clicks > 0',
  },
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
    WHEN ${medium} || ${name} = '' AND lower(${source}) IN (${quote(listAssistantTags())})
      THEN json_array('', '', '', ${content})
    WHEN ${source} || ${medium} || ${name} <> '' THEN json_array(${source}, ${medium}, ${name}, ${content})
    ${ads.join(' ')} ELSE json_array('', '', '', ${content}) END`;
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

const COLUMNS = `period, weight, error, day, rollup.key AS key, ${COUNTERS.join(', ')}`;

/** Groups of one JSON text: together they stay below the 2 MB of a value in D1. */
const GROUPS_PER_TEXT = 4_000;

/**
 * Builds a query with one column `rows`: the groups in their order as JSON arrays of arrays, which pass the border
 * between threads several times as fast as rows. `counted`: the days whose counts are read. `spans` are the offsets of the
 * time zone at the events that are not counted yet; null leaves these events out.
 */
export function buildRollupRead(
  read: RollupRead,
  counted: RollupRead['days'],
  spans: readonly OffsetSpan[] | null,
) {
  const { dimension, by, sums } = read;
  const sources = [
    buildSource('rollups', { ...read, days: counted }),
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
    // Most keys have no such text, which is found faster than their part is read.
    ...parts.map(({ isNot = false }) =>
      isNot
        ? 'json_extract(rollup.key, ?) IS NOT ?'
        : '(instr(rollup.key, ?) > 0 AND json_extract(rollup.key, ?) IS ?)',
    ),
  ].join(' AND ');
  const values: readonly SqlValue[] = [
    JSON.stringify(days.map(({ from, to, weight, error = 0 }) => [from, to, weight, error])),
    dimension,
    ...(keys === undefined ? [] : [JSON.stringify(keys.map((key) => JSON.stringify(key)))]),
    ...parts.flatMap(({ index, value, isNot = false }) => [
      ...(isNot ? [] : [JSON.stringify(value)]),
      `$[${index}]`,
      value,
    ]),
  ];
  const periods = `SELECT key AS period, json_extract(value, '$[0]') AS first,
    json_extract(value, '$[1]') AS last, json_extract(value, '$[2]') AS weight, json_extract(value, '$[3]') AS error
    FROM json_each(?)`;
  const sql = `SELECT ${COLUMNS} FROM (${periods}) AS days CROSS JOIN ${table} AS rollup WHERE ${conditions}`;
  return { sql, values };
}
