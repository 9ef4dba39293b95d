/** @module-tag rest */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { applyProposals, listRefusals } from '../scripts/build/propose-content.ts';
import { PINNED_NODE, ROOT } from '../scripts/start/pinned-node.mjs';
import { FOLD_VERSION } from '../src/core/commissions/ledger/fold-commission.ts';
import { CommissionFold } from '../src/server/commissions/commission-fold.ts';
import { UNCOPIED_TABLES } from '../src/stores/copied-data.ts';
import { migrate } from '../src/stores/sql/migrate.ts';
import { copyContent } from './support/content-copy.ts';
import { createFolder } from './support/create-folder.ts';
import { openLedgerDatabase } from './support/node-databases.ts';

const PROGRAM = path.join(ROOT, 'scripts/upgrade.mjs');

const findMigrations = (root: string, name: string) =>
  path.join(root, 'migrations', name === 'events' ? '' : name);
const listNames = (db: DatabaseSync, sql: string) =>
  db
    .prepare(sql)
    .all()
    .map(({ name }) => String(name));
const listTables = (db: DatabaseSync) =>
  listNames(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'");
const listColumns = (db: DatabaseSync, table: string) =>
  listNames(db, `SELECT name FROM pragma_table_info('${table}')`);

/**
 * A database of this version with rows in each table, which its log alone has yet. The last event is gone, as one of a
 * visitor who deletes a visit. Beside it the migrations of a version that knows an earlier format.
 */
function createNewer(name: string, format: number) {
  const folder = createFolder();
  const before = path.join(folder, 'before');
  const db = new DatabaseSync(path.join(folder, `${name}.sqlite`));
  onTestFinished(() => db.close());
  db.exec('PRAGMA journal_mode = WAL');
  migrate(db, findMigrations(ROOT, name));
  for (const table of listTables(db)) {
    const columns = db.prepare('SELECT name, type FROM pragma_table_info(?)').all(table);
    const insert = db.prepare(`INSERT OR REPLACE INTO ${table} (${columns.map(({ name }) => name).join()})
      VALUES (${columns.map(() => '?').join()})`);
    const { sql } = Object(db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(table));
    const isSingle = String(sql).includes('CHECK (id = 1)');
    for (const row of isSingle ? [1] : [1, 2, 3]) {
      const texts = { TEXT: `[${row}]`, BLOB: Buffer.from([row]) };
      insert.run(...columns.map(({ type }) => texts[String(type) as keyof typeof texts] ?? row));
    }
  }
  if (name === 'events') db.exec('DELETE FROM events WHERE seq = 3');
  cpSync(path.join(ROOT, 'migrations'), path.join(before, 'migrations'), { recursive: true });
  const migrations = findMigrations(before, name);
  for (const file of readdirSync(migrations))
    if (Number(/^\d{4}(?=_)/.exec(file)?.[0] ?? 0) > format) rmSync(path.join(migrations, file));
  const run = () => spawnSync(PINNED_NODE, [PROGRAM, '--older', folder, before], { encoding: 'utf8' });
  return { db, run, migrations, target: path.join(folder, 'older', `${name}.sqlite`) };
}

/** What databases have in the tables and columns of all, and where numbered tables go on counting. */
function readCommon(databases: readonly DatabaseSync[], isRead = (_table: string) => true) {
  const [one, ...others] = databases;
  if (one === undefined) return [];
  const tables = listTables(one).filter(
    (table) => isRead(table) && others.every((db) => listTables(db).includes(table)),
  );
  const isNumbered =
    listNames(one, "SELECT name FROM sqlite_schema WHERE name = 'sqlite_sequence'").length > 0;
  return databases.map((db) =>
    tables.map((table) => {
      const columns = listColumns(one, table)
        .filter((column) => others.every((other) => listColumns(other, table).includes(column)))
        .join();
      const rows = db.prepare(`SELECT ${columns} FROM ${table} ORDER BY ${columns}`).all();
      const sql = 'SELECT seq FROM sqlite_sequence WHERE name = ?';
      return { table, rows, number: isNumbered && db.prepare(sql).get(table) };
    }),
  );
}

it.each([
  ...[8, 9, 10, 11, 12].map((format) => ['commissions', format] as const),
  ...[10, 11].map((format) => ['events', format] as const),
  ...[9, 10].map((format) => ['console', format] as const),
])(
  '%s gets format %i of an earlier version, and that of this one again, with every row and number',
  (name, format) => {
    const { db, run, target } = createNewer(name, format);
    const { status, stdout, stderr } = run();
    expect([status, stdout, stderr]).toEqual([0, `${name}\n`, '']);
    const [older, plain] = [new DatabaseSync(target), new DatabaseSync(':memory:')];
    onTestFinished(() => [older, plain].forEach((one) => void one.close()));
    migrate(plain, findMigrations(ROOT, name), format);
    for (const sql of ['PRAGMA user_version', 'SELECT name, sql FROM sqlite_schema ORDER BY name'])
      expect(older.prepare(sql).all()).toEqual(plain.prepare(sql).all());
    const [expected = [], found] = readCommon([db, older]);
    expect(expected.filter(({ rows }) => rows.length === 0)).toEqual([]);
    expect(found).toEqual(expected);
    migrate(older, findMigrations(ROOT, name));
    // What is folded from messages is marked to be folded again.
    const [before, after] = readCommon(
      [db, older, plain],
      (table) => !UNCOPIED_TABLES.has(`${name}.${table}`),
    );
    expect(after).toEqual(before);
  },
);

it('an event after a return has a number above all that were counted', () => {
  const { db, run, target } = createNewer('events', 11);
  db.exec('UPDATE rollup_state SET position = 3');
  expect(run().stderr).toBe('');
  const older = new DatabaseSync(target);
  onTestFinished(() => older.close());
  const { seq } = Object(
    older
      .prepare(`INSERT INTO events SELECT NULL, 'next', name, session, page, label, value, data,
    campaign, client_time, server_time, flags FROM events LIMIT 1 RETURNING seq`)
      .get(),
  );
  expect(seq).toBeGreaterThan(Number(older.prepare('SELECT position FROM rollup_state').get()?.['position']));
});

it('a row that the earlier format cannot have prevents the return', () => {
  const { run, migrations } = createNewer('commissions', 7);
  writeFileSync(
    path.join(migrations, '0007_exchange_rates.sql'),
    'CREATE TABLE exchange_rates (day TEXT PRIMARY KEY, needed TEXT NOT NULL)',
  );
  const { status, stderr } = run();
  expect(status).toBe(1);
  expect(stderr).toContain('needed');
  expect(stderr).toContain('The version that ran goes on.');
});

it('verdicts that were kept go, and nothing else that the ledger remembers', () => {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => db.close());
  const migrations = path.join(ROOT, 'migrations/commissions');
  migrate(db, migrations, 12);
  const keys = ['postback-key', 'verdicts', 'verdicts:2026-1', 'verdicts:2026-11', 'verdicts:2027-01'];
  for (const key of keys) db.prepare("INSERT INTO state VALUES (?, '[]')").run(key);
  const kept = listNames(db, 'SELECT key AS name FROM state ORDER BY key');
  migrate(db, migrations);
  expect(listNames(db, 'SELECT key AS name FROM state ORDER BY key')).toEqual(
    kept.filter((key) => !/^verdicts:\d{4}-\d\d$/.test(key)),
  );
});

