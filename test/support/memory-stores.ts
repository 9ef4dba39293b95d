import type { SiteEvent } from '../../src/core/events/site-event.ts';
import { Clicks } from '../../src/stores/clicks.ts';
import { ContentVersions } from '../../src/stores/content-versions.ts';
import { buildEventValues, EVENT_COLUMNS, SqlEventStore } from '../../src/stores/events.ts';
import { Ledger } from '../../src/stores/ledger.ts';
import { Operators } from '../../src/stores/operators.ts';
import { Rollups } from '../../src/stores/rollups.ts';
import { TemporaryValues } from '../../src/stores/temporary-values.ts';
import type { RollupRow } from './build-rollup-rows.ts';
import { MemoryExecutor, openMemoryDatabase } from './memory-executor.ts';

/** Creates the stores of the console over a database in memory. */
export function createMemoryConsole() {
  const executor = new MemoryExecutor(openMemoryDatabase('console'));
  return {
    operators: new Operators(executor),
    temporary: new TemporaryValues(executor),
    versions: new ContentVersions(executor),
  };
}

/** Creates an empty ledger over a database in memory. */
export function createMemoryLedger(): Ledger {
  return new Ledger(new MemoryExecutor(openMemoryDatabase('commissions')));
}

/** Creates an empty event store over a database in memory. */
export function createMemoryEventStore(): SqlEventStore {
  return new SqlEventStore(new MemoryExecutor(openMemoryDatabase()));
}

/** Creates the clicks and sessions of a list of events; `fail` makes every call reject. */
export function createMemoryClicks(
  events: readonly SiteEvent[],
): Clicks & { fail(isFailing: boolean): void } {
  const db = openMemoryDatabase();
  const insert = db.prepare(
    `INSERT INTO events (${EVENT_COLUMNS.join()}) VALUES (${EVENT_COLUMNS.map(() => '?').join()})`,
  );
  for (const event of events) insert.run(...buildEventValues(event));
  const executor = new MemoryExecutor(db);
  return Object.assign(new Clicks(executor), {
    fail(isFailing: boolean) {
      executor.failure = isFailing ? new Error('the events cannot be read') : null;
    },
  });
}

/** Counts of one day, as `buildRollupRows` builds those of an event. */
export interface DayRow extends RollupRow {
  readonly day: string;
}

/** Creates counts that add up to the given ones. */
export function createMemoryRollups(rows: readonly DayRow[]): Rollups {
  const db = openMemoryDatabase();
  const insert = db.prepare(`INSERT INTO rollups (dimension, day, key, views, sessions, actions, clicks)
    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET views = views + excluded.views,
    sessions = sessions + excluded.sessions, actions = actions + excluded.actions, clicks = clicks + excluded.clicks`);
  for (const { dimension, day, key, views, sessions, actions, clicks } of rows) {
    insert.run(dimension, day, JSON.stringify(key), views, sessions, actions, clicks);
  }
  return new Rollups(new MemoryExecutor(db), 'UTC');
}
