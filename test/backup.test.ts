import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { LAST_CONTENT_FILE } from '../src/content-files/content-source.ts';
import { getSecretsFile } from '../src/content-files/secret-file.ts';
import { DAY_MS } from '../src/core/clock.ts';
import { hashCopied } from '../src/stores/copied-data.ts';
import { createFolderCopyTarget } from '../src/stores/copy-segments.ts';
import { DataCopy, findCopyFault } from '../src/stores/data-copy.ts';
import { ARCHIVE_FOLDER } from '../src/stores/folder-archive.ts';
import { readLastBackup } from '../src/stores/last-backup.ts';
import { DATABASE_FILE } from '../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import { createFolder } from './support/create-folder.ts';
import { archiveEvents, createMovingSite, MOVING_TIME } from './support/moving-site.ts';
import { openEventStore } from './support/open-event-store.ts';
import { runCommand } from './support/run-command.ts';
import { buildSampleEvent, collect } from './support/sample-events.ts';

let folder: string;
beforeEach(() => {
  folder = createFolder();
});

const backUp = (from: string, to: string) => runCommand('backup', [to], { DATA_DIR: from });

it('copies a store that is being written to, and the copy restores every event', async () => {
  const data = path.join(folder, 'data');
  const store = openEventStore(data);
  const events = Array.from({ length: 500 }, (_, index) => buildSampleEvent({ label: `event ${index}` }));
  await store.append(events.slice(0, 250));
  writeFileSync(path.join(data, LAST_CONTENT_FILE), '{}');
  writeFileSync(getSecretsFile(data), '{"format":1}', { mode: 0o600 });
  const copied = await backUp(data, path.join(folder, 'backup'));
  await store.append(events.slice(250));
  await store.close();
  expect(copied.stderr).toBe('');
  expect(readFileSync(path.join(folder, 'backup', LAST_CONTENT_FILE), 'utf8')).toBe('{}');
  const secrets = getSecretsFile(path.join(folder, 'backup'));
  expect([readFileSync(secrets, 'utf8'), statSync(secrets).mode & 0o777]).toEqual(['{"format":1}', 0o600]);
  expect(Date.now() - (readLastBackup(data) ?? 0)).toBeLessThan(600_000);

  const restored = path.join(folder, 'restored');
  cpSync(path.join(folder, 'backup'), restored, { recursive: true });
  const again = openEventStore(restored);
  const found = await collect(again.read({}));
  expect(found.map(({ id }) => id)).toEqual(events.slice(0, 250).map(({ id }) => id));
  expect((await again.append(events.slice(240, 260))).duplicates).toBe(10);
  await again.close();
});

it('counts every event once when events are archived between the copies', async () => {
  const [data, target] = [path.join(folder, 'data'), path.join(folder, 'backup')];
  await createMovingSite(data);
  const count = async (dir: string) =>
    Number((await runCommand('events', ['count', '--all'], { DATA_DIR: dir })).stdout);
  const total = await count(data);
  expect(await archiveEvents(data, MOVING_TIME + 4 * DAY_MS)).toBeGreaterThan(0);
  expect((await backUp(data, target)).stderr).toBe('');
  // As if the archive were copied later than the database, as earlier versions did.
  expect(await archiveEvents(data, MOVING_TIME + 6 * DAY_MS)).toBeGreaterThan(0);
  cpSync(path.join(data, ARCHIVE_FOLDER), path.join(target, ARCHIVE_FOLDER), { recursive: true });
  expect([await count(data), await count(target)]).toEqual([total, total]);

  rmSync(path.join(target, ARCHIVE_FOLDER), { recursive: true });
  for (const words of [['count', '--all'], ['export']]) {
    const { code, stderr } = await runCommand('events', words, { DATA_DIR: target });
    expect([code, stderr]).toEqual([1, expect.stringContaining('is missing')]);
  }
  const again = await backUp(target, path.join(folder, 'incomplete'));
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is missing')]);
});

it('never writes over an earlier backup', async () => {
  const data = path.join(folder, 'data');
  const store = openEventStore(data);
  await store.append([buildSampleEvent()]);
  await store.close();
  writeFileSync(path.join(folder, DATABASE_FILE), 'earlier');
  const { code, stderr } = await backUp(data, folder);
  expect([code, stderr]).toEqual([1, expect.stringContaining('is there already')]);
  expect(readLastBackup(data)).toBeNull();
});

it.each(['missing', '.'])('says that there is nothing in %s', async (name: string) => {
  const { code, stderr } = await backUp(path.join(folder, name), path.join(folder, 'backup'));
  expect([code, stderr]).toEqual([1, expect.stringContaining('nothing to back up')]);
});

