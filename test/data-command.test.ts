import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../scripts/start/pinned-node.mjs';
import {
  buildTableKey,
  DATABASES,
  importData,
  selectRows,
  TRANSFER_TABLES,
} from '../src/commands/data/transfer.ts';
import {
  checkTransfer,
  readTransfer,
  type TransferRow,
  writeTransfer,
} from '../src/commands/data/transfer-file.ts';
import { DAY_MS } from '../src/core/clock.ts';
import { CAPABILITIES } from '../src/core/console/capabilities.ts';
import { SqlEventStore } from '../src/stores/events.ts';
import { Operators } from '../src/stores/operators.ts';
import type { SqlStatement } from '../src/stores/sql/sql-executor.ts';
import { createFolder } from './support/create-folder.ts';
import { HOSTILE_VALUES } from './support/hostile-input.ts';
import { createMemoryEventArchive } from './support/memory-event-archive.ts';
import { MemoryExecutor, openMemoryDatabase } from './support/memory-executor.ts';
import {
  archiveEvents,
  createMovingSite,
  MOVING_TIME,
  openMovingEvents,
  readMovedRows,
} from './support/moving-site.ts';
import { runCommand } from './support/run-command.ts';
import { buildSampleEvent } from './support/sample-events.ts';

/** What does not move: what the target has of its own, and what is over soon. */
const STAYS = [
  'events.archive_state',
  'events.archive_files',
  'events.clock_readings',
  'events.rollup_state',
  'events.store_probe',
  'commissions.article_links',
  ...['cells', 'days', 'decisions', 'dues', 'spreads', 'visits'].map(
    (name) => `commissions.commission_${name}`,
  ),
  ...['clicks', 'days', 'marks', 'rows', 'versions'].map((name) => `commissions.fold_${name}`),
  'commissions.folded_commissions',
  'commissions.label_marks',
  'commissions.leases',
  'commissions.link_hosts',
  'commissions.store_probe',
  'console.attempts',
  'console.temporary_values',
  'console.setups',
  'notifications.leases',
  'articles.source_state',
  // What the source no longer has is found again.
  'articles.missing_articles',
  // For days, of a queue that stays as well.
  'events.removed_visits',
  // The search is filled again from the articles.
  'articles.article_search',
  'articles.article_terms',
  ...['', '_config', '_data', '_docsize', '_idx'].map((part) => `articles.article_words${part}`),
];

const folder = mkdtempSync(path.join(tmpdir(), 'data-command-'));
const SOURCE = path.join(folder, 'source');
const FILE = path.join(folder, 'site.ndjson.gz');
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  await createMovingSite(SOURCE);
  expect(await runData(SOURCE, 'export', FILE)).toMatchObject({ stderr: '', code: 0 });
});

const runData = (dataDir: string, ...words: string[]) => runCommand('data', words, { DATA_DIR: dataDir });

function readTables(name: string): string[] {
  const db = new DatabaseSync(':memory:');
  const dir = path.join(ROOT, 'migrations', name === 'events' ? '' : name);
  const files = readdirSync(dir).filter((one) => one.endsWith('.sql'));
  for (const one of files.sort()) db.exec(readFileSync(path.join(dir, one), 'utf8'));
  const rows = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  db.close();
  return rows.map((row) => `${name}.${row['name']}`).filter((table) => !table.includes('.sqlite_'));
}

it('moves every table of the migrations, or says that it stays', () => {
  const tables = DATABASES.flatMap(readTables);
  expect(tables.sort()).toEqual([...TRANSFER_TABLES.map(buildTableKey), ...STAYS].sort());
});

it('moves everything to another site, equal row by row, also when it is repeated', async () => {
  const source = readMovedRows(SOURCE);
  expect(Object.keys(source)).toEqual(
    expect.arrayContaining(
      'events.events events.rollups events.crawler_requests commissions.facts console.sessions'.split(' '),
    ),
  );
  const target = path.join(folder, 'target');
  expect((await runData(target, 'import', FILE)).code).toBe(0);
  // The days of removed events keep their counts; events get new numbers, in the same order.
  expect(readMovedRows(target)).toEqual(source);
  expect((await runData(target, 'import', FILE)).stdout).toMatch(/^ +0 {2}events\.events$/m);
  expect(readMovedRows(target)).toEqual(source);
});

