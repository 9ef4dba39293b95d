import { getOffsets } from '../../core/commissions/local-time.ts';
import { ROLLUP_VERSION } from '../../core/events/rollup.ts';
import type { RollupStore } from '../../core/events/rollup-store.ts';
import type { SqlRow, SqlStatement, SqlValue } from '../sql/sql-executor.ts';
import { buildMerge, buildMergeCheck, buildRollupCount, buildRollupInsert } from './rollup-sql.ts';
import { type RollupState, readRollupState } from './rollup-state.ts';
import { convertErrors } from './sql-event-reader.ts';
import { SqlRollupReader } from './sql-rollup-reader.ts';

/** Events that are counted at once: about 30 ms of the thread that reads. */
const EVENTS_PER_BATCH = 2_000;

/** True as long as the events that follow and the rules by which they count are the ones that were read. */
const IS_UNCHANGED = `EXISTS (SELECT 1 FROM rollup_state
  WHERE position = ? AND after_day = ? AND time_zone = ? AND version = ?)`;

/** The counts of events by day, in the same database as the events. */
export class SqlRollupStore extends SqlRollupReader implements RollupStore {
  async advance(): Promise<number> {
    const state = await readRollupState(this.executor, EVENTS_PER_BATCH);
    if (state.timeZone !== this.timeZone || state.version !== ROLLUP_VERSION) {
      await this.rebuild();
      return this.advance();
    }
    if (state.upTo === null) return 0;
    // The thread that reads counts, so that appends wait only until the sums are added. Counters change only together
    // with the position, so that no event is counted twice or left out.
    const rows = await this.#count(state, state.upTo);
    const unchanged = [state.position, state.afterDay, state.timeZone, state.version];
    await this.#write([
      { sql: buildRollupInsert(IS_UNCHANGED), values: [rows, ...unchanged] },
      ...(await this.#buildMerge(state, rows)),
      {
        sql: `UPDATE rollup_state SET position = ? WHERE ${IS_UNCHANGED}`,
        values: [state.upTo, ...unchanged],
      },
    ]);
    return state.events;
  }

  async rebuild(): Promise<void> {
    const { first } = await readRollupState(this.executor, EVENTS_PER_BATCH);
    const firstDay = first === null ? '' : this.#getDay(first);
    const [older] = await this.#query('SELECT count(*) AS days FROM rollups WHERE day < ?', [firstDay]);
    const afterDay = Number(older?.['days']) > 0 ? firstDay : '';
    const restart = {
      sql: 'UPDATE rollup_state SET position = 0, after_day = ?, time_zone = ?, version = ?',
      values: [afterDay, this.timeZone, ROLLUP_VERSION],
    };
    // Without any event there is nothing to count again, and nothing that could be counted twice.
    if (first === null) await this.#write([restart]);
    else await this.#write([{ sql: 'DELETE FROM rollups WHERE day > ?', values: [afterDay] }, restart]);
  }

  /** Counts the next events; resolves with the counts as JSON. */
  async #count({ position, oldest, newest }: RollupState, upTo: number): Promise<string> {
    const spans = getOffsets(oldest, newest, this.timeZone);
    const [row] = await this.#query(buildRollupCount('seq > ? AND seq <= ?', spans), [position, upTo]);
    return String(row?.['rows']);
  }

  /** Builds what keeps the number of keys of a day limited, if one could have too many. */
  async #buildMerge({ oldest, newest }: RollupState, rows: string): Promise<readonly SqlStatement[]> {
    const [first, last] = [this.#getDay(oldest), this.#getDay(newest)];
    const { sql, values = [] } = buildMergeCheck(first, last, rows);
    return (await this.#query(sql, values)).length > 0 ? buildMerge(first, last) : [];
  }

  #getDay(time: number): string {
    const [span] = getOffsets(time, time, this.timeZone);
    return new Date(time + (span?.offset ?? 0)).toISOString().slice(0, 10);
  }

  #write(statements: readonly SqlStatement[]) {
    return convertErrors(this.executor.batch(statements));
  }

  #query(sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    return convertErrors(this.executor.query({ sql, values }));
  }
}
