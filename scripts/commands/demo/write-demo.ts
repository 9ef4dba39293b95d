import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SiteEvent } from '../../../src/core/events/site-event.ts';
import { buildEventValues, EVENT_COLUMNS, SqlEventStore } from '../../../src/stores/events.ts';
import { openLedgerDatabase } from '../../../src/stores/node-databases.ts';
import { Rollups } from '../../../src/stores/rollups.ts';
import {
  DATABASE_FILE,
  NodeSqliteExecutor,
} from '../../../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import type { DemoLedgerContent } from './commissions.ts';

const FACTS_PER_BATCH = 500;

/**
 * Writes events into an empty data folder and counts them. They go to the table itself: appending ten million of them
 * would take an hour. Resolves with how many were written.
 */
export async function writeDemoEvents(
  dataDir: string,
  days: Iterable<readonly SiteEvent[]>,
  timeZone: string,
  report: (message: string) => void,
): Promise<number> {
  const file = path.join(dataDir, DATABASE_FILE);
  const executor = new NodeSqliteExecutor({ file, report, lockWaitMs: 10_000, isInline: true });
  // Creates the tables.
  await new SqlEventStore(executor).probe();
  const database = new DatabaseSync(file, { timeout: 10_000 });
  // A crash here leaves a folder without its mark, which is generated again.
  database.exec('PRAGMA synchronous = OFF');
  const places = EVENT_COLUMNS.map(() => '?').join(', ');
  const insert = database.prepare(`INSERT INTO events (${EVENT_COLUMNS.join(', ')}) VALUES (${places})`);
  let count = 0;
  for (const events of days) {
    database.exec('BEGIN');
    for (const event of events) insert.run(...buildEventValues(event));
    database.exec('COMMIT');
    count += events.length;
  }
  database.close();
  const rollups = new Rollups(executor, timeZone);
  while ((await rollups.advance()) > 0);
  await executor.close();
  return count;
}

/** Writes the ledger of an empty data folder. */
export async function writeDemoLedger(
  dataDir: string,
  content: DemoLedgerContent,
  report: (message: string) => void,
): Promise<void> {
  const { ledger: store } = openLedgerDatabase(dataDir, report, { lockWaitMs: 10_000, isInline: true });
  for (const change of content.imports) await store.writeImport(change);
  const known = new Set<string>();
  for (let start = 0; start < content.facts.length; start += FACTS_PER_BATCH) {
    const facts = content.facts.slice(start, start + FACTS_PER_BATCH);
    const journeys = facts.flatMap(({ clickId }) => {
      const journey = clickId === null || known.has(clickId) ? undefined : content.journeys.get(clickId);
      if (clickId !== null) known.add(clickId);
      return journey === undefined ? [] : [journey];
    });
    await store.append({ facts, journeys });
  }
  for (const raw of content.raw) await store.append({ facts: [], raw });
  await store.append({ facts: [], decisions: content.decisions });
  await store.close();
}
