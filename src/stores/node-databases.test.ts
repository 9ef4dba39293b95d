import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import { openLedgerDatabase, openOperatorStore } from '../../test/support/node-databases.ts';
import { buildSampleFact } from '../../test/support/sample-commissions.ts';
import { CAPABILITIES } from '../core/console/capabilities.ts';
import { findFolderProblems } from './data-folder.ts';
import { CONSOLE_FILE, LEDGER_FILE, OUTBOX_FILE } from './node-databases.ts';
import { DATABASE_FILE, NodeSqliteExecutor } from './sql/node-sqlite/node-sqlite-executor.ts';
import { confirmDamage, findDamage } from './sql/quarantine.ts';

/** A folder with a ledger of one fact, which is closed. */
async function setUp() {
  const dir = createFolder();
  const reports: string[] = [];
  const open = () => {
    const { ledger: store } = openLedgerDatabase(dir, (message) => reports.push(message), { lockWaitMs: 50 });
    onTestFinished(() => store.close().catch(() => undefined));
    return store;
  };
  const store = open();
  await store.append({ facts: [buildSampleFact()] });
  await store.close();
  return { dir, file: path.join(dir, LEDGER_FILE), reports, open };
}

it('reports that a ledger was created, and leaves no other file', async () => {
  const { dir, reports, open } = await setUp();
  expect(reports).toEqual([expect.stringContaining('did not exist and was created')]);
  const store = open();
  expect(await store.readFacts()).toHaveLength(1);
  expect(reports).toHaveLength(1);
  await store.close();
  expect(
    readdirSync(dir).filter((name) => !name.startsWith(LEDGER_FILE) || name.endsWith('.partial')),
  ).toEqual([]);
});

it.each([
  ['alone', []],
  ['with its log', ['-wal', '-shm']],
])('refuses a ledger whose file is gone %s after a restart, until it is back', async (_, others) => {
  const { dir, file, open } = await setUp();
  const away = path.join(createFolder(), 'away');
  renameSync(file, away);
  for (const suffix of others) writeFileSync(file + suffix, suffix === '-wal' ? 'x'.repeat(100) : '');
  const store = open();
  expect(store.exists()).toBe(true);
  await expect(store.readState('postback-key')).rejects.toMatchObject({ code: 'unavailable' });
  await expect(store.append({ facts: [buildSampleFact({ nativeId: '2' })] })).rejects.toMatchObject({
    message: expect.stringContaining('is gone'),
  });
  expect(await store.probe()).toContain('is gone');
  expect(existsSync(file)).toBe(false);
  for (const suffix of others) rmSync(file + suffix);
  renameSync(away, file);
  expect(await store.append({ facts: [buildSampleFact({ nativeId: '2' })] })).toMatchObject({ stored: 1 });
  // Who wants to begin with an empty one removes the mark too.
  await store.close();
  for (const name of readdirSync(dir)) rmSync(path.join(dir, name));
  expect(open().exists()).toBe(false);
});

it.each([
  ['is no database', (file: string) => writeFileSync(file, 'x'.repeat(8_192))],
  ['is empty', (file: string) => writeFileSync(file, '')],
  [
    'has a damaged page',
    (file: string) => {
      const bytes = readFileSync(file);
      bytes.fill(0xff, 4_096, 3 * 4_096);
      writeFileSync(file, bytes);
    },
  ],
])('refuses a ledger that %s, changes nothing, and works again once it is restored', async (_, damage) => {
  const { dir, file, reports, open } = await setUp();
  const backup = path.join(dir, 'backup');
  copyFileSync(file, backup);
  damage(file);
  const damaged = readFileSync(file);
  const store = open();
  await expect(store.append({ facts: [buildSampleFact({ nativeId: '2' })] })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('restored from a backup'),
  });
  expect(await store.probe()).toContain('is damaged');
  await expect(store.readFacts()).rejects.toMatchObject({ code: 'unavailable' });
  expect(reports.join()).toContain('is damaged');
  expect(readFileSync(file).equals(damaged)).toBe(true);
  expect(readdirSync(dir).filter((name) => name.includes('quarantine'))).toEqual([]);

  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  renameSync(backup, file);
  const append = () => store.append({ facts: [buildSampleFact({ nativeId: '2' })] }).catch(() => null);
  await expect.poll(append).toMatchObject({ stored: 1 });
  expect(await store.readFacts()).toHaveLength(2);
});

