import { readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buildTableKey, TRANSFER_TABLES } from '../../src/commands/data/transfer.ts';
import { DAY_MS } from '../../src/core/clock.ts';
import { EventArchiver } from '../../src/stores/archive.ts';
import { CrawlerRequestCounts } from '../../src/stores/crawler-requests.ts';
import { SqlEventStore } from '../../src/stores/events.ts';
import { ARCHIVE_FOLDER, createFolderEventArchive } from '../../src/stores/folder-archive.ts';
import { ContactMessages } from '../../src/stores/messages.ts';
import { Rollups } from '../../src/stores/rollups.ts';
import { DATABASE_FILE, NodeSqliteExecutor } from '../../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import { openLedgerDatabase, openOperatorStore } from './node-databases.ts';
import { addOperator, PASSWORD_HASH } from './operators.ts';
import { buildSampleFact, buildSampleJourney, SAMPLE_CLICK } from './sample-commissions.ts';
import { buildSampleEvent } from './sample-events.ts';

/** The time of the first event of `createMovingSite`; the events are of ten days. */
export const MOVING_TIME = Date.UTC(2024, 4, 10, 12);

/** Rows by table. */
export type RowsByTable = Readonly<Record<string, readonly object[]>>;

/** Every row of every table that moves, of the databases below a folder, without the numbers of events. */
export function readMovedRows(dataDir: string): RowsByTable {
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.sqlite'),
  );
  const marks = { events: 'events', commissions: 'facts', console: 'operators', notifications: 'deliveries' };
  const all: Record<string, readonly object[]> = {};
  for (const file of files) {
    const db = new DatabaseSync(path.join(dataDir, file), { readOnly: true, timeout: 5_000 });
    const has = db.prepare('SELECT 1 FROM sqlite_master WHERE name = ?');
    for (const table of TRANSFER_TABLES.filter(({ database }) => database in marks)) {
      if (!has.get(marks[table.database as keyof typeof marks])) continue;
      const rows = db.prepare(`SELECT * FROM ${table.name} ORDER BY ${table.order}`).all();
      if (rows.length > 0) all[buildTableKey(table)] = rows.map(({ seq: _, ...row }) => row);
    }
    db.close();
  }
  return all;
}

/** Opens the events of a Node server. */
export function openMovingEvents(dataDir: string): NodeSqliteExecutor {
  return new NodeSqliteExecutor({
    file: path.join(dataDir, DATABASE_FILE),
    report: () => undefined,
    isInline: true,
  });
}

/** Counts the events, and moves those from before a time to the archive; resolves with how many. */
export async function archiveEvents(dataDir: string, before: number): Promise<number> {
  const executor = openMovingEvents(dataDir);
  const rollups = new Rollups(executor, 'UTC');
  while ((await rollups.advance()) > 0);
  const archive = createFolderEventArchive(path.join(dataDir, ARCHIVE_FOLDER));
  const count = await new EventArchiver(executor, archive).archiveBefore(before);
  await executor.close();
  return count;
}

/** Fills a folder with the data of a Node server: events, some of which were removed, a ledger, a session. */
export async function createMovingSite(dataDir: string): Promise<void> {
  await createEvents(dataDir);
  await createLedger(dataDir);
  const operators = openOperatorStore(dataDir, () => undefined);
  await addOperator(operators, { id: 'o', name: 'Ada' });
  const session = { id: 's', tokenHash: 'hash', operatorId: 'o', browser: 'Firefox' };
  await operators.writeSession({ ...session, createdAt: MOVING_TIME, usedAt: MOVING_TIME }, PASSWORD_HASH);
  await operators.close();
}

async function createEvents(dataDir: string): Promise<void> {
  const executor = openMovingEvents(dataDir);
  const store = new SqlEventStore(executor);
  const events = Array.from({ length: 300 }, (_, index) =>
    buildSampleEvent({
      name: index % 50 === 0 ? 'contact_message' : 'page_view',
      label: `"ü" 日本 ${index}`,
      value: index / 7,
      clientTime: index % 3 === 0 ? null : MOVING_TIME + index,
      serverTime: MOVING_TIME + (index % 10) * DAY_MS + index,
    }),
  );
  await store.append(events);
  await new ContactMessages(executor).setState(events[50]?.id ?? '', 'answered', MOVING_TIME);
  const rollups = new Rollups(executor, 'UTC');
  while ((await rollups.advance()) > 0);
  const requests = { day: '2024-05-10', agent: 'GPTBot', page: '/blog', requests: 7, verified: 3 };
  await new CrawlerRequestCounts(executor).add([requests]);
  await store.remove({ before: MOVING_TIME + 3 * DAY_MS });
  await store.close();
}

async function createLedger(dataDir: string): Promise<void> {
  const { ledger, costs } = openLedgerDatabase(dataDir, () => undefined);
  await ledger.append({
    facts: [
      buildSampleFact({ nativeId: 'b', amount: -(2 ** 40) }),
      buildSampleFact({ nativeId: 'a', currency: 'EUR' }, { clickId: SAMPLE_CLICK }),
    ],
    raw: { id: 'raw-1', partner: 'highlevel', arrivedAt: MOVING_TIME, content: '{}' },
    journeys: [buildSampleJourney()],
    decisions: (['operator', 'match'] as const).map((origin) => ({
      partner: 'highlevel',
      account: 'main',
      nativeId: 'a',
      action: 'assign' as const,
      clickId: SAMPLE_CLICK,
      origin,
      decidedAt: MOVING_TIME,
    })),
  });
  await ledger.writeImport({
    id: 'import-1',
    partner: 'highlevel',
    file: 'may.csv',
    state: 'committed',
    rows: 2,
    changedAt: MOVING_TIME,
  });
  const campaign = { platform: 'google', name: 'Brand' } as const;
  const entry = {
    id: 'costs-1',
    file: 'ads.csv',
    timeZone: '',
    state: 'committed',
    changedAt: MOVING_TIME,
  } as const;
  await costs.write(
    { ...entry, platform: 'google' },
    [{ ...campaign, period: '2024-05-10', amount: 1_250, currency: 'USD' }],
    [{ ...campaign, campaign: 'google / cpc / brand' }],
  );
  await ledger.writeState('postback-key', 'secret');
  await ledger.close();
}
