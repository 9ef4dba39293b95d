import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../core/clock.ts';
import { addDays, getLocalDay, getOffsets, toUtc } from '../core/commissions/local-time.ts';
import { type EventCounts, ROLLUP_VERSION, type RollupDimension } from '../core/events/rollup.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { withEventErrors } from './events.ts';
import {
  buildMerge,
  buildRollupCount,
  buildRollupInsert,
  buildRollupRead,
  COUNT_TAGS_AS_NO_CAMPAIGN,
  COUNT_UNKNOWN_SOURCES,
  MERGE_CHECK,
  ROLLUP_POSITION,
  type RollupRead,
} from './rollup-queries.ts';
import type { Database, SqlExecutor, SqlStatement } from './sql/sql-executor.ts';

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
  readonly visits?: CountedVisits | undefined;
}

/** Which visits are counted: all, when left out. */
export type CountedVisits = 'with' | 'without' | 'none' | undefined;

/** Counts of one day or one key. */
export interface RollupGroup extends EventCounts {
  readonly key: readonly string[];
}

/** Days whose clicks count by a weight, and the standard error of it; both ends inclusive. */
export interface WeightedDays {
  readonly from: string;
  readonly to: string;
  readonly weight: number;
  readonly error?: number;
}

/** Counts of one key, and its clicks by the weights of their days. */
export interface WeightedRollupGroup extends RollupGroup {
  readonly weightedClicks: number;
  readonly clicksError: number;
}

/** Periods of days without a common day, and the keys whose clicks are read. */
export interface RollupClicksFilter extends Pick<RollupFilter, 'dimension' | 'keys' | 'visits'> {
  readonly periods: readonly { readonly from: string; readonly to: string }[];
}

/** Events that are counted at once: about 20 ms of the thread that reads. */
export const EVENTS_PER_ROLLUP = 2_000;

/** True as long as the events that follow and the rules by which they count are the ones that were read. */
const IS_UNCHANGED = `EXISTS (SELECT 1 FROM rollup_state
  WHERE position = ? AND after_day = ? AND time_zone = ? AND version = ?)`;

/** Builds the sum of a counter, times a factor, over all visits or those with or without journey. */
function buildSum(counter: keyof EventCounts, visits: CountedVisits, factor = ''): string {
  const free = `free_${counter}`;
  if (visits === 'none') return '0';
  return `sum(${visits === 'without' ? free : visits === 'with' ? `(${counter} - ${free})` : counter}${factor})`;
}

const isPlain = ({ weight, error = 0 }: WeightedDays) => weight === 1 && error === 0;

const buildSums = (visits: CountedVisits) =>
  (['views', 'sessions', 'actions', 'clicks'] as const).map((counter) => buildSum(counter, visits));

/** Characters of the counts of past days that are in memory, a byte each. */
const MAX_PAST = 6_000_000;

/** What was read of the days before the newest one, as JSON by what was asked for, and the events up to which it is known to be right. */
interface PastCounts {
  readonly state: string;
  position: number;
  readonly texts: LRUCache<string, string>;
}

/**
 * Counts of events by day and dimension, in the same database as the events. Reads include events that are not counted
 * yet. Past days change only when events come late: what they sum up to is read once. Every method rejects with
 * `EventStoreError`.
 */
export class Rollups {
  readonly #database: Database;
  readonly #timeZone: string;
  #past: PastCounts | null = null;

  constructor(executor: SqlExecutor, timeZone: string) {
    this.#database = withEventErrors(executor);
    this.#timeZone = timeZone;
  }

  /** Sums the counts of each key, in the order of the keys. */
  async readByKey(filter: RollupFilter): Promise<readonly RollupGroup[]> {
    const rows = await this.#readFiltered(['key'], filter);
    return rows.map(([key, ...counts]) => ({ key: parseKey(key), ...parseCounts(counts) }));
  }

  /** Sums the counts of each day, in the order of the days. The key is the day. */
  async readByDay(filter: RollupFilter): Promise<readonly RollupGroup[]> {
    const rows = await this.#readFiltered(['day'], filter);
    return rows.map(([day, ...counts]) => ({ key: [String(day)], ...parseCounts(counts) }));
  }

  /** The counts of each key on each day, in the order of the days, then of the keys. */
  async readByDayAndKey(filter: RollupFilter) {
    const rows = await this.#readFiltered(['day', 'key'], filter);
    return rows.map(([day, key, ...counts]) => ({
      day: String(day),
      key: parseKey(key),
      ...parseCounts(counts),
    }));
  }