it('moves archived events as well, and leaves in the archive what the target has there', async () => {
  const [archived, target] = [path.join(folder, 'archived'), path.join(folder, 'archived-target')];
  const file = path.join(folder, 'archived.ndjson.gz');
  const store = new SqlEventStore(openMovingEvents(archived));
  await store.append([
    buildSampleEvent({ serverTime: MOVING_TIME }),
    buildSampleEvent({ serverTime: MOVING_TIME + DAY_MS }),
  ]);
  await store.close();
  const before = readMovedRows(archived)['events.events'];
  expect(await archiveEvents(archived, MOVING_TIME + 1)).toBe(1);
  expect(await runData(archived, 'export', file)).toMatchObject({ stderr: '', code: 0 });
  expect((await runData(target, 'import', file)).code).toBe(0);
  expect(readMovedRows(target)['events.events']).toEqual(before);
  expect((await runData(archived, 'import', file)).stdout).toMatch(/^ +0 {2}events\.events$/m);
  expect(readMovedRows(archived)['events.events']).toHaveLength(1);
});

it('creates no ledger and no operators for a site that has none', async () => {
  const [small, target] = [path.join(folder, 'small'), path.join(folder, 'small-target')];
  const file = path.join(folder, 'small.ndjson.gz');
  const store = new SqlEventStore(openMovingEvents(small));
  await store.append([buildSampleEvent()]);
  await store.close();
  expect((await runData(small, 'export', file)).code).toBe(0);
  expect((await runData(target, 'import', file)).code).toBe(0);
  expect(readdirSync(target).filter((name) => name.endsWith('.sqlite'))).toEqual(['events.sqlite']);
});

it('exports a database of an older version, and names a table that the target does not have', async () => {
  const old = path.join(folder, 'old');
  const file = path.join(folder, 'old.ndjson.gz');
  await createMovingSite(old);
  const db = new DatabaseSync(path.join(old, 'events.sqlite'));
  db.exec('DROP TABLE archive_state; DROP TABLE contact_message_states');
  db.close();
  const { code, stdout } = await runData(old, 'export', file);
  expect([code, stdout]).toEqual([0, expect.stringContaining('210  events.events\n')]);
  expect(stdout).not.toContain('contact_message_states');
  const { stderr } = await runData(old, 'import', FILE);
  expect(stderr).toContain('The target has no table events.contact_message_states: signpost edge deploy');
});

it('reads every row of a table once, in pages of some megabytes at most', async () => {
  const all = Array.from({ length: 900 }, (_, n) => ({ id: `${n % 7}`, part: n, text: 'x'.repeat(n * 10) }));
  const rows = all.sort((one, other) => one.id.localeCompare(other.id) || one.part - other.part);
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE t (id TEXT, part INTEGER, text TEXT, PRIMARY KEY (id, part)) STRICT');
  for (const { id, part, text } of rows) db.prepare('INSERT INTO t VALUES (?, ?, ?)').run(id, part, text);
  const pages: number[] = [];
  const database = {
    batch: () => Promise.reject(new Error('a read')),
    close: async () => undefined,
    async query({ sql, values = [] }: SqlStatement) {
      const page = db.prepare(sql).all(...values) as Record<string, string | number>[];
      pages.push(JSON.stringify(page).length);
      return page;
    },
  };
  const read: unknown[] = [];
  const table = { name: 't', order: 'id, part' };
  for await (const row of selectRows(database, table, ['id', 'part', 'text'])) read.push(row);
  expect(read).toEqual(rows.map(({ id, part, text }) => [id, part, text]));
  expect(pages.length).toBeGreaterThan(3);
  expect(Math.max(...pages)).toBeLessThan(3_000_000);
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
  [
    'one line without end after the first',
    (content: Buffer) => {
      const [first = ''] = `${gunzipSync(content)}`.split('\n');
      return gzipSync(Buffer.concat([Buffer.from(`${first}\n`), Buffer.alloc(40_000_000, 'x')]));
    },
    /line 2 is longer than \d+ characters/,
  ],
])('refuses a file that is %s, and writes nothing', async (name, change, message) => {
  const damaged = path.join(folder, `${name}.gz`);
  const target = path.join(folder, `target of ${name}`);
  writeFileSync(damaged, change(readFileSync(FILE)));
  const { code, stderr } = await runData(target, 'import', damaged);
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('    at ');
  expect(existsSync(target)).toBe(false);
});