it('a ledger from before the table of commissions, and one of an earlier fold, are folded by the present one', async () => {
  const folder = createFolder();
  const db = new DatabaseSync(path.join(folder, 'commissions.sqlite'));
  onTestFinished(() => db.close());
  db.exec('PRAGMA journal_mode = WAL');
  migrate(db, path.join(ROOT, 'migrations/commissions'), 9);
  const add =
    db.prepare(`INSERT INTO facts (partner, account, native_id, content_hash, kind, status, amount, currency, token,
    event_time, change_time, source, is_test, arrived_at) VALUES ('kit', 'main', ?, ?, 'sale', ?, ?, 'USD', '', 1, ?, 'postback', 0, ?)`);
  for (let index = 0; index < 900; index += 1) add.run(`id-${index}`, 'first', 'pending', index, 1, 1);
  add.run('id-7', 'second', 'reversed', 7, 2, 2);
  const { ledger } = openLedgerDatabase(folder, (message) => expect.unreachable(message));
  onTestFinished(() => ledger.close());
  const read = () =>
    db
      .prepare(`SELECT CAST(fold AS INTEGER) AS version, count(*) AS count, sum(amount) AS amount
      FROM folded_commissions GROUP BY 1`)
      .all();
  for (const version of [FOLD_VERSION - 1, FOLD_VERSION]) {
    const fold = new CommissionFold({ store: ledger, readTerms: () => new Map(), version });
    await fold.refold();
    expect(read()).toEqual([{ version, count: 900, amount: (899 * 900) / 2 - 7 }]);
    expect(await fold.compare().next()).toMatchObject({ done: true });
  }
});

/** Starts what is at the link again and again, at once, and notes which version that is. */
const SUPERVISOR = `while :; do
  cd / && cd "$1" && { pwd -P >> "$2"; sleep 1000 & echo $! > "$3"; wait; }
  sleep 0.05
done`;

