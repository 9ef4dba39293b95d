import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { PINNED_NODE, ROOT } from '../scripts/start/pinned-node.mjs';
import { DurableEventQueue } from '../src/server/events/durable-event-queue.ts';
import { createLog } from '../src/server/log.ts';
import { EventArchiver } from '../src/stores/archive.ts';
import { Clicks } from '../src/stores/clicks.ts';
import { CrawlerRequestCounts } from '../src/stores/crawler-requests.ts';
import { type EventStore, SqlEventStore } from '../src/stores/events.ts';
import { ARCHIVE_FOLDER, createFolderEventArchive } from '../src/stores/folder-archive.ts';
import { Rollups } from '../src/stores/rollups.ts';
import {
  createNodeSqliteReader,
  DATABASE_FILE,
  NodeSqliteExecutor,
} from '../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import { createFolder } from './support/create-folder.ts';
import { MemoryExecutor, openMemoryDatabase } from './support/memory-executor.ts';
import { openLedgerDatabase } from './support/node-databases.ts';
import { openEventStore } from './support/open-event-store.ts';
import { runCommand } from './support/run-command.ts';
import { SAMPLE_CLICK } from './support/sample-commissions.ts';
import { buildSampleEvent, buildSampleVisit } from './support/sample-events.ts';
import { seedLedger } from './support/seed-ledger.ts';
import { createTestLedger, readEntries } from './support/test-ledger.ts';

const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'events-command-'));
const at = (day: string) => Date.parse(`${day}T12:00:00Z`);

const events = [
  buildSampleEvent({ session: 'a', serverTime: at('2025-11-01'), label: '=1+1' }),
  buildSampleEvent({ session: 'b', serverTime: at('2025-11-02'), name: 'pricing_view' }),
  buildSampleEvent({ session: 'b', serverTime: at('2025-11-03'), data: { source: 'a,b' } }),
];

const run = (words: readonly string[], env: Record<string, string> = {}) =>
  runCommand('events', words, { DATA_DIR, ...env });

let store: EventStore;

// The store stays open, as it is while the site runs.
beforeAll(async () => {
  store = openEventStore(DATA_DIR);
  await store.append(events);
});

/** Opens a store with the same events, for a test that changes them. */
async function openOwn() {
  const env = { DATA_DIR: createFolder() };
  const own = openEventStore(env.DATA_DIR);
  onTestFinished(() => own.close());
  await own.append(events);
  return { own, env };
}
afterAll(async () => {
  await store.close();
  await rm(DATA_DIR, { recursive: true });
});

it('reports counts that include the newest events, as a table, CSV and JSON', async () => {
  const table = await run(['report', '--by', 'page']);
  expect(table).toEqual({
    code: 0,
    stderr: '',
    stdout: 'page   views  sessions  actions  clicks\n/blog      2         0        0       0\n',
  });
  const csv = await run(['report', '--by', 'day', '--format', 'csv', '--from', '2025-11-02']);
  expect(csv.stdout).toBe('day,views,sessions,actions,clicks\r\n2025-11-03,1,0,0,0\r\n');
  const json = await run(['report', '--by', 'campaign', '--format', 'json']);
  expect(JSON.parse(json.stdout)).toEqual({
    rows: [{ key: '', parts: ['', '', '', ''], views: 2, sessions: 0, actions: 0, clicks: 0 }],
    visits: { all: 0, without: 0 },
    clicks: { all: 0, without: 0 },
  });
});

it('says how many visits and clicks are without journey', async () => {
  const dir = createFolder();
  const own = openEventStore(dir);
  const source = { visit_channel: 'unknown', visit_source: 'without journey' };
  await own.append([
    buildSampleEvent({ data: { referrer: 'direct' } }),
    buildSampleEvent({ flags: ['gpc'], data: { entry: true, ...source } }),
    buildSampleEvent({ name: 'affiliate_redirect', flags: ['free'], data: source }),
  ]);
  await own.close();
  const { stdout } = await runCommand('events', ['report', '--by', 'source'], { DATA_DIR: dir });
  expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['source', 'views', 'sessions', 'actions', 'clicks'],
    ['unknown (without journey)', '1', '1', '0', '1'],
    ['unknown', '1', '1', '0', '0'],
    ['Without journey: 50% of the visits, 100% of the clicks.'],
    [''],
  ]);
});