it('says what is missing: data to export, a free name, one place', async () => {
  const empty = path.join(folder, 'empty');
  expect((await runData(empty, 'export', path.join(folder, 'x.gz'))).stderr).toContain(
    'There are no data in',
  );
  expect((await runData(SOURCE, 'export', FILE)).stderr).toContain('is there already');
  expect((await runData(SOURCE, 'export', FILE, '--edge', '--remote')).stderr).toContain('Choose one of');
});

async function* yieldAll<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

it('reads every text as it was written, whatever ends a line elsewhere', async () => {
  const file = path.join(folder, 'texts.gz');
  const separators = ['\n', '\r', '\r\n', '\u0085', '\u000b', '\u000c', '\u2028', '\u2029'];
  const values = [...separators, ...Object.values(HOSTILE_VALUES).flat(), 'é日😀'.repeat(50_000)];
  const rows = values.map((value): TransferRow => ['events.events', [value, `a${value}b`]]);
  const head = {
    signpost: 'data' as const,
    version: 1 as const,
    tables: { 'events.events': ['id', 'data'] },
  };
  await writeTransfer(file, head, yieldAll(rows));
  expect(await checkTransfer(file)).toMatchObject({ head, rows: rows.length });
  const read: TransferRow[] = [];
  for await (const row of readTransfer(file, rows.length)) read.push(row);
  expect(read).toEqual(rows);
});

it('gives operators of an earlier version the capabilities of their roles', async () => {
  const file = path.join(folder, 'roles.ndjson.gz');
  const columns = ['id', 'name', 'name_key', 'role', 'password_hash', 'passkey_user_id', 'created_at'];
  const tables = { 'console.operators': columns };
  const roles = { ada: 'owner', eve: 'viewer' };
  const rows = Object.entries(roles).map(
    ([name, role]): TransferRow => ['console.operators', [name, name, name, role, 'hash', name, 1]],
  );
  await writeTransfer(file, { signpost: 'data', version: 1, tables }, yieldAll(rows));
  const database = new MemoryExecutor(openMemoryDatabase('console'));
  const target = {
    databases: new Map([['console', database]] as const),
    archive: createMemoryEventArchive(),
    close: async () => undefined,
  };
  const opener = { openForExport: async () => target, openForImport: async () => target };
  for (const added of [2, 0]) {
    const { counts } = await importData(opener, 'UTC', file);
    expect(counts.get('console.operators')).toBe(added);
  }
  const operators = await new Operators(database).readOperators();
  expect(operators.map(({ id, name, capabilities }) => [id, name, capabilities])).toEqual([
    ['ada', 'ada', CAPABILITIES],
    ['eve', 'eve', ['money']],
  ]);
});

it('quarantine moves a database that cannot be read, and neither the ledger nor another file', async () => {
  const env = { DATA_DIR: createFolder() };
  const files = [
    'events.sqlite',
    'events.sqlite-wal',
    'events.sqlite.created',
    'commissions.sqlite',
    'other.txt',
  ];
  for (const name of files) writeFileSync(path.join(env.DATA_DIR, name), name);
  for (const [name, reason] of [
    ['commissions.sqlite', 'that can be replaced by an empty one'],
    ['other.txt', 'There is no database "other.txt"'],
    ['../events.sqlite', 'There is no database'],
    ['notifications.sqlite', 'There is no database'],
  ] as const) {
    const { code, stderr } = await runCommand('data', ['quarantine', name], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
  }
  expect(readdirSync(env.DATA_DIR).sort()).toEqual([...files].sort());
  const { code, stdout } = await runCommand('data', ['quarantine', 'events.sqlite'], env);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^It is now .*events\.sqlite\.quarantine-\w+\n$/),
  ]);
  const moved = stdout.trim().replace('It is now ', '');
  expect(readFileSync(moved, 'utf8')).toBe('events.sqlite');
  expect(readFileSync(`${moved}-wal`, 'utf8')).toBe('events.sqlite-wal');
  // Asked again, there is nothing left to move.
  expect(await runCommand('data', ['quarantine', 'events.sqlite'], env)).toMatchObject({ code: 1 });
});
