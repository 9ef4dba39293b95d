import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTableKey, DATABASES, TRANSFER_TABLES } from '../scripts/commands/data/transfer-tables.ts';
import { PINNED_NODE, ROOT } from '../scripts/start/pinned-node.mjs';
import { openLedgerDatabase } from '../src/adapters/commissions/open-commission-store.ts';
import { openOperatorStore } from '../src/adapters/console/open-console-database.ts';
import { SqlContactMessages } from '../src/adapters/contact/sql-contact-messages.ts';
import { EventArchiver } from '../src/adapters/events/event-archiver.ts';
import { ARCHIVE_FOLDER, createFolderEventArchive } from '../src/adapters/events/folder-event-archive.ts';
import { SqlEventStore } from '../src/adapters/events/sql-event-store.ts';
import { SqlRollupStore } from '../src/adapters/events/sql-rollup-store.ts';
import { DATABASE_FILE, NodeSqliteExecutor } from '../src/adapters/sql/node-sqlite/node-sqlite-executor.ts';
import { buildSampleFact, buildSampleJourney, SAMPLE_CLICK } from './support/sample-commissions.ts';
import { buildSampleEvent } from './support/sample-events.ts';

/** What does not move: what the target has of its own, and what is over soon. */
const STAYS = [
  'events.archive_state',
  'events.rollup_state',
  'events.store_probe',
  'commissions.leases',
  'commissions.store_probe',
  'console.attempts',
  'console.temporary_values',
  'console.setups',
  'notifications.leases',
  'articles.source_state',
  // The search is filled again from the articles.
  'articles.article_search',
  'articles.article_vocabulary',
  ...['', '_config', '_data', '_docsize', '_idx'].map((part) => `articles.article_words${part}`),
];

const MIGRATIONS = path.join(ROOT, 'migrations');
const DAY_MS = 86_400_000;
const TIME = Date.UTC(2026, 4, 10, 12);

const folder = mkdtempSync(path.join(tmpdir(), 'data-command-'));
const SOURCE = path.join(folder, 'source');
const EDGE = path.join(folder, 'edge-site');
const FILE = path.join(folder, 'site.ndjson.gz');
afterAll(() => rmSync(folder, { recursive: true }));

const run = (dataDir: string, ...words: string[]) =>
  spawnSync(PINNED_NODE, ['scripts/commands/data.ts', ...words], {
    cwd: ROOT,
    env: { DATA_DIR: dataDir },
    encoding: 'utf8',
  });

function applyMigrations(file: string, name: string): DatabaseSync {
  const db = new DatabaseSync(file);
  const dir = path.join(MIGRATIONS, name === 'events' ? '' : name);
  const files = readdirSync(dir).filter((one) => one.endsWith('.sql'));
  for (const one of files.sort()) db.exec(readFileSync(path.join(dir, one), 'utf8'));
  return db;
}

/** Creates the files of local D1 databases, whose names are hashes. */
function createLocalD1(dataDir: string): void {
  const dir = path.join(dataDir, 'edge', 'd1', 'miniflare-D1DatabaseObject');
  mkdirSync(dir, { recursive: true });
  for (const name of DATABASES) {
    const hash = createHash('sha256').update(name).digest('hex');
    applyMigrations(path.join(dir, `${hash}.sqlite`), name).close();
  }
}

/** Every row of every table that moves, by table, of the files below a folder. */
function readAll(dataDir: string): Readonly<Record<string, readonly unknown[]>> {
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.sqlite'),
  );
  const all: Record<string, readonly unknown[]> = {};
  for (const file of files) {
    const db = new DatabaseSync(path.join(dataDir, file), { readOnly: true });
    const has = db.prepare('SELECT 1 FROM sqlite_master WHERE name = ?');
    const marks = {
      events: 'events',
      commissions: 'facts',
      console: 'operators',
      notifications: 'deliveries',
    };
    for (const table of TRANSFER_TABLES.filter(({ database }) => database in marks)) {
      const mark = marks[table.database as keyof typeof marks];
      if (!has.get(mark)) continue;
      const rows = db.prepare(`SELECT * FROM ${table.name} ORDER BY ${table.order}`).all();
      if (rows.length > 0) all[buildTableKey(table)] = rows.map((row) => ({ ...row }));
    }
    db.close();
  }
  return all;
}