  /** Sums the counts of each key over periods of days without a common day, in the order of the keys. */
  async readWeighted(
    dimension: RollupDimension,
    days: readonly WeightedDays[],
    visits?: CountedVisits,
  ): Promise<readonly WeightedRollupGroup[]> {
    // Weights change with every moment and are 1 for most weeks: only the clicks of the others are read with them.
    const young = days.filter((own) => !isPlain(own));
    const lost = [' * (1 - weight)', ' * error'].map((factor) => buildSum('clicks', visits, factor));
    const [rows, weighed] = await Promise.all([
      this.#read({
        dimension,
        days: days.map(({ from, to }) => ({ from, to, weight: 1 })),
        by: ['key'],
        sums: buildSums(visits),
      }),
      young.length === 0
        ? []
        : this.#read({ dimension, days: young, by: ['key'], sums: lost, isClicked: true }),
    ]);
    const known = new Map(weighed.map(([key, ...sums]) => [JSON.stringify(key), sums.map(Number)]));
    return rows.map(([key, ...counts]) => {
      const [missing = 0, clicksError = 0] = known.get(JSON.stringify(key)) ?? [];
      const own = parseCounts(counts);
      return { key: parseKey(key), ...own, weightedClicks: own.clicks - missing, clicksError };
    });
  }

  /** Sums the clicks of each key in each period (its place in the list), without those that have none. */
  async readClicks({ dimension, keys, periods, visits }: RollupClicksFilter) {
    const days = periods.map((period) => ({ ...period, weight: 1 }));
    const by = ['key', 'period'] as const;
    const rows = await this.#read({
      dimension,
      days,
      keys,
      by,
      sums: [buildSum('clicks', visits)],
      isClicked: true,
    });
    return rows.map(([key, period, clicks]) => ({
      key: parseKey(key),
      period: Number(period),
      clicks: Number(clicks),
    }));
  }

  /** Counts visits and clicks of some days, and how many of them are without journey. */
  async readShares({ from = '', to = '9999-12-31' }: Pick<RollupFilter, 'from' | 'to'>) {
    const sums = [undefined, 'without' as const].flatMap((visits) =>
      (['sessions', 'clicks'] as const).map((counter) => buildSum(counter, visits)),
    );
    const days = [{ from, to, weight: 1 }];
    const [row = []] = await this.#read({ dimension: 'source', days, by: ['period'], sums });
    const [, sessions = 0, clicks = 0, freeSessions = 0, freeClicks = 0] = row.map(Number);
    return { visits: { all: sessions, without: freeSessions }, clicks: { all: clicks, without: freeClicks } };
  }

  /** The first day with counts of pages that are stored, `YYYY-MM-DD`; null without any. */
  async readFirstDay(): Promise<string | null> {
    const row = await this.#database.readRow("SELECT min(day) AS day FROM rollups WHERE dimension = 'page'");
    return typeof row?.['day'] === 'string' ? row['day'] : null;
  }

  #readFiltered(by: RollupRead['by'], { from = '', to = '9999-12-31', visits, ...filter }: RollupFilter) {
    return this.#read({ ...filter, days: [{ from, to, weight: 1 }], by, sums: buildSums(visits) });
  }

  async #read(read: RollupRead): Promise<readonly (readonly unknown[])[]> {
    const state = await readRollupState(this.#database, Number.MAX_SAFE_INTEGER);
    // The part over new events takes time to prepare even when it is empty.
    const spans = state.events === 0 ? null : getOffsets(state.oldest, state.newest, this.#timeZone);
    const { lastDay } = state;
    const before = lastDay === '' ? '' : addDays(lastDay, -1);
    const past = read.days.map((days) => ({ ...days, to: [days.to, before].sort()[0] ?? before }));
    if (before === '' || !read.days.every(isPlain) || past.every(({ from, to }) => from > to))
      return this.#query(buildRollupRead(read, read.days, spans));
    const { texts } = await this.#findPast(state);
    const key = JSON.stringify({ ...read, days: past });
    const known = texts.get(key);
    const old = known === undefined ? await this.#query(buildRollupRead(read, past, null)) : parseRows(known);
    if (known === undefined) texts.set(key, JSON.stringify(old));
    const open = read.days.map((days) => ({ ...days, from: [days.from, lastDay].sort()[1] ?? lastDay }));
    return addRows(old, await this.#query(buildRollupRead(read, open, spans)), read.by.length);
  }

  async #query({ sql, values }: SqlStatement): Promise<readonly (readonly unknown[])[]> {
    const texts = await this.#database.read(sql, ...(values ?? []));
    return texts.flatMap(({ rows }) => parseRows(rows));
  }

  /** What is known of the days before the newest one, unless an event of them was counted since. */
  async #findPast({ position, afterDay, timeZone, version, lastDay }: RollupState): Promise<PastCounts> {
    const state = JSON.stringify([afterDay, timeZone, version, lastDay]);
    const [, moment = 0] = afterDay.split(' ');
    const known = this.#past;
    if (known?.state === state && known.position <= position) {
      const late = 'SELECT 1 FROM events WHERE seq > ? AND seq <= ? AND server_time < ? LIMIT 1';
      const start = Math.max(toUtc(Date.parse(lastDay), timeZone), Number(moment));
      const isRight =
        known.position === position ||
        (await this.#database.readRow(late, known.position, position, start)) === undefined;
      if (isRight) known.position = Math.max(known.position, position);
      if (isRight) return known;
    }
    const texts = new LRUCache<string, string>({
      maxSize: MAX_PAST,
      sizeCalculation: (text) => text.length + 1,
    });
    this.#past = { state, position, texts };
    return this.#past;
  }

  /** Adds the next events to the counts; resolves with how many that were, at most `EVENTS_PER_ROLLUP`. */
  async advance(): Promise<number> {
    const state = await readRollupState(this.#database, EVENTS_PER_ROLLUP);
    if (state.timeZone !== this.#timeZone || state.version !== ROLLUP_VERSION) {
      await this.rebuild();
      return this.advance();
    }
    if (state.upTo !== null) await this.#add(state, state.upTo);
    return state.events;
  }

  /** Adds the next events to the counts, in the time zone of those before. */
  async #add(state: RollupState, upTo: number): Promise<void> {
    // The thread that reads counts, so that appends wait only until the sums are added. Counters change only together
    // with the position, so that no event is counted twice or left out.
    const rows = await this.#count(state, upTo);
    const unchanged = [state.position, state.afterDay, state.timeZone, state.version];
    await this.#database.batch([
      { sql: buildRollupInsert(IS_UNCHANGED), values: [rows, ...unchanged] },
      ...(await this.#buildMerge(state, rows)),
      { sql: `UPDATE rollup_state SET position = ? WHERE ${IS_UNCHANGED}`, values: [upTo, ...unchanged] },
    ]);
  }

  /**
   * Begins to count all stored events again; `advance` continues. Counts of days that retention has removed events of
   * stay, in the time zone in which they were counted: only what came after them is counted in another one. Reads stay exact
   * in between.
   */
  async rebuild(): Promise<void> {
    let state = await readRollupState(this.#database, EVENTS_PER_ROLLUP);
    const kept = await this.#findKept(state);
    // What stays has to have every event of its time.
    while (kept !== null && state.upTo !== null && state.oldest < kept.until) {
      await this.#add(state, state.upTo);
      state = await readRollupState(this.#database, EVENTS_PER_ROLLUP);
    }
    const restart = {
      sql: 'UPDATE rollup_state SET position = 0, after_day = ?, time_zone = ?, version = ?',
      values: [
        kept === null ? '' : `${kept.day} ${kept.until} ${state.position}`,
        this.#timeZone,
        ROLLUP_VERSION,
      ],
    };
    // Without any event there is nothing to count again, and nothing that could be counted twice.
    const removal = { sql: 'DELETE FROM rollups WHERE day > ?', values: [kept?.day ?? ''] };
    await this.#database.batch([
      ...(state.first === null ? [] : [removal]),
      restart,
      ...COUNT_UNKNOWN_SOURCES,
      ...COUNT_TAGS_AS_NO_CAMPAIGN,
    ]);
  }

  /** The last day whose counts a rebuild would leave, with its end in ms since 1970, as `after_day` has it; empty: none. */
  async readKept(): Promise<string> {
    const kept = await this.#findKept(await readRollupState(this.#database, 0));
    return kept === null ? '' : `${kept.day} ${kept.until}`;
  }

  /** Has the counts of a day, as `readKept` has it, and of those before stay: what counts of them is counted, unless a day is set. */
  async keep(kept: string): Promise<void> {
    await this.#database.change("UPDATE rollup_state SET after_day = ? WHERE after_day = ''", kept);
  }

  /** The last day that stays in a rebuild, and when it ended (ms since 1970) where it was counted; null: none. */
  async #findKept({ first, afterDay, timeZone }: RollupState) {
    const [day = '', moment] = afterDay.split(' ');
    const getEnd = (of: string) => toUtc(Date.parse(of) + DAY_MS, timeZone);
    const until = moment === undefined && day !== '' ? getEnd(day) : Number(moment ?? 0);
    if (first === null || (day !== '' && first <= until)) return day === '' ? null : { day, until };
    const next = day === '' ? 0 : Date.parse(day) + DAY_MS;
    const own = Date.parse(getLocalDay(first, timeZone));
    const last = new Date(Math.max(own, next)).toISOString().slice(0, 10);
    const count = 'SELECT count(*) AS days FROM rollups WHERE day < ?';
    const older = await this.#database.readRow(count, last);
    return Number(older?.['days']) > 0 ? { day: last, until: getEnd(last) } : null;
  }

  /** Counts the next events; resolves with the counts as JSON. */
  async #count({ position, oldest, newest, timeZone }: RollupState, upTo: number): Promise<string> {
    const spans = getOffsets(oldest, newest, timeZone);
    const sql = buildRollupCount('seq > ? AND seq <= ?', spans);
    const row = await this.#database.readRow(sql, position, upTo);
    return String(row?.['rows']);
  }

  /** Builds what keeps the number of keys of a day limited, if one could have too many. */
  async #buildMerge(
    { oldest, newest, timeZone }: RollupState,
    rows: string,
  ): Promise<readonly SqlStatement[]> {
    const [first, last] = [getLocalDay(oldest, timeZone), getLocalDay(newest, timeZone)];
    const crowded = await this.#database.readRow(MERGE_CHECK, first, last, rows);
    return crowded === undefined ? [] : buildMerge(first, last);
  }
}