it('refuses a ledger that a newer program has changed while it was open, until it is as it was', async () => {
  const { file, open } = await setUp();
  const store = open();
  const append = (nativeId: string) => store.append({ facts: [buildSampleFact({ nativeId })] });
  expect(await append('2')).toMatchObject({ stored: 1 });
  expect(await store.readFacts()).toHaveLength(2);
  const setVersion = (version: number) => {
    const db = new DatabaseSync(file);
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
  };
  const db = new DatabaseSync(file, { readOnly: true });
  const known = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
  db.close();
  setVersion(known + 1);
  const newer = { message: expect.stringContaining('use the newer program') };
  await expect(append('3')).rejects.toMatchObject(newer);
  await expect(store.readFacts()).rejects.toMatchObject(newer);
  expect(await store.probe()).toContain('use the newer program');
  setVersion(known);
  await expect.poll(() => append('3').catch(() => null)).toMatchObject({ stored: 1 });
  expect(await store.readFacts()).toHaveLength(3);
});

it('replaces a database whose index differs from its table, which a quick check does not see', async () => {
  const file = path.join(createFolder(), 'events.sqlite');
  const db = new DatabaseSync(file);
  db.exec(`CREATE TABLE one (key TEXT, id INTEGER); CREATE INDEX keys ON one (key);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
    INSERT INTO one SELECT 'unique-key-' || i, i FROM n`);
  const { rootpage } = Object(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'keys'").get());
  db.close();
  const bytes = readFileSync(file);
  const at = bytes.indexOf('unique-key-250', (Number(rootpage) - 1) * 4096);
  bytes[at] = 'v'.charCodeAt(0);
  writeFileSync(file, bytes);
  expect(findDamage(file)).toBeNull();
  const damaged = Object.assign(new Error('malformed'), { code: 'ERR_SQLITE_ERROR', errcode: 11 });
  expect(confirmDamage(file, damaged)?.message).toContain('missing from index');
});

it('refuses to go on without a ledger that was moved away while in use', async () => {
  const { file, open } = await setUp();
  const store = open();
  await store.readFacts();
  renameSync(file, `${file}.moved`);
  const append = () => store.append({ facts: [buildSampleFact({ nativeId: '2' })] });
  await expect(append()).rejects.toThrow('was moved or deleted while in use');
  await expect(append()).rejects.toThrow('was moved or deleted while in use');
  expect(existsSync(file)).toBe(false);
  renameSync(`${file}.moved`, file);
  expect((await append()).stored).toBe(1);
});

it('refuses facts while another process has locked the ledger', async () => {
  const { file, open } = await setUp();
  const store = open();
  await store.readFacts();
  const other = new DatabaseSync(file);
  other.exec('BEGIN EXCLUSIVE');
  await expect(store.append({ facts: [buildSampleFact({ nativeId: '2' })] })).rejects.toThrow('locked');
  other.exec('ROLLBACK');
  other.close();
  expect((await store.append({ facts: [buildSampleFact({ nativeId: '2' })] })).stored).toBe(1);
});

it('reads as empty before the first write creates the file, here or in another process', async () => {
  const dir = createFolder();
  const open = () => {
    const opened = openLedgerDatabase(dir, () => undefined);
    onTestFinished(() => opened.ledger.close());
    return opened;
  };
  const [{ ledger, analytics }, other] = [open(), open()];
  expect(await ledger.readFacts()).toEqual([]);
  expect(await ledger.readState('key')).toBeNull();
  expect(await ledger.removeRaw(Date.now())).toBe(0);
  expect(await ledger.probe()).toBeNull();
  expect(await analytics.claim(Date.now())).toBeNull();
  expect(await analytics.count()).toEqual({});
  expect([ledger.exists(), readdirSync(dir)]).toEqual([false, []]);

  await other.ledger.append({ facts: [buildSampleFact()] });
  expect(ledger.exists()).toBe(true);
  expect(await ledger.readFacts()).toHaveLength(1);
});

it('lets nothing change or remove a stored fact', async () => {
  const { file } = await setUp();
  const database = new DatabaseSync(file);
  expect(() => database.exec('UPDATE facts SET amount = 0')).toThrow('facts are not changed');
  expect(() => database.exec('DELETE FROM facts')).toThrow('facts are not removed');
  database.close();
});

it('a damaged database is refused and left as it is, never replaced by an empty one', async () => {
  const folder = createFolder();
  const file = path.join(folder, CONSOLE_FILE);
  const store = openOperatorStore(folder, () => undefined);
  await store.readOperators();
  await store.close();
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  const damage = Buffer.alloc(8_192, 'x');
  writeFileSync(file, damage);
  const damaged = openOperatorStore(folder, () => undefined);
  await expect(damaged.readOperators()).rejects.toMatchObject({ code: 'unavailable' });
  await expect(damaged.removeShareLink('x')).rejects.toMatchObject({ code: 'unavailable' });
  await damaged.close();
  expect(readFileSync(file)).toEqual(damage);
});

interface UsedDatabase {
  readonly name: string;
  readonly file: string;
  readonly migrations: string;
  readonly isReplaceable: boolean;
  /** Stores a text under a key. */
  readonly write: string;
  readonly keys: string;
}

const DATABASES: readonly UsedDatabase[] = [
  {
    name: 'events',
    file: DATABASE_FILE,
    migrations: '',
    isReplaceable: true,
    write: 'INSERT INTO contact_message_states (id, state, changed_at) VALUES (?, ?, 0)',
    keys: 'SELECT id AS key FROM contact_message_states WHERE state <> ?',
  },
  {
    name: 'commissions',
    file: LEDGER_FILE,
    migrations: 'commissions',
    isReplaceable: false,
    write: 'INSERT INTO state (key, value) VALUES (?, ?)',
    keys: 'SELECT key FROM state WHERE value <> ?',
  },
  {
    name: 'console',
    file: CONSOLE_FILE,
    migrations: 'console',
    isReplaceable: false,
    write: 'INSERT INTO preferences (name, value) VALUES (?, ?)',
    keys: 'SELECT name AS key FROM preferences WHERE value <> ?',
  },
  {
    name: 'notifications',
    file: OUTBOX_FILE,
    migrations: 'notifications',
    isReplaceable: true,
    write: 'INSERT INTO state (key, value) VALUES (?, ?)',
    keys: 'SELECT key FROM state WHERE value <> ?',
  },
];

/** Overwrites a part of a file with bytes of the same length; shares are of its length. */
function overwrite(file: string, from: number, to: number): void {
  const { size } = statSync(file);
  const handle = openSync(file, 'r+');
  const start = Math.floor(size * from);
  const bytes = Buffer.alloc(Math.max(100, Math.floor(size * (to - from))), 0xa5);
  writeSync(handle, bytes, 0, bytes.length, start);
  closeSync(handle);
}

/** An open database with a page of everything in its file, and some of them, the first too, in its log. */
async function useDatabase({ file: name, migrations, isReplaceable, write }: UsedDatabase) {
  const file = path.join(createFolder(), name);
  const reports: string[] = [];
  const report = (message: string) => void reports.push(message);
  const open = () => {
    // One of them with threads, the others without.
    const isInline = name !== DATABASE_FILE;
    const executor = new NodeSqliteExecutor({ file, report, migrations, isReplaceable, isInline });
    onTestFinished(() => executor.close().catch(() => undefined));
    return executor;
  };
  const executor = open();
  const fill = (start: number, count: number) =>
    executor.batch(
      Array.from({ length: count }, (_, i) => ({
        sql: write,
        values: [`row ${start + i}`, 'x'.repeat(1_000)],
      })),
    );
  await fill(0, 300);
  const other = new DatabaseSync(file);
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
  await fill(300, 60);
  return { file, reports, open, executor };
}

describe.each(DATABASES)('a database of $name that is overwritten while in use', (database) => {
  const { write, keys, isReplaceable } = database;
  it.each([
    ['as a whole', 0, 1],
    ['in its middle', 0.4, 0.6],
    ['in its header', 0, 0],
  ])('is noticed before the next batch is acknowledged: %s', async (_, from, to) => {
    const { file, reports, open, executor } = await useDatabase(database);
    overwrite(file, from, to);
    const later = Array.from({ length: 5 }, (_, i) => `later ${i}`);
    const store = (key: string) => executor.batch([{ sql: write, values: [key, 'y'] }]);
    if (!isReplaceable) await expect(store('refused')).rejects.toThrow('restored from a backup');
    const results = await Promise.allSettled(later.map(store));
    const acknowledged = later.filter((_, index) => results[index]?.status === 'fulfilled');
    await executor.close();
    // A header that is in the log too is written again when the database is closed: it can be used again.
    if (isReplaceable || acknowledged.length > 0) {
      const rows = await open().query({ sql: keys, values: ['x'] });
      expect(rows.map(({ key }) => key)).toEqual(expect.arrayContaining(acknowledged));
    }
    if (isReplaceable) expect(acknowledged).toEqual(later);
    expect(reports.join()).toMatch(isReplaceable ? 'cannot be used' : 'is damaged');
  });

  it('is replaced or refused once a reader finds the damage', async () => {
    const { file, reports, executor } = await useDatabase(database);
    const time = new Date(2020, 1, 1);
    utimesSync(file, time, time);
    await executor.batch([{ sql: write, values: ['earlier', 'y'] }]);
    // A disk that loses bytes changes no time.
    overwrite(file, 0.4, 0.6);
    utimesSync(file, time, time);
    await expect(executor.query({ sql: keys, values: ['x'] })).rejects.toMatchObject({ code: 'unavailable' });
    const append = executor.batch([{ sql: write, values: ['later', 'y'] }]);
    if (isReplaceable) await append;
    else await expect(append).rejects.toThrow('restored from a backup');
    expect(reports.join()).toMatch(isReplaceable ? 'cannot be used' : 'is damaged');
  });
});

/** SQLite reports a page that cannot be read as damage, and in `quick_check` as a line. `times`: how often; always when left out. */
function failReads(file: string, times = Number.POSITIVE_INFINITY) {
  const { prepare } = DatabaseSync.prototype;
  let left = times;
  const malformed = Object.assign(new Error('database disk image is malformed'), { errcode: 11 });
  const spy = vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (
    this: DatabaseSync,
    sql: string,
  ) {
    const isCheck = sql.includes('quick_check');
    if (this.location() !== file || left <= 0 || !/quick_check|INSERT|SELECT/.test(sql))
      return prepare.call(this, sql);
    left -= 1;
    if (!isCheck) throw malformed;
    const line = 'Tree 2 page 5 cell 3: unable to get the page. error code=8458';
    const statement = prepare.call(this, sql);
    vi.spyOn(statement, 'iterate').mockReturnValue([{ quick_check: line }].values());
    return statement;
  });
  onTestFinished(() => spy.mockRestore());
  return () => spy.mockRestore();
}

