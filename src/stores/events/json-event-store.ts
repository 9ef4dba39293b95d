import type { AppendResult } from '../../core/events/event-store.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { buildJsonLists } from '../sql/build-json-lists.ts';
import { buildEventValues, EVENT_COLUMNS, FACT_COLUMNS } from './event-row.ts';
import { SqlEventStore } from './sql-event-store.ts';

const INSERT = `INSERT INTO events (${EVENT_COLUMNS.join(', ')})
  SELECT ${EVENT_COLUMNS.map((_, index) => `value ->> ${index}`).join(', ')} FROM json_each(?)
  WHERE true ON CONFLICT (id) DO NOTHING`;
const COUNT_CONFLICTS = `SELECT count(*) AS conflicts FROM json_each(?) AS row
  JOIN events AS stored ON stored.id = row.value ->> 0
  WHERE ${FACT_COLUMNS.map((column, index) => `stored.${column} IS NOT ${readValue(column, index)}`).join(' OR ')}`;

/** JSON writes large numbers as integers, which SQLite would compare digit by digit with the stored REAL. */
function readValue(column: string, index: number): string {
  return column === 'value' ? `CAST(row.value ->> ${index} AS REAL)` : `row.value ->> ${index}`;
}

const PROBE = `INSERT OR REPLACE INTO store_probe VALUES (1, ?, x'')`;
/** A probe is a written row, of which plans of D1 have a number: a health check repeats it once a minute. */
const PROBE_INTERVAL_MS = 60_000;

/**
 * The event store for D1, where each statement of a worker counts against a limit: an append is one statement, however
 * many events it has. Requests share no promise, because a worker cannot wait in one request for the work of another.
 */
export class JsonEventStore extends SqlEventStore {
  #probed: { readonly at: number; readonly reason: string | null } | null = null;

  override async append(events: readonly SiteEvent[]): Promise<AppendResult> {
    const texts = buildJsonLists(events.map(buildEventValues));
    const results = await this.run(texts.map((text) => ({ sql: INSERT, values: [text] })));
    const stored = results.reduce((sum, { changes }) => sum + changes, 0);
    const duplicates = events.length - stored;
    return { stored, duplicates, conflicts: duplicates === 0 ? 0 : await this.#countConflicts(texts) };
  }

  override async probe(): Promise<string | null> {
    if (this.isClosed) return 'The store is closed.';
    if (this.#probed?.reason === null && Date.now() - this.#probed.at < PROBE_INTERVAL_MS) return null;
    const at = Date.now();
    const reason = await this.run([{ sql: PROBE, values: [at] }]).then(
      () => null,
      (error: Error) => error.message,
    );
    this.#probed = { at, reason };
    return reason;
  }

  async #countConflicts(texts: readonly string[]): Promise<number> {
    const results = await this.run(texts.map((text) => ({ sql: COUNT_CONFLICTS, values: [text] })));
    return results.reduce((sum, { rows }) => sum + Number(rows[0]?.['conflicts']), 0);
  }
}
