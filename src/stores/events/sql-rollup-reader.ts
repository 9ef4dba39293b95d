import { getOffsets } from '../../core/commissions/local-time.ts';
import type { RollupDimension } from '../../core/events/rollup.ts';
import type {
  DailyRollupGroup,
  RollupClicks,
  RollupClicksFilter,
  RollupFilter,
  RollupGroup,
  RollupReader,
  WeightedDays,
  WeightedRollupGroup,
} from '../../core/events/rollup-store.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import type { SqlExecutor, SqlStatement } from '../sql/sql-executor.ts';
import { buildRollupRead, type RollupRead } from './rollup-read-sql.ts';
import { readRollupState } from './rollup-state.ts';
import { convertErrors } from './sql-event-reader.ts';

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
