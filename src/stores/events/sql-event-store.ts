import type { AppendResult, EventStore } from '../../core/events/event-store.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import type { SqlExecutor, SqlStatement } from '../sql/sql-executor.ts';
import { buildEventValues, EVENT_COLUMNS, FACT_COLUMNS, isSameFact } from './event-row.ts';
import { convertErrors, SqlEventReader } from './sql-event-reader.ts';

const INSERT = `INSERT INTO events (${EVENT_COLUMNS.join(', ')})
  VALUES (${EVENT_COLUMNS.map(() => '?').join(', ')}) ON CONFLICT (id) DO NOTHING`;
const SELECT_FACT = `SELECT ${FACT_COLUMNS.join(', ')} FROM events WHERE id = ?`;

/** Events that one statement removes, so that appends get their turn in between. */
const ROWS_PER_REMOVAL = 500;
const DELETE_SESSION = buildDelete("session = ? AND session <> ''");
const DELETE_OLDER = buildDelete('server_time < ?');

/** Writes 64 KB, as a busy moment does: on a disk that is almost full, a few bytes may still fit. */
const PROBE = 'INSERT OR REPLACE INTO store_probe VALUES (1, ?, zeroblob(65536))';
/** A probe is repeated at most once a second, however often health checks request it. */
const PROBE_INTERVAL_MS = 1_000;

/** The event store over any SQL executor, which it closes with itself. */
export class SqlEventStore extends SqlEventReader implements EventStore {
  readonly #executor: SqlExecutor;
  #probe: { readonly at: number; readonly result: Promise<string | null> } | null = null;
  protected isClosed = false;

  constructor(executor: SqlExecutor) {
    super(executor);
    this.#executor = executor;
  }

  async append(events: readonly SiteEvent[]): Promise<AppendResult> {
    const rows = events.map(buildEventValues);
    const results = await this.run(rows.map((values) => ({ sql: INSERT, values })));
    const known = rows.filter((_, index) => results[index]?.changes === 0);
    return {
      stored: rows.length - known.length,
      duplicates: known.length,
      conflicts: await this.#countConflicts(known),
    };
  }

  async remove(filter: { readonly session: string } | { readonly before: number }): Promise<number> {
    const [sql, value] =
      'session' in filter ? [DELETE_SESSION, filter.session] : [DELETE_OLDER, filter.before];
    let removed = 0;
    for (let changes = ROWS_PER_REMOVAL; changes === ROWS_PER_REMOVAL; removed += changes) {
      const [result] = await this.run([{ sql, values: [value, ROWS_PER_REMOVAL] }]);
      changes = result?.changes ?? 0;
    }
    return removed;
  }

  async probe(): Promise<string | null> {
    if (this.isClosed) return 'The store is closed.';
    const now = performance.now();
    if (!this.#probe || now - this.#probe.at > PROBE_INTERVAL_MS) {
      const result = this.run([{ sql: PROBE, values: [Date.now()] }]);
      this.#probe = {
        at: now,
        result: result.then(
          () => null,
          (error: Error) => error.message,
        ),
      };
    }
    return this.#probe.result;
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    await super.close();
  }

  /** How many of these events, whose ids are stored already, differ from the stored event. */
  async #countConflicts(rows: readonly SqlStatement['values'][]): Promise<number> {
    if (rows.length === 0) return 0;
    const stored = await this.run(
      rows.map((values = []) => ({ sql: SELECT_FACT, values: values.slice(0, 1) })),
    );
    const isConflict = (values: SqlStatement['values'] = [], index: number) => {
      const fact = stored[index]?.rows[0];
      return (
        fact !== undefined &&
        !isSameFact(
          values,
          FACT_COLUMNS.map((column) => fact[column]),
        )
      );
    };
    return rows.filter(isConflict).length;
  }

  /** Runs statements in one transaction, with the errors of this port. */
  protected run(statements: readonly SqlStatement[]): ReturnType<SqlExecutor['batch']> {
    return convertErrors(this.#executor.batch(statements));
  }
}

function buildDelete(condition: string): string {
  return `DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE ${condition} LIMIT ?)`;
}