const isLedger = ({ name }: UsedDatabase) => name === 'commissions';
const UNREADABLE = 'a database of $name whose disk cannot be read';
describe.each(DATABASES.filter(isLedger))(UNREADABLE, tryUnreadable);
describe.each(DATABASES.filter((one) => !isLedger(one)))(UNREADABLE, { tags: ['rest'] }, tryUnreadable);

function tryUnreadable(database: UsedDatabase): void {
  const { file: name, migrations, isReplaceable, write, keys } = database;
  const open = async () => {
    const file = path.join(createFolder(), name);
    const reports: string[] = [];
    const report = (message: string) => void reports.push(message);
    const openExecutor = () => {
      const executor = new NodeSqliteExecutor({ file, report, migrations, isReplaceable, isInline: true });
      onTestFinished(() => executor.close().catch(() => undefined));
      return executor;
    };
    const first = openExecutor();
    await first.batch([{ sql: write, values: ['before', 'y'] }]);
    const store = (executor: NodeSqliteExecutor, key: string) =>
      executor.batch([{ sql: write, values: [key, 'y'] }]);
    const read = async (executor: NodeSqliteExecutor) =>
      (await executor.query({ sql: keys, values: ['x'] })).map(({ key }) => key);
    const moved = () => readdirSync(path.dirname(file)).filter((one) => one.includes('quarantine'));
    return { file, reports, openExecutor, first, store, read, moved };
  };

  it('goes on after one error, at the start, in a write and in a check of its pages', async () => {
    const { file, openExecutor, first, store, read, moved } = await open();
    await first.close();
    for (let count = 1; count <= 6; count++) {
      const heal = failReads(file, count);
      const executor = openExecutor();
      await expect.poll(() => store(executor, `later ${count}`).catch(() => null)).not.toBeNull();
      heal();
      expect(await read(executor)).toHaveLength(count + 1);
      await executor.close();
    }
    expect(moved()).toEqual([]);
  });

  it('is unavailable while it lasts, says nothing of a backup, and has every row afterward', async () => {
    const { file, reports, openExecutor, first, store, read, moved } = await open();
    await first.close();
    const heal = failReads(file);
    const second = openExecutor();
    for (const key of ['refused', 'refused again']) {
      const error = await store(second, key).catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('cannot be read'),
      });
      expect(String(error)).not.toContain('backup');
    }
    await expect(read(second)).rejects.toMatchObject({ code: 'unavailable' });
    expect(reports.join()).not.toMatch(/backup|quarantine-/);
    heal();
    await expect.poll(() => store(second, 'later').catch(() => null)).not.toBeNull();
    expect(await read(second)).toEqual(expect.arrayContaining(['before', 'later']));
    expect(moved()).toEqual([]);
  });
}