beforeAll(async () => {
  const executor = new NodeSqliteExecutor({
    file: path.join(SOURCE, DATABASE_FILE),
    report: () => undefined,
  });
  const store = new SqlEventStore(executor);
  const events = Array.from({ length: 300 }, (_, index) =>
    buildSampleEvent({
      name: index % 50 === 0 ? 'contact_message' : 'page_view',
      label: `"ü" 日本 ${index}`,
      value: index / 7,
      clientTime: index % 3 === 0 ? null : TIME + index,
      serverTime: TIME + (index % 10) * DAY_MS + index,
    }),
  );
  await store.append(events);
  await new SqlContactMessages(executor).setState(events[50]?.id ?? '', 'answered', TIME);
  const rollups = new SqlRollupStore(executor, 'UTC');
  while ((await rollups.advance()) > 0);
  await store.remove({ before: TIME + 3 * DAY_MS });
  await store.close();
  const { store: ledger } = openLedgerDatabase(SOURCE, () => undefined);
  await ledger.append({
    facts: [
      buildSampleFact({ nativeId: 'b', amount: -(2 ** 40) }),
      buildSampleFact({ nativeId: 'a', currency: 'EUR' }, { clickId: SAMPLE_CLICK }),
    ],
    raw: { id: 'raw-1', partner: 'highlevel', arrivedAt: TIME, content: '{}' },
    journeys: [buildSampleJourney()],
    decisions: (['operator', 'match'] as const).map((origin) => ({
      partner: 'highlevel',
      account: 'main',
      nativeId: 'a',
      action: 'assign' as const,
      clickId: SAMPLE_CLICK,
      origin,
      decidedAt: TIME,
    })),
  });
  await ledger.writeImport({
    id: 'import-1',
    partner: 'highlevel',
    file: 'may.csv',
    state: 'committed',
    rows: 2,
    changedAt: TIME,
  });
  await ledger.writeState('postback-key', 'secret');
  await ledger.close();
  const operators = openOperatorStore(SOURCE, () => undefined);
  await operators.writeSession({
    id: 's',
    tokenHash: 'hash',
    operatorId: 'o',
    browser: 'Firefox',
    createdAt: TIME,
    usedAt: TIME,
  });
  await operators.close();
  createLocalD1(EDGE);
  expect(run(SOURCE, 'export', FILE)).toMatchObject({ stderr: '', status: 0 });
});

it('moves every table of the migrations, or says that it stays', () => {
  const tables = DATABASES.flatMap((database) => {
    const db = applyMigrations(':memory:', database);
    const rows = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    db.close();
    return rows.map(({ name }) => `${database}.${name}`).filter((name) => !name.includes('.sqlite_'));
  });
  expect(tables.sort()).toEqual([...TRANSFER_TABLES.map(buildTableKey), ...STAYS].sort());
});

it('moves everything from Node to local D1 and back, equal row by row, also when it is repeated', () => {
  const source = readAll(SOURCE);
  expect(Object.keys(source)).toEqual(
    expect.arrayContaining(['events.events', 'events.rollups', 'commissions.facts', 'console.sessions']),
  );
  expect(run(EDGE, 'import', FILE, '--edge')).toMatchObject({ stderr: '', status: 0 });
  expect(run(EDGE, 'import', FILE, '--edge').stdout).toMatch(/^ +0 {2}events\.events$/m);
  // The days of removed events keep their counts; events get new numbers, in the same order.
  const withoutSequence = (all: typeof source) =>
    JSON.parse(JSON.stringify(all, (key, value) => (key === 'seq' ? undefined : value))) as typeof source;
  expect(withoutSequence(readAll(EDGE))).toEqual(withoutSequence(source));
  const back = path.join(folder, 'back.ndjson.gz');
  const target = path.join(folder, 'target');
  expect(run(EDGE, 'export', back, '--edge').status).toBe(0);
  expect(run(target, 'import', back).status).toBe(0);
  expect(withoutSequence(readAll(target))).toEqual(withoutSequence(source));
});

