import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { PINNED_NODE, ROOT } from '../scripts/start/pinned-node.mjs';
import { prepareData, readBack, readServed, VERSION, writeBack } from '../src/commands/data/versions.ts';
import { DISK } from '../src/stores/disk.ts';
import { migrate, readSchemaVersion } from '../src/stores/sql/migrate.ts';
import { MIGRATIONS } from '../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import { createFolder } from './support/create-folder.ts';

const LEDGER = path.join(MIGRATIONS, 'commissions');
const newest = Math.max(...readdirSync(LEDGER).map((name) => Number.parseInt(name, 10)));

let [dataDir, site] = ['', ''];
const said: string[] = [];
const at = (name: string) => path.join(dataDir, name);
const prepare = () => prepareData(dataDir, site, (line) => said.push(line));

beforeEach(() => {
  [dataDir, site] = [createFolder(), createFolder()];
  said.length = 0;
  writeFileSync(path.join(site, 'package.json'), '{"dependencies":{"signpost":"file:signpost-9.tgz"}}');
});

/** Makes a ledger with a row that each format has. `upTo`: its format. */
function makeLedger(upTo: number): void {
  const db = new DatabaseSync(at('commissions.sqlite'));
  db.exec('PRAGMA journal_mode = WAL');
  migrate(db, LEDGER, upTo);
  db.prepare("INSERT INTO exchange_rates VALUES ('2026-11-01', 'EUR', 'own', '{}', 1)").run();
  db.close();
}

function read(file = 'commissions.sqlite') {
  const db = new DatabaseSync(at(file));
  const format = readSchemaVersion(db);
  const rates = db.prepare('SELECT count(*) AS rows FROM exchange_rates').get()?.['rows'];
  db.close();
  return { format, rates };
}

it('notes the version that serves, with the package that npm has it from, and keeps the one before', async () => {
  writeFileSync(
    at('versions.json'),
    JSON.stringify([
      { version: '0.0.1', from: '' },
      { version: '0.0.2', from: 'file:b' },
    ]),
  );
  await prepare();
  await prepare();
  expect(readServed(dataDir)).toEqual([
    { version: '0.0.2', from: 'file:b' },
    { version: VERSION, from: 'file:signpost-9.tgz' },
  ]);
});

it('has what npm has installed on the disk before it notes that a version serves, once', async () => {
  const file = path.join(site, 'node_modules/signpost/dist/main.mjs');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  const opened = vi.spyOn(DISK, 'openSync');
  onTestFinished(() => opened.mockRestore());
  const list = () => opened.mock.calls.map(([name]) => String(name)).filter((name) => name.startsWith(site));
  await prepare();
  expect(list()).toEqual([file, path.dirname(file), ...list().slice(2)]);
  expect(list()).toContain(path.join(site, 'node_modules'));
  opened.mockClear();
  await prepare();
  expect(list()).toEqual([]);
});