it('opens operators of an earlier version, with their sessions, open invitations and share links', async () => {
  const dir = createFolder();
  const database = new DatabaseSync(path.join(dir, CONSOLE_FILE));
  const migrations = path.resolve(import.meta.dirname, '../../migrations/console');
  for (const name of readdirSync(migrations).sort().slice(0, 3))
    database.exec(readFileSync(path.join(migrations, name), 'utf8'));
  database.exec(`PRAGMA user_version = 3;
    INSERT INTO operators VALUES ('o-1', 'Ada', 'ada', 'owner', 'hash', 'u', 1), ('o-2', 'Bob', 'bob', 'owner', 'hash', 'u', 2);
    INSERT INTO sessions VALUES ('s-1', 'session-1', 'o-1', 'Firefox', 1, 1);
    INSERT INTO operators VALUES ('o-3', 'Vic', 'vic', 'viewer', 'hash', 'u', 3);
    INSERT INTO setups VALUES ('setup-1', 'invite Eve', NULL, 'Eve', 'viewer', 9);
    INSERT INTO share_links VALUES ('l-1', 'link-1', 'pages', '', '', 'Ada', 1, 9), ('l-2', 'link-2', 'pages', '', '', 'Bob', 1, 9)`);
  database.close();
  const store = openOperatorStore(dir, () => undefined);
  onTestFinished(() => store.close());
  expect((await store.findSession('session-1'))?.session.confirmedAt).toBeNull();
  expect(await store.findSetup('setup-1', 1)).toMatchObject({
    name: 'Eve',
    createdBy: '',
    capabilities: ['money'],
  });
  expect((await store.readOperators()).map(({ capabilities }) => capabilities)).toEqual([
    CAPABILITIES,
    CAPABILITIES,
    ['money'],
  ]);
  expect(await store.removeOperator('o-2')).toBe(true);
  expect((await store.readShareLinks(1)).map(({ id }) => id)).toEqual(['l-1']);
});