it('reports the requests of crawlers by agent and by page', async () => {
  const executor = new NodeSqliteExecutor({
    file: path.join(DATA_DIR, DATABASE_FILE),
    report: () => undefined,
  });
  const count = { day: '2025-11-02', agent: 'GPTBot', page: '/blog', requests: 3, verified: 1 };
  await new CrawlerRequestCounts(executor).add([count, { ...count, agent: 'Googlebot', requests: 5 }]);
  await executor.close();
  const table = await run(['report', '--by', 'crawler']);
  expect(table.stdout.split('\n').map((line) => line.split(/ +/).join(' '))).toEqual([
    'agent operator kind requests verified last_day',
    'Googlebot Google search 5 1 2025-11-02',
    'GPTBot OpenAI training 3 1 2025-11-02',
    '',
  ]);
  const csv = await run(['report', '--by', 'crawled-page', '--format', 'csv', '--from', '2025-11-02']);
  expect(csv.stdout.split('\r\n').slice(0, 2)).toEqual([
    'page,agent,operator,kind,requests,verified,last_day',
    '/blog,Googlebot,Google,search,5,1,2025-11-02',
  ]);
  const json = await run(['report', '--by', 'crawler', '--format', 'json', '--to', '2025-11-01']);
  expect(JSON.parse(json.stdout)).toEqual({ rows: [] });
});

it('counts the stored events again, with the days of the time zone', async () => {
  const { env } = await openOwn();
  const zone = { ...env, TIME_ZONE: 'Pacific/Kiritimati' };
  expect((await run(['rebuild'], zone)).stdout).toBe('3 events counted\n');
  const days = await run(['report', '--by', 'day', '--format', 'csv'], zone);
  expect(days.stdout).toContain('2025-11-02,1,0,0,0\r\n2025-11-04,1,0,0,0');
  expect(await run(['rebuild'], { ...env, TIME_ZONE: 'Mars' })).toMatchObject({ code: 1 });
});

it('exports every event as one line of JSON', async () => {
  const { code, stdout } = await run(['export', '--all']);
  expect(code).toBe(0);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(events);
});

it('exports CSV', async () => {
  const lines = (await run(['export', '--all', '--format', 'csv'])).stdout.split('\r\n');
  expect(lines).toHaveLength(5);
  expect(lines[0]).toMatch(/^id,name,server_time,/);
  expect(lines[1]).toContain(",'=1+1,");
  expect(lines[3]).toContain('"{""source"":""a,b""}"');
});

it.each([
  [['count'], '3'],
  [['count', '--session', 'b'], '2'],
  [['count', '--name', 'pricing_view'], '1'],
  [['count', '--name', 'pricing_view', '--name', 'page_view'], '3'],
  [['count', '--from', '2025-11-02'], '2'],
  [['count', '--from', '2025-11-02', '--to', '2025-11-03T12:00:00Z'], '1'],
  [['count', '--to', '2025-11-01T13:00:00+01:00'], '0'],
  [['count', '--session', "' OR 1=1 --"], '0'],
])('%j gives %s', async (words, expected) => {
  expect(await run(words)).toEqual({ code: 0, stdout: `${expected}\n`, stderr: '' });
});

it('counts one click of a person, and with --all the flagged events of the same session too', async () => {
  const flags = [[], ['bot'], ['prefetch'], ['duplicate'], ['gpc', 'clock']] as const;
  await store.append(flags.map((list) => buildSampleEvent({ session: 'flagged', flags: list })));
  expect((await run(['count', '--session', 'flagged'])).stdout).toBe('2\n');
  expect((await run(['count', '--session', 'flagged', '--all'])).stdout).toBe('5\n');
  await store.remove({ session: 'flagged' });
});