it('a return starts no version while it copies databases', async () => {
  const folder = createFolder();
  const [versions, link] = [path.join(folder, 'signpost.versions'), path.join(folder, 'signpost')];
  const [current = '', previous = ''] = ['now', 'before'].map((name) => path.join(versions, name));
  mkdirSync(path.join(versions, 'data'), { recursive: true });
  for (const root of [current, previous]) {
    const filter = (file: string) => root === current || !/commissions\/000[89]_/.test(file);
    cpSync(path.join(ROOT, 'migrations'), path.join(root, 'migrations'), { recursive: true, filter });
    for (const file of [
      'package.json',
      'scripts/upgrade.mjs',
      'scripts/start',
      'src/stores/sql',
      'src/content-files/site-folder.ts',
    ])
      cpSync(path.join(ROOT, file), path.join(root, file), { recursive: true });
    mkdirSync(path.join(root, 'node_modules/.bin'), { recursive: true });
    symlinkSync(PINNED_NODE, path.join(root, 'node_modules/.bin/node'));
    symlinkSync('../data', path.join(root, 'data'));
  }
  const [script = '', kept = ''] = [current, previous].map((root) =>
    path.join(root, 'dist/client/_astro/a.js'),
  );
  for (const file of [script, kept]) mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(kept, 'of the version before');
  linkSync(kept, script);
  writeFileSync(path.join(path.dirname(script), 'b.js'), 'of this version');
  symlinkSync(current, link);
  writeFileSync(path.join(versions, 'upgrade.json'), JSON.stringify({ link, current, previous }));
  const db = new DatabaseSync(path.join(versions, 'data/commissions.sqlite'));
  migrate(db, path.join(ROOT, 'migrations/commissions'));
  db.close();
  const site = createServer((_, response) => response.end('{}'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void site.close());
  const [starts, pid] = [path.join(folder, 'starts'), path.join(folder, 'pid')];
  const supervisor = spawn('sh', ['-c', SUPERVISOR, 'sh', link, starts, pid], { stdio: 'ignore' });
  onTestFinished(() => {
    supervisor.kill();
    process.kill(Number(readFileSync(pid, 'utf8')));
  });
  await expect.poll(() => existsSync(pid)).toBe(true);
  const url = `http://127.0.0.1:${Reflect.get(Object(site.address()), 'port')}`;
  const program = path.join(current, 'scripts/upgrade.mjs');
  const words = [program, 'back', '--pid', pid, '--url', url];
  const { stdout } = await promisify(execFile)(PINNED_NODE, words, { env: { PATH: process.env['PATH'] } });
  expect(stdout).toContain('The same command goes forward again');
  expect(readFileSync(starts, 'utf8').trim().split('\n')).toEqual([current, previous]);
  expect(realpathSync(link)).toBe(previous);
  expect(readdirSync(path.dirname(kept))).toEqual(['a.js', 'b.js']);
});

it('names the versions that there are, and asks nobody without a terminal', () => {
  const root = path.join(createFolder(), 'signpost');
  cpSync(path.join(ROOT, 'scripts'), path.join(root, 'scripts'), { recursive: true });
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'One');
  for (let minor = 1; minor <= 12; minor++) git('tag', `v0.${minor}`);
  git('remote', 'add', 'origin', root);
  const upgrade = (...words: string[]) => {
    const program = path.join(root, 'scripts/upgrade.mjs');
    const { status, stderr } = spawnSync(PINNED_NODE, [program, ...words], { encoding: 'utf8' });
    return { status, stderr };
  };
  const newest = Array.from({ length: 10 }, (_, index) => `v0.${12 - index}`).join(', ');
  const end = '\nThe version that ran goes on.\n';
  expect(upgrade('v9.9')).toEqual({
    status: 1,
    stderr: `There is no version v9.9; there are: ${newest}${end}`,
  });
  expect(upgrade()).toEqual({ status: 1, stderr: `Name a version: there is no terminal to ask.${end}` });
});

it('content that this version refuses is listed with file, line and change, and changed on request', async () => {
  const folder = path.join(createFolder(), 'content');
  copyContent(folder, {
    'pages/terms.yaml': (text) => text.replace(/^title:/m, 'titel:'),
    'site.yaml': (text) => `${text.trimEnd()}\nformerField:\n  - of: two\n    lines: 1\n`,
    'authors/broken.yaml': () => 'name: 1\n',
  });
  const refusals = await listRefusals(folder);
  const described = refusals.map(({ file, line, proposal }) => [file, line > 0, proposal?.said ?? null]);
  expect(described).toEqual(
    expect.arrayContaining([
      ['pages/terms.yaml', true, 'write title for titel'],
      ['site.yaml', true, 'remove formerField'],
      ['authors/broken.yaml', expect.anything(), null],
    ]),
  );
  expect(new Set((await applyProposals(folder)).map(({ file }) => file))).toEqual(
    new Set(['authors/broken.yaml']),
  );
  for (const file of ['pages/terms.yaml', 'site.yaml'])
    expect(readFileSync(path.join(folder, file), 'utf8').trimEnd()).toBe(
      readFileSync(path.join(ROOT, 'content', file), 'utf8').trimEnd(),
    );
  rmSync(path.join(folder, 'authors/broken.yaml'));
  expect(await listRefusals(folder)).toEqual([]);
});