/** Adds the sums of equal groups, which are the first `columns` of a row; both lists and the result are in the order of the groups. */
function addRows(
  one: readonly (readonly unknown[])[],
  other: readonly (readonly unknown[])[],
  columns: number,
): readonly (readonly unknown[])[] {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one;
  const groups = new Map(one.map((row) => [JSON.stringify(row.slice(0, columns)), row]));
  const count = groups.size;
  for (const row of other) {
    const key = JSON.stringify(row.slice(0, columns));
    const own = groups.get(key);
    groups.set(
      key,
      own?.map((value, index) => (index < columns ? value : Number(value) + Number(row[index]))) ?? row,
    );
  }
  const rows = [...groups.values()];
  return groups.size === count ? rows : rows.sort(compareGroups(columns));
}

const compareGroups = (columns: number) => (one: readonly unknown[], other: readonly unknown[]) => {
  for (let index = 0; index < columns; index++) {
    const [a, b] = [one[index], other[index]].map((value) =>
      typeof value === 'object' ? JSON.stringify(value) : value,
    );
    if (a !== b)
      return typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1;
  }
  return 0;
};

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

type RollupState = Awaited<ReturnType<typeof readRollupState>>;

const FIRST = '(SELECT max((SELECT min(server_time) FROM events), archived_before) FROM archive_state)';