it.each([
  [[], 'Name a command: export, count, report, rebuild, delete, prune, recover.'],
  [['exprot'], 'There is no command "exprot".'],
  [['help'], 'There is no command "help".'],
  [['count', 'all'], 'Unexpected argument "all".'],
  [['count', '--format', 'csv'], 'count does not take --format.'],
  [['delete', '--all'], 'delete does not take --all.'],
  [['export', '--format', 'xml'], '--format is ndjson or csv, not "xml".'],
  [['export', '--from', 'yesterday'], '--from is a time such as'],
  [['export', '--from', '2025-11-20T10:00:00'], '--from is a time such as'],
  [['export', '--to', '2025-13-45'], '--to is a time such as'],
  [['count', '--from', '2026-02-30'], '--from is a time such as'],
  [['count', '--from', '2025-02-29T10:00:00Z'], '--from is a time such as'],
  [['count', '--to', '2025-11-20T25:00:00Z'], '--to is a time such as'],
  [['export', '--name', 'page_veiw'], 'There is no event "page_veiw". Events: page_view,'],
  [['export', '--sesion', 'a'], "Unknown option '--sesion'"],
  [
    ['report'],
    'report requires --by page|placement|campaign|source|arrival|answer|partner|assessment|day|crawler|crawled-page.',
  ],
  [['report', '--by', 'color'], 'report requires --by page|'],
  [['report', '--by', 'page', '--format', 'xml'], '--format of a report is table, csv or json, not "xml".'],
  [['report', '--by', 'page', '--from', '2026-02-30'], '--from of a report is a day such as'],
  [['rebuild', '--all'], 'rebuild does not take --all.'],
  [['delete'], 'delete requires --session ID.'],
])('rejects the arguments %j with the reason and the usage', async (words, reason) => {
  const { code, stdout, stderr } = await run(words);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr.startsWith(reason)).toBe(true);
  expect(stderr).toContain('\n\nUsage:\n');
});

it.each([['--help'], ['-h'], ['count', '--help']])('shows the usage for %s', async (...words) => {
  const { code, stdout, stderr } = await run(words);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Usage:\n/);
});

it.each([
  ['2025-11-20', Date.UTC(2025, 10, 20)],
  ['2024-02-29', Date.UTC(2024, 1, 29)],
  ['2025-11-20T01:00Z', Date.UTC(2025, 10, 20, 1)],
  ['2025-11-20T01:00:00+01:00', Date.UTC(2025, 10, 20)],
  ['2025-11-20T01:00:00.5Z', Date.UTC(2025, 10, 20, 1, 0, 0, 500)],
])('reads the time %s', async (text, from) => {
  const session = `from ${text}`;
  await store.append([from - 1, from].map((serverTime) => buildSampleEvent({ session, serverTime })));
  expect((await run(['count', '--session', session])).stdout).toBe('2\n');
  expect((await run(['count', '--session', session, '--from', text])).stdout).toBe('1\n');
  await store.remove({ session });
});

it.each([
  [{ DATA_DIR: '/nowhere' }, 'There are no events at /nowhere/events.sqlite'],
  [{ RETENTION_MONTHS: 'many' }, 'RETENTION_MONTHS'],
])('the setting %j is explained', async (env, message) => {
  const { code, stderr } = await run(['count'], env);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('    at ');
});

it('explains a file that is no event store, and leaves it as it is', async () => {
  const dir = mkdtempSync(path.join(DATA_DIR, 'other-'));
  writeFileSync(path.join(dir, 'events.sqlite'), 'a text file, not a database');
  const { code, stderr } = await run(['export'], { DATA_DIR: dir });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^\[events\] \[sql\] file is not a database/);
});

