import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { EventStore } from '../../src/stores/events.ts';
import { createFolder } from '../support/create-folder.ts';
import { openEventStore } from '../support/open-event-store.ts';
import { mountSmallDisk } from '../support/process.ts';
import { buildSampleEvent, collect } from '../support/sample-events.ts';
import { watchMachine } from '../support/scale-to-machine.ts';

let dir: string;
let file: string;
let reports: string[];

beforeEach(() => {
  dir = createFolder();
  file = path.join(dir, 'events.sqlite');
  reports = [];
});

function open(): EventStore {
  const store = openEventStore(dir, (message) => reports.push(message), { lockWaitMs: 200 });
  onTestFinished(() => store.close());
  return store;
}

/** Leaves a file with events in it, closed as by a normal end. */
async function fill(count: number): Promise<void> {
  const store = openEventStore(dir);
  for (let i = 0; i < count; i += 100) {
    await store.append(Array.from({ length: 100 }, () => buildSampleEvent({ label: 'x'.repeat(200) })));
  }
  await store.close();
}

function overwrite(offset: number, length: number): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(length, 0xa5), 0, length, offset);
  closeSync(handle);
}

/** Longer than any machine takes; a store that does not heal without a restart fails. */
const MAX_HEAL_MS = 30_000;

const asides = () => readdirSync(dir).filter((name) => name.includes('.quarantine-'));

/** Tries to append until it works. */
async function untilStored(store: EventStore): Promise<void> {
  const began = performance.now();
  for (;;) {
    const error = await store.append([buildSampleEvent()]).then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error === null) return;
    expect(error).toMatchObject({ code: 'unavailable' });
    if (performance.now() - began > MAX_HEAL_MS) throw error;
    await sleep(20);
  }
}

interface WayToForbidWriting {
  readonly name: string;
  readonly begin: () => { place: string; forbid(): void; allow(): void; end(): void };
}

/** Which of them a machine allows differs; the last one works everywhere. */
const WAYS_TO_FORBID_WRITING = [
  ...(canMount() ? [{ name: 'the disk is read-only', begin: beginReadOnlyDisk }] : []),
  ...(process.getuid?.() === 0 ? [] : [{ name: 'the rights are missing', begin: beginMissingRights }]),
  { name: 'something is in the way of the log', begin: beginBlockedLog },
] satisfies WayToForbidWriting[];

function canMount(): boolean {
  const disk = mountSmallDisk('1m');
  disk?.remove();
  return disk !== null;
}

function beginReadOnlyDisk() {
  const disk = mountSmallDisk('4m');
  if (!disk) throw new Error('a disk could be mounted a moment ago');
  return {
    place: disk.dir,
    forbid: () => disk.remount('ro'),
    allow: () => disk.remount('rw'),
    end: () => disk.remove(),
  };
}

function beginMissingRights() {
  const change = (folder: number, content: number) => {
    chmodSync(file, content);
    chmodSync(dir, folder);
  };
  return {
    place: dir,
    forbid: () => change(0o555, 0o444),
    allow: () => change(0o755, 0o644),
    end: () => change(0o755, 0o644),
  };
}

function beginBlockedLog() {
  return {
    place: dir,
    forbid: () => mkdirSync(`${file}-wal`),
    allow: () => rmdirSync(`${file}-wal`),
    end: () => undefined,
  };
}

describe('a broken file at start', () => {
  it.each([
    ['its header is overwritten', () => overwrite(0, 100)],
    ['it is not a database at all', () => writeFileSync(file, 'some text')],
    ['pages in the middle are overwritten', () => overwrite(40_960, 8_192)],
    ['its header names more pages than it has', () => overwrite(28, 1)],
    ['its end is missing', () => truncateSync(file, statSync(file).size - 20_480)],
  ])('is quarantined unchanged and reported when %s', async (_, damage) => {
    await fill(1_000);
    damage();
    const before = readFileSync(file);
    const store = open();
    const result = await store.append([buildSampleEvent()]);
    expect(result.stored).toBe(1);
    expect(await store.count({})).toBe(1);
    expect(await store.probe()).toBeNull();
    const [aside = '', ...more] = asides();
    // The note of its rows, which the report has too.
    expect(more).toEqual(more.length === 0 ? [] : [`${aside}.created`]);
    expect(reports.join()).toContain(more.length === 0 ? aside : `${aside} (events up to `);
    expect(aside).toMatch(/^events\.sqlite\.quarantine-\d{8}T\d{6}Z$/);
    expect(readFileSync(path.join(dir, aside)).equals(before)).toBe(true);
    expect(reports).toEqual([expect.stringContaining(aside)]);
  });

  it('does not cost the commits beside it, when it is empty', async () => {
    const source = open();
    await source.append(Array.from({ length: 50 }, () => buildSampleEvent()));
    // As after a crash: the commits are in the log, the database has lost its content.
    const crashed = path.join(dir, 'crashed');
    mkdirSync(crashed);
    writeFileSync(path.join(crashed, 'events.sqlite'), '');
    cpSync(`${file}-wal`, path.join(crashed, 'events.sqlite-wal'));
    const log = readFileSync(`${file}-wal`);
    const store = openEventStore(crashed, (message) => reports.push(message));
    onTestFinished(() => store.close());
    await store.append([buildSampleEvent()]);
    const aside = readdirSync(crashed).find((name) => /\.quarantine-.*-wal$/.test(name)) ?? '';
    expect(readFileSync(path.join(crashed, aside)).equals(log)).toBe(true);
    expect(reports).toEqual([expect.stringContaining('its log holds commits')]);
  });

  it('of a newer program is left alone', async () => {
    await fill(100);
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 999');
    db.close();
    const store = open();
    await expect(store.append([buildSampleEvent()])).rejects.toThrow('use the newer program');
    expect(await store.probe()).toContain('use the newer program');
    expect(asides()).toEqual([]);
  });
});