/** Reads where the counts stop, and what the next events are. Times are ms since 1970, 0 without events. */
async function readRollupState(database: Database, limit: number) {
  const sql = `SELECT position, after_day, time_zone, version, count(seq) AS events, max(seq) AS up_to,
      min(server_time) AS oldest, max(server_time) AS newest, ${FIRST} AS first,
      (SELECT max(day) FROM rollups WHERE dimension = 'page') AS last_day
    FROM rollup_state
    LEFT JOIN (SELECT seq, server_time FROM events WHERE seq > ${ROLLUP_POSITION} ORDER BY seq LIMIT ?)`;
  const row = await database.readRow(sql, limit);
  const number = (name: string) => (typeof row?.[name] === 'number' ? row[name] : null);
  return {
    position: number('position') ?? 0,
    afterDay: String(row?.['after_day']),
    timeZone: String(row?.['time_zone']),
    version: number('version'),
    /** How many events follow, up to the limit of the read. */
    events: number('events') ?? 0,
    /** The position of the last of them; null without any. */
    upTo: number('up_to'),
    /** The newest day with counts of pages; empty without any. */
    lastDay: String(row?.['last_day'] ?? ''),
    oldest: number('oldest') ?? 0,
    newest: number('newest') ?? 0,
    /**
     * The time from which the database has every event: of earlier ones it has none, or only those that are not
     * archived. Null in an empty database.
     */
    first: number('first'),
  };
}