it('keeps the newest backups of a folder, and each restores', async () => {
  const [data, backups] = [path.join(folder, 'data'), path.join(folder, 'backups')];
  await createMovingSite(data);
  for (const name of ['20260101T000000Z', '20260102T000000Z', 'of another program'])
    mkdirSync(path.join(backups, name), { recursive: true });
  expect((await runCommand('backup', [backups, '--keep', '2'], { DATA_DIR: data })).stderr).toBe('');
  const [first, newest, other] = readdirSync(backups).sort();
  expect([first, other]).toEqual(['20260102T000000Z', 'of another program']);
  expect(readdirSync(path.join(backups, newest ?? ''))).toContain(DATABASE_FILE);

  // What a rehearsal and a restore have left that were interrupted.
  const restored = path.join(folder, 'restored');
  for (const left of [path.join(data, 'rehearsal'), path.join(restored, 'restoring')]) {
    mkdirSync(left, { recursive: true });
    writeFileSync(path.join(left, DATABASE_FILE), 'half');
  }
  const rehearsed = await runCommand('restore', [backups, '--rehearse'], { DATA_DIR: data });
  expect([rehearsed.stderr, rehearsed.code]).toEqual(['', 0]);
  expect(rehearsed.stdout).toMatch(/^2025-11 +1 +40\.00 +EUR$/m);
  expect(existsSync(path.join(data, 'rehearsal'))).toBe(false);

  expect((await runCommand('restore', [backups], { DATA_DIR: data })).stderr).toContain('is there: stop');
  expect((await runCommand('restore', [backups], { DATA_DIR: restored })).stderr).toBe('');
  expect(await hashCopied(restored)).toEqual(await hashCopied(data));
});

it('restores one of several copies by its name, and notes that the key is kept elsewhere', async () => {
  const [data, copies, key] = [
    path.join(folder, 'data'),
    path.join(folder, 'copies'),
    path.join(folder, 'key'),
  ];
  const LEDGER_COPY_KEY = 'a key of more than thirty-two characters';
  mkdirSync(copies);
  await createMovingSite(data);
  const expected = await hashCopied(data);
  const names: string[] = [];
  for (let count = 0; count < 2; count++) {
    const target = createFolderCopyTarget(copies);
    const copy = new DataCopy({ dataDir: data, target, secret: LEDGER_COPY_KEY, now: Date.now });
    await copy.flushAll();
    names.push(copy.position.copy);
    copy.close();
    rmSync(path.join(data, 'copy'), { recursive: true });
  }
  const env = { DATA_DIR: path.join(folder, 'restored'), LEDGER_COPY_KEY };
  expect((await runCommand('restore', [copies], env)).stderr).toContain(`--copy ${names[0]}`);
  expect(
    (await runCommand('restore', [copies, '--copy', names[1] ?? ''], { DATA_DIR: env.DATA_DIR })).stderr,
  ).toContain('LEDGER_COPY_KEY is not set');
  const restored = await runCommand('restore', [copies, '--copy', names[1] ?? ''], env);
  expect([restored.stderr, restored.code]).toEqual(['', 0]);
  expect(restored.stdout).toMatch(/^2025-11 +1 +40\.00 +EUR$/m);
  expect(await hashCopied(env.DATA_DIR)).toEqual(expected);

  const place = 's3://bucket?endpoint=http://127.0.0.1:9';
  const leave = { DATA_DIR: data, LEDGER_COPY: place, LEDGER_COPY_KEY, LEDGER_COPY_CREDENTIALS: 'a:b' };
  expect((await runCommand('restore', ['--new-copy', 'other'], leave)).stderr).toContain('are not copied to');
  expect(findCopyFault(place, LEDGER_COPY_KEY, data)).toContain('keep it elsewhere too');
  expect(findCopyFault(copies, LEDGER_COPY_KEY, data)).toContain('on the disk of DATA_DIR');
  writeFileSync(key, 'another key');
  const confirm = () => runCommand('restore', ['--confirm-key', key], { DATA_DIR: data, LEDGER_COPY_KEY });
  expect((await confirm()).stderr).toContain('does not have the key');
  writeFileSync(key, `${LEDGER_COPY_KEY}\n`);
  expect((await confirm()).code).toBe(0);
  expect(findCopyFault(place, LEDGER_COPY_KEY, data)).toBeNull();
  expect(findCopyFault(place, `${LEDGER_COPY_KEY}!`, data)).toContain('keep it elsewhere too');
});

it('restores a copy up to a damaged object when asked, and says to which moment', async () => {
  const [data, copies] = [path.join(folder, 'data'), path.join(folder, 'copies')];
  const LEDGER_COPY_KEY = 'a key of more than thirty-two characters';
  mkdirSync(copies);
  await createMovingSite(data);
  const expected = await hashCopied(data);
  const at = Date.UTC(2026, 10, 26, 21, 32);
  let now = at;
  const target = createFolderCopyTarget(copies);
  const copy = new DataCopy({ dataDir: data, target, secret: LEDGER_COPY_KEY, now: () => now });
  await copy.flushAll();
  const store = openEventStore(data);
  await store.append([buildSampleEvent()]);
  await store.close();
  now += DAY_MS;
  await copy.flushAll();
  copy.close();
  const last = (await target.list()).at(-1) ?? '';
  writeFileSync(path.join(copies, last), 'cut');
  const env = { DATA_DIR: path.join(folder, 'restored'), LEDGER_COPY_KEY };
  expect(await runCommand('restore', [copies], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${last} is damaged`),
  });
  // What is left of data that had more says nothing of these.
  mkdirSync(env.DATA_DIR, { recursive: true });
  writeFileSync(path.join(env.DATA_DIR, 'commissions.sqlite.created'), '{"facts":99}');
  const { code, stdout } = await runCommand('restore', [copies, '--part'], env);
  expect(code).toBe(0);
  expect(stdout).toContain('was restored to 2026-11-26T21:32:00.000Z');
  expect(stdout).toContain(`What came later is not in it: ${last} is damaged`);
  expect(await hashCopied(env.DATA_DIR)).toEqual(expected);
  expect(readdirSync(env.DATA_DIR).filter((name) => name.includes('.short-'))).toEqual([]);
});
