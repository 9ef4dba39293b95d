import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { LAST_CONTENT_FILE } from '../src/content-files/content-source.ts';
import { getSecretsFile } from '../src/content-files/secret-file.ts';
import { DAY_MS } from '../src/core/clock.ts';
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
