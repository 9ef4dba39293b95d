import { DAY_MS } from '../core/clock.ts';
import { getLocalDay, getOffsets, toUtc } from '../core/commissions/local-time.ts';
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

const buildSums = (visits: CountedVisits) =>
  (['views', 'sessions', 'actions', 'clicks'] as const).map((counter) => buildSum(counter, visits));

/**
 * Counts of events by day and dimension, in the same database as the events. Reads include events that are not counted
 * yet. Every method rejects with `EventStoreError`.
 */
export class Rollups {
  readonly #database: Database;
  readonly #timeZone: string;

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
    const weighted = [' * weight', ' * error'].map((factor) => buildSum('clicks', visits, factor));
    const sums = [...buildSums(visits), ...weighted];
    const rows = await this.#read({ dimension, days, by: ['key'], sums });
    return rows.map(([key, views, sessions, actions, clicks, weightedClicks, error]) => ({
      key: parseKey(key),
      ...parseCounts([views, sessions, actions, clicks]),
      weightedClicks: Number(weightedClicks),
      clicksError: Number(error),
    }));
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
    const { sql, values } = buildRollupRead(read, spans);
    const texts = await this.#database.read(sql, ...values);
    return texts.flatMap(({ rows }) => parseRows(rows));
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
      values: [kept === null ? '' : `${kept.day} ${kept.until}`, this.#timeZone, ROLLUP_VERSION],
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
      min(server_time) AS oldest, max(server_time) AS newest, ${FIRST} AS first
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
    oldest: number('oldest') ?? 0,
    newest: number('newest') ?? 0,
    /**
     * The time from which the database has every event: of earlier ones it has none, or only those that are not
     * archived. Null in an empty database.
     */
    first: number('first'),
  };
}