it('ends quietly when its reader has enough', { tags: ['rest'] }, async () => {
  await store.append(Array.from({ length: 3_000 }, () => buildSampleEvent({ session: 'many' })));
  const child = spawn(PINNED_NODE, ['src/commands/main.ts', 'events', 'export'], {
    cwd: ROOT,
    env: { DATA_DIR },
  });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  expect(await once(child, 'exit')).toEqual([0, null]);
  await store.remove({ session: 'many' });
});

it('deletes the events of a session', async () => {
  const { own, env } = await openOwn();
  expect(await run(['delete', '--session', 'b'], env)).toEqual({
    code: 0,
    stdout: '2 events removed\n',
    stderr: '',
  });
  expect(await own.count({})).toBe(1);
});

it('prunes what is past its retention, and more than a month of it only when forced', async () => {
  const { own, env } = await openOwn();
  await own.append([buildSampleEvent({ serverTime: Date.now() })]);
  await own.append([buildSampleEvent({ serverTime: Date.now() - 40 * 86_400_000 })]);
  const refused = await run(['prune'], { ...env, RETENTION_MONTHS: '1' });
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('npm run -s signpost -- events prune --force');
  const { stdout } = await run(['prune', '--force'], { ...env, RETENTION_MONTHS: '1' });
  expect(Number.parseInt(stdout, 10)).toBeGreaterThanOrEqual(1);
  const left = await run(['count', '--to', new Date(Date.now() - 39 * 86_400_000).toISOString()], env);
  expect(left.stdout).toBe('0\n');
  expect(await own.count({})).toBeGreaterThanOrEqual(1);
});