it.each([
  ['events', DATABASE_FILE, undefined],
  ['ledger', LEDGER_FILE, 'commissions'],
  ['console', CONSOLE_FILE, 'console'],
  ['outbox', OUTBOX_FILE, 'notifications'],
])(
  'an older program neither reads nor changes the %s of a newer one, and works once it is gone',
  async (...[, name, migrations]) => {
    const dir = createFolder();
    const file = path.join(dir, name);
    const open = () => {
      const options = {
        file,
        report: () => undefined,
        ...(migrations && { migrations }),
        isReplaceable: true,
      };
      const executor = new NodeSqliteExecutor(options);
      onTestFinished(() => executor.close());
      return executor;
    };
    const first = open();
    await first.query({ sql: 'SELECT 1' });
    await first.close();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE); CREATE TABLE later (a)');
    // As a killed process leaves it, with a commit in its log.
    const [killed, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
    db.close();
    writeFileSync(file, killed);
    writeFileSync(`${file}-wal`, log);
    const before = readFileSync(file);
    const files = readdirSync(dir);
    const older = open();
    const expected = { code: 'unavailable', message: expect.stringContaining('use the newer program') };
    await expect(older.query({ sql: 'SELECT 1' })).rejects.toMatchObject(expected);
    await expect(older.batch([{ sql: 'CREATE TABLE t (a)' }])).rejects.toMatchObject(expected);
    await older.close();
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);
    expect(readdirSync(dir).filter((one) => !one.endsWith('-shm'))).toEqual(files);
  },
);