it('moves archived events as well, and says that those of a worker stay', async () => {
  const [archived, target] = [path.join(folder, 'archived'), path.join(folder, 'archived-target')];
  const file = path.join(folder, 'archived.ndjson.gz');
  const executor = new NodeSqliteExecutor({
    file: path.join(archived, DATABASE_FILE),
    report: () => undefined,
  });
  const store = new SqlEventStore(executor);
  await store.append([
    buildSampleEvent({ serverTime: TIME }),
    buildSampleEvent({ serverTime: TIME + DAY_MS }),
  ]);
  const before = readAll(archived);
  while ((await new SqlRollupStore(executor, 'UTC').advance()) > 0);
  const archive = createFolderEventArchive(path.join(archived, ARCHIVE_FOLDER));
  expect(await new EventArchiver(executor, archive).archiveBefore(TIME + 1)).toBe(1);
  await executor.close();
  expect(run(archived, 'export', file)).toMatchObject({ stderr: '', status: 0 });
  expect(run(target, 'import', file).status).toBe(0);
  expect(readAll(target)['events.events']).toEqual(before['events.events']);
  const d1 = path.join(folder, 'archived-edge');
  createLocalD1(d1);
  const dir = path.join(d1, 'edge', 'd1', 'miniflare-D1DatabaseObject');
  const db = new DatabaseSync(
    path.join(dir, `${createHash('sha256').update('events').digest('hex')}.sqlite`),
  );
  db.exec('UPDATE archive_state SET archived_before = 1');
  db.close();
  const refused = path.join(folder, 'refused.ndjson.gz');
  expect(run(d1, 'export', refused, '--edge').stderr).toContain('are in its archive');
  expect(existsSync(refused)).toBe(false);
});

it('creates no ledger and no operators for a site that has none', async () => {
  const [small, target] = [path.join(folder, 'small'), path.join(folder, 'small-target')];
  const file = path.join(folder, 'small.ndjson.gz');
  const executor = new NodeSqliteExecutor({ file: path.join(small, DATABASE_FILE), report: () => undefined });
  await new SqlEventStore(executor).append([buildSampleEvent()]);
  await executor.close();
  expect(run(small, 'export', file).status).toBe(0);
  expect(run(target, 'import', file).status).toBe(0);
  expect(readdirSync(target).filter((name) => name.endsWith('.sqlite'))).toEqual([DATABASE_FILE]);
});

it.each([
  ['cut off', (content: Buffer) => content.subarray(0, content.length / 2), /cut off|unexpected end/i],
  ['changed', (content: Buffer) => content.fill(7, content.length - 40, content.length - 20), /./],
  [
    'valid but other rows',
    (content: Buffer) => gzipSync(`${gunzipSync(content)}`.replace('日本', '本日')),
    /checksum/,
  ],
  ['no file of this program', () => Buffer.from('hello'), /./],
])('refuses a file that is %s, and writes nothing', (name, change, message) => {
  const damaged = path.join(folder, `${name}.gz`);
  const target = path.join(folder, `target of ${name}`);
  writeFileSync(damaged, change(readFileSync(FILE)));
  const { status, stderr } = run(target, 'import', damaged);
  expect(status).toBe(1);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('    at ');
  expect(existsSync(target)).toBe(false);
});

it('says what is missing: data to export, local D1 to import into, a free name', () => {
  const empty = path.join(folder, 'empty');
  expect(run(empty, 'export', path.join(folder, 'x.gz')).stderr).toContain('There are no data in');
  expect(run(empty, 'import', FILE, '--edge').stderr).toContain('run npm run edge once');
  expect(run(SOURCE, 'export', FILE).stderr).toContain('is there already');
});