it('serves nothing while another version is being installed, whose migrations it would take for its own', async () => {
  makeLedger(13);
  const file = path.join(site, 'node_modules/signpost/package.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '{"version":"9.0.0"}');
  await expect(prepare()).rejects.toThrow('version 9.0.0 was installed while');
  expect([readServed(dataDir), existsSync(at('older'))]).toEqual([[], false]);
  writeFileSync(file, JSON.stringify({ version: VERSION }));
  await prepare();
  expect(readServed(dataDir)).toMatchObject([{ version: VERSION }]);
});

it('has a whole program while npm installs the one to go back to, and when it is ended then, and can be run again', () => {
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(site, name)), { recursive: true });
    writeFileSync(path.join(site, name), text, { mode: 0o755 });
  };
  const manifest = readFileSync(path.join(site, 'package.json'), 'utf8');
  write('signpost-1.tgz', '');
  write('package-lock.json', manifest);
  write('node_modules/.package-lock.json', manifest);
  write('node_modules/signpost/package.json', `{"version":"${VERSION}"}`);
  write(
    'data/versions.json',
    `[{"version":"1.0.0","from":"file:signpost-1.tgz"},{"version":"${VERSION}","from":""}]`,
  );
  // Ends whoever runs it the first time, with half of its work done.
  write(
    'bin/npm',
    `#!/bin/sh
    rm node_modules/signpost/package.json
    test -e ../ended || { touch ../ended; kill -9 $PPID; exit; }
    echo '{"version":"1.0.0"}' > node_modules/signpost/package.json
    for file in package.json package-lock.json node_modules/.package-lock.json
    do echo '{"dependencies":{"signpost":"file:../signpost-1.tgz"}}' > $file; done`,
  );
  const runBack = () =>
    spawnSync(PINNED_NODE, [path.join(ROOT, 'src/commands/main.ts'), 'back'], {
      cwd: site,
      encoding: 'utf8',
      env: { PATH: `${path.join(site, 'bin')}:${process.env['PATH']}` },
    });
  const readState = () => ({
    program: readFileSync(path.join(site, 'node_modules/signpost/package.json'), 'utf8').trim(),
    named: readFileSync(path.join(site, 'package.json'), 'utf8').trim(),
    back: readBack(path.join(site, 'data'))?.version,
  });
  expect(runBack().signal).toBe('SIGKILL');
  expect(readState()).toEqual({ program: `{"version":"${VERSION}"}`, named: manifest, back: undefined });
  expect(runBack()).toMatchObject({ status: 0, stderr: '' });
  const named = '{"dependencies":{"signpost":"file:signpost-1.tgz"}}';
  expect(readState()).toEqual({ program: '{"version":"1.0.0"}', named, back: '1.0.0' });
  expect(readdirSync(site).filter((name) => name.startsWith('.back-'))).toEqual([]);
});

it('copies a database before a migration, once, and leaves one that needs none', async () => {
  makeLedger(13);
  await prepare();
  expect(read(`older/commissions-before-${VERSION}.sqlite`)).toEqual({ format: 13, rates: 1 });
  const db = new DatabaseSync(at('commissions.sqlite'));
  migrate(db, LEDGER);
  db.close();
  const copy = readFileSync(at(`older/commissions-before-${VERSION}.sqlite`));
  await prepare();
  expect(readFileSync(at(`older/commissions-before-${VERSION}.sqlite`))).toEqual(copy);
});

/** What a later version has made of the ledger. */
function makeNewer(): void {
  makeLedger(newest);
  const db = new DatabaseSync(at('commissions.sqlite'));
  db.exec(`ALTER TABLE exchange_rates ADD COLUMN later TEXT; PRAGMA user_version = ${newest + 1}`);
  db.close();
}

it('goes back with every row where somebody has asked for it, and else leaves a newer database', async () => {
  makeNewer();
  await prepare();
  expect(read()).toEqual({ format: newest + 1, rates: 1 });
  writeBack(dataDir, { version: VERSION, from: 'file:signpost-9.tgz' });
  await prepare();
  expect(read()).toEqual({ format: newest, rates: 1 });
  expect(read('older/commissions-newer.sqlite')).toEqual({ format: newest + 1, rates: 1 });
  expect([readBack(dataDir), said.length]).toEqual([null, 1]);
});

it('refuses to convert a database that another program has open, and goes back once it is closed', async () => {
  makeNewer();
  writeBack(dataDir, { version: VERSION, from: '' });
  for (const words of ['SELECT * FROM exchange_rates', 'BEGIN; SELECT * FROM exchange_rates']) {
    const other = new DatabaseSync(at('commissions.sqlite'));
    other.exec(words);
    await expect(prepare()).rejects.toThrow(`another program has ${at('commissions.sqlite')} open`);
    other.close();
  }
  expect(existsSync(at('back.json'))).toBe(true);
  await prepare();
  expect(read()).toEqual({ format: newest, rates: 1 });
});

it('puts what was restored whole in its place before it serves, and refuses a part', async () => {
  mkdirSync(at('restoring'));
  makeLedger(newest);
  renameSync(at('commissions.sqlite'), at('restoring/commissions.sqlite'));
  await expect(prepare()).rejects.toThrow('was ended before its end: run it again');
  // Right before its last rename: a part is in its place.
  writeFileSync(at('events.sqlite'), '');
  writeFileSync(at('restoring/whole.json'), '');
  await prepare();
  expect([read().rates, existsSync(at('restoring'))]).toEqual([1, false]);
});
