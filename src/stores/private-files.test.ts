import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createFolder, listReadableByOthers } from '../../test/support/create-folder.ts';
import { archiveEvents, createMovingSite, MOVING_TIME } from '../../test/support/moving-site.ts';
import { runCommand } from '../../test/support/run-command.ts';
import { buildSampleEvent } from '../../test/support/sample-events.ts';
import { storeFile } from '../../test/support/store-file.ts';
import { DAY_MS } from '../core/clock.ts';
import { createNodePlatform } from '../runtimes/node/node-platform.ts';
import { createLog } from '../server/log.ts';
import { parseSettings } from '../server/settings.ts';
import { writeSampleState } from './last-backup.ts';
import { UploadFolder } from './upload-folder.ts';

let folder: string;
let data: string;
beforeEach(() => {
  folder = createFolder();
  data = path.join(folder, 'new', 'data');
});

/** Opens the databases of a data folder as the server does, and writes to them. */
async function start(dataDir: string): Promise<void> {
  const settings = parseSettings({
    DATA_DIR: dataDir,
    MIN_FREE_MB: '0',
    ARTICLE_SOURCE: 'wordpress',
    ARTICLE_SERVICE_URL: 'http://localhost',
  });
  const log = createLog(() => undefined, Date.now);
  const platform = createNodePlatform(
    settings,
    log,
    { scripts: [], styles: new Set(), beside: '' },
    { imageManifest: '' },
  );
  const { store } = platform.openEvents();
  const { database: articles } = await platform.openArticles();
  const others = (['commissions', 'console', 'notifications'] as const).map(platform.openDatabase);
  const all = [store, articles, ...others];
  // Their logs and what they share are there while they are open.
  onTestFinished(async () => void (await Promise.all(all.map((database) => database.close()))));
  await store.append([buildSampleEvent()]);
  await articles.query({ sql: 'SELECT 1' });
  const sql = 'CREATE TABLE IF NOT EXISTS filled (id)';
  await Promise.all(others.map((database) => database.batch([{ sql }])));
}

/** Gives everyone the right to read everything below a folder, as the files of earlier versions have it. */
function shareAll(root: string): void {
  chmodSync(root, 0o755);
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
    chmodSync(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

it('creates nothing that others can read: databases, archive, marks, backups and exports', async () => {
  await createMovingSite(data);
  expect(await archiveEvents(data, MOVING_TIME + 5 * DAY_MS)).toBeGreaterThan(0);
  writeSampleState(path.join(data, 'demo'), 'complete');
  await start(data);
  const [backup, file] = [path.join(folder, 'backup'), path.join(folder, 'site.gz')];
  expect((await runCommand('backup', [backup], { DATA_DIR: data })).stderr).toBe('');
  expect((await runCommand('data', ['export', file], { DATA_DIR: data })).stderr).toBe('');
  expect(readdirSync(backup)).toEqual(expect.arrayContaining(['archive', 'events.sqlite']));
  // The folder above belongs to the operator.
  expect(listReadableByOthers(folder)).toEqual(['new']);
});

it('takes the rights of others from what earlier versions have created', { tags: ['rest'] }, async () => {
  await createMovingSite(data);
  await archiveEvents(data, MOVING_TIME + 5 * DAY_MS);
  await start(data);
  await storeFile(new UploadFolder(path.join(data, 'uploads')), 'report.csv', 'id');
  expect(listReadableByOthers(path.join(data, 'uploads'))).toEqual([]);
  const copy = path.join(folder, 'copy');
  cpSync(data, copy, { recursive: true });
  for (const name of [
    'events.sqlite.quarantine-20251120T042459Z-wal',
    'last-backup.json',
    'articles-ghost.db',
  ])
    writeFileSync(path.join(copy, name), '');
  writeSampleState(path.join(copy, 'demo'), 'complete');
  mkdirSync(path.join(copy, 'edge', 'd1'), { recursive: true });
  for (const name of ['form-key', 'd1/x.sqlite']) writeFileSync(path.join(copy, 'edge', name), '');
  shareAll(copy);
  expect(readdirSync(copy)).toContain('events.sqlite-wal');
  await start(copy);
  expect(listReadableByOthers(copy)).toEqual([]);

  const backup = path.join(folder, 'backup');
  mkdirSync(backup, { mode: 0o755 });
  expect((await runCommand('backup', [backup], { DATA_DIR: copy })).stderr).toBe('');
  expect(listReadableByOthers(backup)).toEqual([]);
});

it('changes nothing else in a folder that is shared with other programs', async () => {
  const others =
    'notes.txt events.sqlite.txt archive/2024.tar edge/map.png uploads/a.csv demo/talk.md linked.db'.split(
      ' ',
    );
  for (const name of others) {
    mkdirSync(path.dirname(path.join(data, name)), { recursive: true });
    writeFileSync(path.join(data, name), '');
  }
  shareAll(data);
  const outside = path.join(folder, 'outside');
  writeFileSync(outside, '', { mode: 0o644 });
  symlinkSync(outside, path.join(data, 'articles-ghost.db'));
  const readModes = () =>
    ['.', ...others, 'archive', 'edge', 'uploads', 'demo', '../../outside'].map(
      (name) => statSync(path.join(data, name)).mode,
    );
  const before = readModes();
  await start(data);
  expect(readModes()).toEqual(before);
  expect(statSync(path.join(data, 'events.sqlite')).mode & 0o777).toBe(0o600);
});

/** Nothing is closed to root, so a program becomes another user once it has loaded what that user may not read. */
const LEAVE_ROOT = `if (process.getuid?.() === 0) {
    process.setgroups([]);
    process.setgid(65_534);
    process.setuid(65_534);
  }`;

/** Runs a module that imports from `disk.ts` as a user who is not root. */
function runAsUser(names: string, program: string) {
  const source = `import { ${names} } from ${JSON.stringify(import.meta.resolve('./disk.ts'))};\n${LEAVE_ROOT}\n${program}`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
}

it('says what root has to run where a command may not write', () => {
  const closed = path.join(folder, 'closed');
  mkdirSync(closed);
  chmodSync(folder, 0o755);
  chmodSync(closed, 0o555);
  const { stdout } = runAsUser(
    'createOwnFolder',
    `for (const name of ['new', '.'])
      try { createOwnFolder(${JSON.stringify(closed)} + '/' + name) } catch (error) { console.log(error.message) }`,
  );
  for (const name of ['new', '.'])
    expect(stdout).toMatch(
      new RegExp(`${closed}/${name} cannot .* install -d -o \\d+ -g \\d+ -m 700 ${closed}/${name}\n`),
    );
});

it('syncs a folder whose file system keeps one there that nobody can read', () => {
  const file = path.join(folder, 'archive', 'a');
  mkdirSync(path.dirname(file));
  writeFileSync(file, 'a');
  mkdirSync(path.join(folder, 'lost+found'), { mode: 0o000 });
  for (const one of [folder, path.dirname(file)]) chmodSync(one, 0o755);
  const sync = (one: string) => runAsUser('syncTree', `syncTree('${one}')`);
  expect(sync(folder)).toMatchObject({ status: 0, stderr: '' });
  expect(sync(path.join(folder, 'lost+found')).status).toBe(1);
});