it('exports, counts and deletes archived events like those in the database', async () => {
  const dataDir = createFolder();
  const executor = new NodeSqliteExecutor({
    file: path.join(dataDir, DATABASE_FILE),
    report: () => undefined,
  });
  const store = new SqlEventStore(executor);
  await store.append([
    ...events,
    buildSampleEvent({ session: 'a', serverTime: at('2025-11-01'), flags: ['bot'] }),
  ]);
  while ((await new Rollups(executor, 'UTC').advance()) > 0);
  const archiver = new EventArchiver(executor, createFolderEventArchive(path.join(dataDir, ARCHIVE_FOLDER)));
  expect(await archiver.archiveBefore(at('2025-11-03'))).toBe(3);
  expect(await store.count({ all: true })).toBe(1);
  await store.close();
  const env = { DATA_DIR: dataDir };
  const exported = await run(['export'], env);
  expect(exported.stderr).toBe('');
  expect(
    exported.stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toEqual(events);
  expect((await run(['count', '--all'], env)).stdout).toBe('4\n');
  expect((await run(['delete', '--session', 'a'], env)).stdout).toBe('2 events removed\n');
  expect((await run(['count', '--all'], env)).stdout).toBe('2\n');
  expect((await run(['prune', '--force'], { ...env, RETENTION_MONTHS: '1' })).stdout).toContain(
    '1 files removed from the archive',
  );
});

it('deletes a visitor everywhere: events, the journey of a commission, and the logs of the databases', async () => {
  const dataDir = createFolder();
  const campaign = { utm_source: 'deleted-source', gclid: 'deleted-gclid' };
  const data = { entry_page: '/deleted-page', 'ax.businessType': 'deleted-answer' };
  const visit = buildSampleVisit(SAMPLE_CLICK).map((event) => ({
    ...event,
    session: 'deleted',
    campaign,
    data: { ...event.data, ...data },
  }));
  await seedLedger(dataDir, visit, [{ nativeId: 'c1', token: SAMPLE_CLICK }]);
  // The site runs.
  const store = openEventStore(dataDir);
  const { ledger } = openLedgerDatabase(dataDir, () => undefined);
  await store.append([buildSampleEvent({ session: 'stays' })]);
  const commissions = createTestLedger({
    store: ledger,
    clicks: new Clicks(new MemoryExecutor(openMemoryDatabase())),
  });
  const readJourney = async () => (await readEntries(commissions))[0]?.journey;
  expect(JSON.stringify(await readJourney())).toContain('deleted-gclid');
  const { stdout } = await run(['delete', '--session', 'deleted'], { DATA_DIR: dataDir });
  expect(stdout).toMatch(/events removed\n1 journeys removed from commissions/);
  expect(await readJourney()).toMatchObject({
    clickId: SAMPLE_CLICK,
    page: '/pricing',
    touches: [],
    pages: [],
  });
  const findTraces = () =>
    readdirSync(dataDir).filter((name) =>
      readFileSync(path.join(dataDir, name), 'latin1').includes('deleted-'),
    );
  expect(findTraces()).toEqual([]);
  await Promise.all([store.close(), ledger.close()]);
  expect(findTraces()).toEqual([]);
});

it('leaves nothing that was deleted in the log when the site stops, also beside another connection', async () => {
  const dataDir = createFolder();
  const file = path.join(dataDir, DATABASE_FILE);
  const store = openEventStore(dataDir);
  await store.append([buildSampleEvent({ session: 's', label: 'deleted-label' })]);
  const other = createNodeSqliteReader(file, () => undefined, true);
  await other.query({ sql: 'SELECT count(*) FROM events' });
  await store.count({});
  await store.remove({ session: 's' });
  await store.close();
  const files = [file, `${file}-wal`].filter(existsSync);
  expect(files.filter((name) => readFileSync(name, 'latin1').includes('deleted-label'))).toEqual([]);
  await other.close();
});

it('recovers the events of a log, each once, and names lines that it cannot read', async () => {
  const dir = createFolder();
  const log = path.join(dir, 'site.log');
  const own = openEventStore(dir);
  const [known, ...lost] = Array.from({ length: 300 }, (_, index) =>
    buildSampleEvent({ label: `click ${index}` }),
  );
  await own.append(known === undefined ? [] : [known]);
  const lines: string[] = [];
  const queue = new DurableEventQueue({
    name: 'clicks',
    newId: randomUUID,
    budgetMs: 0,
    store: { append: () => Promise.reject(new Error('the disk is full')) },
    log: createLog((line) => lines.push(line), Date.now),
  });
  for (const event of [known, ...lost]) if (event !== undefined) await queue.add(event);
  await queue.close(0);
  const prefixed = lines.map((line, index) =>
    index % 2 === 0 ? line : `Nov 25 04:00:00 host node[17]: ${line}`,
  );
  writeFileSync(log, `started\n${prefixed.join('')}`);
  const recover = () => runCommand('events', ['recover', log], { DATA_DIR: dir });
  expect(await recover()).toEqual({
    code: 0,
    stderr: '',
    stdout: '299 events stored, 1 were stored already\n',
  });
  expect((await recover()).stdout).toBe('0 events stored, 300 were stored already\n');
  expect(await own.count({ all: true })).toBe(300);

  const next = JSON.stringify({ message: 'clicks: event not stored', event: buildSampleEvent() });
  const cut = '{"message":"clicks: event not stored","event":{"id":"';
  const wrong = JSON.stringify({
    message: 'clicks: event not stored',
    event: { ...buildSampleEvent(), name: 'x' },
  });
  writeFileSync(log, [cut, 'no JSON', wrong, next].join('\n'));
  const { code, stderr } = await recover();
  expect(code).toBe(1);
  expect(stderr).toContain(
    '1 events stored, 0 were stored already\n2 lines have an event that cannot be read:\n',
  );
  expect(stderr).toMatch(/line 1: [^\n]*\nline 3: /);
  expect(await own.count({ all: true })).toBe(301);
  await own.close();
});

it.each([
  [['recover'], 'recover requires LOG.'],
  [['recover', '/nowhere/site.log'], 'There is no file /nowhere/site.log.'],
  [['recover', 'a', 'b'], 'Unexpected argument "b".'],
  [['count', 'a'], 'Unexpected argument "a".'],
])('%j explains what is wrong', async (words, reason) => {
  expect(await run(words)).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
});