/** Moves the commits of the log into the database, as SQLite does every thousand pages. */
function checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): void {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA wal_checkpoint(${mode})`);
  db.close();
}

describe('a file that another program changes while it is in use', () => {
  it.each([
    ['emptied', () => truncateSync(file, 0)],
    ['cut in half', () => truncateSync(file, Math.floor(statSync(file).size / 8_192) * 4_096)],
    ['overwritten', () => overwrite(0, statSync(file).size)],
    ['overwritten at its start', () => overwrite(0, 100)],
    ['replaced by a text', () => writeFileSync(file, 'x'.repeat(statSync(file).size))],
  ])(
    'is noticed at the next append when it is %s, and nothing acknowledged afterwards is lost',
    async (_, damage) => {
      const store = open();
      await store.append(Array.from({ length: 500 }, () => buildSampleEvent()));
      checkpoint('TRUNCATE');
      await store.append([buildSampleEvent()]);
      damage();
      const later = Array.from({ length: 20 }, () => buildSampleEvent());
      for (const event of later) await store.append([event]);
      await store.close();
      const next = open();
      const ids = (await collect(next.read({}))).map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining(later.map(({ id }) => id)));
      expect(asides().length).toBeGreaterThan(0);
      expect(reports.join()).toContain('changed by another program');
    },
  );

  it('is noticed when its log is emptied', async () => {
    const store = open();
    await store.append(Array.from({ length: 500 }, () => buildSampleEvent()));
    truncateSync(`${file}-wal`, 0);
    const later = Array.from({ length: 20 }, () => buildSampleEvent());
    for (const event of later) await store.append([event]);
    await store.close();
    const ids = (await collect(open().read({}))).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(later.map(({ id }) => id)));
    expect(reports.join()).toContain('changed by another program');
  });

  it.each([
    ['a checkpoint', 'PRAGMA wal_checkpoint(TRUNCATE)'],
    ['VACUUM', 'VACUUM; PRAGMA wal_checkpoint(TRUNCATE)'],
    ['a deletion and VACUUM', 'DELETE FROM events WHERE seq < 400; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)'],
  ])('stays in use after %s of another program', async (_, sql) => {
    const store = open();
    await store.append(Array.from({ length: 500 }, () => buildSampleEvent()));
    checkpoint('PASSIVE');
    await store.append([buildSampleEvent()]);
    const other = new DatabaseSync(file);
    other.exec(sql);
    other.close();
    for (let count = 0; count < 5; count += 1) await store.append([buildSampleEvent()]);
    expect(asides()).toEqual([]);
    expect(await store.count({})).toBeGreaterThan(100);
  });
});

describe('a store heals without a restart', () => {
  it('when the folder could not be made at first', async () => {
    rmSync(dir, { recursive: true });
    writeFileSync(dir, 'a file where the folder should be');
    const store = open();
    await expect(store.append([buildSampleEvent()])).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.probe()).not.toBeNull();
    rmSync(dir);
    await untilStored(store);
    expect(reports.at(-1)).toContain('can be written again');
  });

  it('when another process held the lock', async () => {
    const store = open();
    await store.append([buildSampleEvent()]);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    await expect(store.append([buildSampleEvent()])).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.append([buildSampleEvent()])).rejects.toThrow('locked');
    expect(await store.count({})).toBe(1);
    other.exec('COMMIT');
    other.close();
    await untilStored(store);
  });

  it('and waits for a lock for a moment alone', { tags: ['measures'] }, async () => {
    const store = open();
    await store.append([buildSampleEvent()]);
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    await expect(store.append([buildSampleEvent()])).rejects.toMatchObject({ code: 'unavailable' });
    const scale = watchMachine();
    const began = performance.now();
    await expect(store.append([buildSampleEvent()])).rejects.toThrow('locked');
    expect(performance.now() - began).toBeLessThan(scale(700));
  });

  it('when the file was deleted', async () => {
    const store = open();
    await store.append([buildSampleEvent()]);
    for (const name of readdirSync(dir)) rmSync(path.join(dir, name));
    await store.append([buildSampleEvent(), buildSampleEvent()]);
    expect(existsSync(file)).toBe(true);
    expect(await store.count({})).toBe(2);
    expect(reports).toEqual([expect.stringContaining('moved or deleted')]);
  });

  it('when the file breaks while it is in use', async () => {
    const store = open();
    await store.append(Array.from({ length: 500 }, () => buildSampleEvent()));
    const second = new DatabaseSync(file);
    second.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    second.close();
    overwrite(0, 4_096);
    await untilStored(store);
    const next = open();
    await next.append([buildSampleEvent()]);
    expect(await next.probe()).toBeNull();
    expect(asides().length).toBeGreaterThan(0);
  });

  it.each(WAYS_TO_FORBID_WRITING)('when it could not write at start: $name', async ({ begin }) => {
    const { place, forbid, allow, end } = begin();
    onTestFinished(end);
    const openPlace = () => openEventStore(place, (message) => reports.push(message));
    const first = openPlace();
    const event = buildSampleEvent();
    await first.append([event]);
    await first.close();
    forbid();
    const second = openPlace();
    onTestFinished(() => second.close());
    await expect(second.append([buildSampleEvent()])).rejects.toMatchObject({ code: 'unavailable' });
    expect(await second.probe()).not.toBeNull();
    allow();
    await untilStored(second);
    expect((await collect(second.read({})))[0]).toEqual(event);
    expect(asides()).toEqual([]);
  });
});