it('notes the rows that are stored, and says at the start which ones a lost log has taken, once', async () => {
  const { dir, file, reports, open } = await setUp();
  const kept = readFileSync(file);
  const store = open();
  for (const nativeId of ['2', '3', '4']) await store.append({ facts: [buildSampleFact({ nativeId })] });
  await store.close();
  expect(JSON.parse(readFileSync(`${file}.created`, 'utf8'))).toMatchObject({ facts: 4 });
  // As after a copy of the file alone was put back.
  writeFileSync(file, kept);
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  reports.length = 0;
  for (let starts = 0; starts < 2; starts++) {
    const again = open();
    expect(await again.readFacts()).toHaveLength(1);
    await again.close();
  }
  expect(reports).toEqual([expect.stringContaining('facts ends at 1, had 4')]);
  const [short = ''] = readdirSync(dir).filter((name) => name.includes('.short-'));
  const problems = await findFolderProblems(dir, process.getuid?.());
  expect(problems).toMatchObject([
    {
      key: `short:${short}`,
      title: 'commissions.sqlite lacks what it had',
      detail: expect.stringContaining('facts ends at 1, had 4'),
    },
  ]);
});

it.skipIf(process.platform !== 'linux').each([true, false])(
  'closes every connection to a database that can be read alone, since they share the index of its log (inline: %s)',
  async (isInline) => {
    const file = path.join(createFolder(), 'a.sqlite');
    const options = { file, report: () => undefined, isInline };
    const [writer, other] = [new NodeSqliteExecutor(options), new NodeSqliteExecutor(options)];
    onTestFinished(() => Promise.all([writer.close(), other.close()]).then(() => undefined));
    const write = (sql: string) => writer.batch([{ sql }]);
    await write('CREATE TABLE numbers (number)');
    await other.query({ sql: 'SELECT * FROM numbers' });
    // As after an index that could not be opened for writing.
    await write('PRAGMA query_only = ON');
    await expect(write('INSERT INTO numbers VALUES (1)')).rejects.toMatchObject({ code: 'unavailable' });
    const isOpen = (descriptor: string) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`) === file;
      } catch {
        return false;
      }
    };
    await expect.poll(() => readdirSync('/proc/self/fd').filter(isOpen)).toEqual([]);
    await write('INSERT INTO numbers VALUES (1)');
    expect(await other.query({ sql: 'SELECT * FROM numbers' })).toEqual([{ number: 1 }]);
  },
);
