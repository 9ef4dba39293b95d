import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { IS_FULL_LENGTH, SEED } from '../../test/support/cases.ts';
import { createChance } from '../../test/support/chance.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { archiveEvents, createMovingSite, MOVING_TIME } from '../../test/support/moving-site.ts';
import { buildSampleEvent } from '../../test/support/sample-events.ts';
import { DAY_MS } from '../core/clock.ts';
import {
  COPIED_DATABASES,
  COPIED_NAMES,
  CopiedSource,
  hashCopied,
  listCopiedTables,
  stopNotes,
  UNCOPIED_TABLES,
} from './copied-data.ts';
import { type CopyTarget, createFolderCopyTarget, parseSegmentName } from './copy-segments.ts';
import { DataCopy, findCopyProblems, leaveCopy, noteCopyFailure, readCopyStatus } from './data-copy.ts';
import { buildEventValues, EVENT_COLUMNS } from './events.ts';
import { restoreCopy, restoreDataFolder } from './restore-copy.ts';
import { migrate } from './sql/migrate.ts';

const SECRET = 'a secret of at least thirty-two characters';
const NOW = Date.UTC(2026, 10, 26, 12);

function createPlaces() {
  const folder = createFolder();
  const [data, copies] = [path.join(folder, 'data'), path.join(folder, 'copies')];
  mkdirSync(copies);
  return { folder, data, copies, target: createFolderCopyTarget(copies) };
}

/** Copies the data of a site with every kind of row. */
async function copySite() {
  const places = createPlaces();
  await createMovingSite(places.data);
  const copy = new DataCopy({ dataDir: places.data, target: places.target, secret: SECRET, now: () => NOW });
  await copy.flushAll();
  return { ...places, copy };
}

async function restore(target: CopyTarget, folder: string, copy?: string, secret = SECRET) {
  const names = (await target.list()).flatMap((name) => parseSegmentName(name) ?? []);
  const restored = await restoreCopy({ target, secret, copy: copy ?? names.at(-1)?.copy ?? '' }, folder);
  return { restored, hashes: await hashCopied(folder) };
}

/** Creates the databases of a data folder as the site does. */
function createData(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true });
  for (const { file, migrations } of Object.values(COPIED_DATABASES)) {
    const db = new DatabaseSync(path.join(dataDir, file));
    db.exec('PRAGMA journal_mode = WAL');
    migrate(db, migrations);
    db.close();
  }
}

it('notices a table that a migration adds while its database is opened', () => {
  const { data } = createPlaces();
  createData(data);
  const migrating = new DatabaseSync(path.join(data, COPIED_DATABASES.events.file));
  const { exec } = DatabaseSync.prototype;
  let isAdded = false;
  const spy = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    if (!isAdded && sql.includes('IMMEDIATE')) {
      isAdded = true;
      migrating.prepare('CREATE TABLE added (id INTEGER PRIMARY KEY) STRICT').run();
    }
    exec.call(this, sql);
  });
  onTestFinished(() => spy.mockRestore());
  const { tables } = new CopiedSource(data, 'events');
  expect([isAdded, tables.some(({ name }) => name === 'added')]).toEqual([true, true]);
});

it('copies every table of every migration, or says why not', () => {
  const known = new Set<string>();
  for (const name of COPIED_NAMES) {
    const db = new DatabaseSync(':memory:');
    migrate(db, COPIED_DATABASES[name].migrations);
    const all = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .all()
      .map((row) => `${name}.${String(row['name'])}`);
    for (const table of all) known.add(table);
    for (const { name: table, key } of listCopiedTables(db, name)) {
      expect(key.length, `${name}.${table} has a primary key`).toBeGreaterThan(0);
      expect(table).toMatch(/^[a-z][a-z0-9_]*$/);
      const bytes = db.prepare("SELECT name FROM pragma_table_info(?) WHERE type = 'BLOB'").all(table);
      expect(bytes, `${name}.${table} has no bytes`).toEqual([]);
    }
    db.close();
  }
  expect([...UNCOPIED_TABLES.keys()].filter((table) => !known.has(table))).toEqual([]);
  expect([...known].filter((table) => !UNCOPIED_TABLES.has(table)).length).toBeGreaterThan(25);
});

it('restores every row and archived file, and again after rows were changed and removed', async () => {
  const { folder, data, target, copy } = await copySite();
  expect(await copy.flush()).toBe(false);
  const first = await restore(target, path.join(folder, 'first'));
  expect(first.restored.isWhole).toBe(true);
  expect(first.hashes).toEqual(await hashCopied(data));

  expect(await archiveEvents(data, MOVING_TIME + 4 * DAY_MS)).toBeGreaterThan(0);
  const ledger = new DatabaseSync(path.join(data, COPIED_DATABASES.commissions.file));
  ledger.exec("INSERT OR REPLACE INTO state VALUES ('key', 'one'); UPDATE journeys SET journey = '{}'");
  ledger.exec("INSERT OR IGNORE INTO state VALUES ('other', 'two'); DELETE FROM raw_messages");
  ledger.exec("UPDATE state SET value = 'three' WHERE key = 'key'; DELETE FROM state WHERE key = 'other'");
  ledger.close();
  writeFileSync(path.join(data, 'network-secrets.json'), '{"a":"b"}');
  await copy.flushAll();
  const second = await restore(target, path.join(folder, 'second'));
  expect(second.hashes).toEqual(await hashCopied(data));
  expect([...second.hashes.keys()].some((name) => name.startsWith('archive/'))).toBe(true);
  expect(await copy.check()).toBe('');
  copy.close();
});

it('has nothing in the clear, and restores with its key alone', async () => {
  const { folder, copies, target, copy } = await copySite();
  copy.close();
  for (const name of await target.list()) {
    const text = readFileSync(path.join(copies, name), 'latin1');
    expect(text).not.toContain('highlevel');
    expect(text).not.toContain('Ada');
    expect(statSync(path.join(copies, name)).mode & 0o077).toBe(0);
  }
  await expect(restore(target, path.join(folder, 'other'), undefined, `${SECRET}!`)).rejects.toThrow(
    'LEDGER_COPY_KEY is not the key of this copy',
  );
});

it('removes from the copy what was removed here, so that no restore brings it back', async () => {
  const { folder, data, copies, target: stored } = createPlaces();
  let [removing, most] = [0, 0];
  const target: CopyTarget = {
    ...stored,
    async remove(name) {
      most = Math.max(most, ++removing);
      await stored.remove(name);
      removing--;
    },
  };
  createData(data);
  const events = new DatabaseSync(path.join(data, COPIED_DATABASES.events.file));
  addEvent(events, 'secret-session');
  let now = NOW;
  const copy = new DataCopy({ dataDir: data, target, secret: SECRET, now: () => now });
  await copy.flushAll();
  cpSync(copies, path.join(folder, 'earlier'), { recursive: true });
  events.exec("DELETE FROM events WHERE session = 'secret-session'");
  await copy.flushAll();
  expect((await restore(target, path.join(folder, 'restored'))).hashes).toEqual(await hashCopied(data));
  const before = await target.list();
  now += DAY_MS + 60_000;
  await copy.tend();
  await copy.flushAll();
  await copy.tend();
  const after = await target.list();
  expect(after.filter((name) => before.includes(name))).toEqual([]);
  // A disk that hangs takes one of the threads for files, not all of them.
  expect(most).toBe(1);
  expect((await restore(target, path.join(folder, 'again'))).hashes).toEqual(await hashCopied(data));
  const notes = events.prepare('SELECT count(*) AS count FROM copy_notes').get();
  expect(notes).toEqual({ count: 0 });
  copy.close();
  events.close();
});

function addEvent(db: DatabaseSync, session: string): void {
  const values = buildEventValues(buildSampleEvent({ session }));
  db.prepare(`INSERT INTO events (${EVENT_COLUMNS.join()}) VALUES (${values.map(() => '?').join()})`).run(
    ...values,
  );
}

it('names what is missing or was replaced, and goes on where an interrupted restore has stopped', async () => {
  const { folder, data, copies, target } = createPlaces();
  createData(data);
  const events = new DatabaseSync(path.join(data, COPIED_DATABASES.events.file));
  const copy = new DataCopy({ dataDir: data, target, secret: SECRET, now: () => NOW });
  for (let round = 0; round < 200; round++) {
    addEvent(events, `session ${round}`);
    await copy.flush();
  }
  await copy.flushAll();
  const names = await target.list();
  let reads = 0;
  const breaking: CopyTarget = {
    ...target,
    get: (name) => (++reads > 170 ? Promise.reject(new Error('the bucket is gone')) : target.get(name)),
  };
  const restored = path.join(folder, 'restored');
  await expect(restore(breaking, restored)).rejects.toThrow('the bucket is gone');
  reads = 80;
  expect((await restore(breaking, restored)).hashes).toEqual(await hashCopied(data));

  const [lost = '', other = ''] = [names[90], names[91]];
  const { copy: name = '', sequence = 0 } = parseSegmentName(lost) ?? {};
  cpSync(path.join(copies, lost), path.join(folder, 'kept'));
  const options = { target, secret: SECRET, copy: name };
  await restoreCopy({ ...options, upTo: sequence - 1 }, path.join(folder, 'before'));
  const expected = await hashCopied(path.join(folder, 'before'));
  /** Without being asked, nothing is restored; asked, what is before the segment. */
  const expectFault = async (reason: string) => {
    await expect(restore(target, path.join(folder, reason))).rejects.toThrow(reason);
    const part = path.join(folder, `part ${reason}`);
    const result = await restoreCopy({ ...options, isPartAllowed: true }, part);
    expect(result).toMatchObject({ at: NOW, endedBy: expect.stringContaining(reason) });
    expect(await hashCopied(part)).toEqual(expected);
  };
  rmSync(path.join(copies, lost));
  await expectFault(`${lost} is missing`);
  cpSync(path.join(copies, other), path.join(copies, lost));
  await expectFault(`${lost} is damaged`);
  const bytes = readFileSync(path.join(folder, 'kept'));
  bytes.writeUInt8((bytes.at(-20) ?? 0) ^ 1, bytes.length - 20);
  writeFileSync(path.join(copies, lost), bytes);
  await expectFault('cannot be decrypted');
  const another = { ...options, secret: `${SECRET}!`, isPartAllowed: true };
  await expect(restoreCopy(another, path.join(folder, 'key'))).rejects.toThrow('cannot be decrypted');
  copy.close();
  events.close();
});

it('begins another copy, and leaves the first, when a backup was put back or the data are new', async () => {
  const { folder, data, target } = createPlaces();
  createData(data);
  const file = path.join(data, COPIED_DATABASES.events.file);
  const events = new DatabaseSync(file);
  const copy = new DataCopy({ dataDir: data, target, secret: SECRET, now: () => NOW });
  addEvent(events, 'one');
  await copy.flushAll();
  const first = copy.position.copy;
  events.prepare('VACUUM INTO ?').run(path.join(folder, 'backup'));
  addEvent(events, 'two');
  await copy.flushAll();
  const expected = await hashCopied(data);
  events.close();
  copy.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  cpSync(path.join(folder, 'backup'), file);
  const again = new DataCopy({ dataDir: data, target, secret: SECRET, now: () => NOW });
  await again.flushAll();
  expect(again.position.copy).not.toBe(first);
  expect(await again.listOthers()).toEqual([first]);
  expect((await restore(target, path.join(folder, 'first'), first)).hashes).toEqual(expected);
  expect((await restore(target, path.join(folder, 'now'), again.position.copy)).hashes).toEqual(
    await hashCopied(data),
  );
  again.close();
});

it('replaces the copy that it was restored from, and never writes into one that another site goes on with', async () => {
  const { folder, data, target, copy } = await copySite();
  const former = copy.position.copy;
  cpSync(data, path.join(folder, 'twin'), { recursive: true });
  const moved = path.join(folder, 'moved');
  await restoreDataFolder({ target, secret: SECRET, copy: former }, moved);
  expect(await hashCopied(moved)).toEqual(await hashCopied(data));
  await expect(restoreDataFolder({ target, secret: SECRET, copy: former }, moved)).rejects.toThrow(
    'is there',
  );
  const next = new DataCopy({ dataDir: moved, target, secret: SECRET, now: () => NOW });
  await next.flushAll();
  await next.tend();
  await expect
    .poll(async () => (await target.list()).every((name) => name.startsWith(next.position.copy)))
    .toBe(true);
  expect((await restore(target, path.join(folder, 'third'))).hashes).toEqual(await hashCopied(moved));
  next.close();

  // Two sites go on with one state: the second one gets a copy of its own.
  const fresh = createFolderCopyTarget(path.join(folder, 'copies'));
  const write = (dataDir: string, session: string) => {
    const events = new DatabaseSync(path.join(dataDir, COPIED_DATABASES.events.file));
    addEvent(events, session);
    events.close();
  };
  write(data, 'original');
  mkdirSync(path.join(folder, 'copies', former), { recursive: true });
  await copy.flushAll();
  const twin = path.join(folder, 'twin');
  write(twin, 'twin');
  const second = new DataCopy({ dataDir: twin, target: fresh, secret: SECRET, now: () => NOW });
  await second.flushAll();
  expect(second.position.copy).not.toBe(former);
  expect((await restore(fresh, path.join(folder, 'fourth'), second.position.copy)).hashes).toEqual(
    await hashCopied(twin),
  );
  second.close();
  copy.close();
});

it('keeps no more than the last states of a text that somebody is writing', { tags: ['rest'] }, async () => {
  const { data, copies, target } = createPlaces();
  createData(data);
  const copy = new DataCopy({ dataDir: data, target, secret: SECRET, now: () => NOW });
  await copy.flushAll();
  const written = new DatabaseSync(path.join(data, COPIED_DATABASES.console.file));
  const sql = `INSERT OR REPLACE INTO working_copies VALUES ('a.md', 'ada', 'Ada', '', ?, 'one', ?, '', 0)`;
  const sizes = [];
  for (let number = 1; number <= 24; number++) {
    written.prepare(sql).run(randomBytes(1_000_000).toString('base64'), number);
    await copy.flushAll();
    await copy.tend();
    const files = readdirSync(copies, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    sizes.push(
      files.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0),
    );
  }
  written.close();
  expect(Math.max(...sizes)).toBeLessThan(16_000_000);
  expect(await copy.check()).toBe('');
  copy.close();
});

it('finds a difference that no trigger has noted, and repairs the copy', async () => {
  const { folder, data, target, copy } = await copySite();
  const ledger = new DatabaseSync(path.join(data, COPIED_DATABASES.commissions.file));
  ledger.exec('DROP TRIGGER copy_state_changed');
  ledger.exec("UPDATE state SET value = 'quietly'");
  ledger.exec("UPDATE journeys SET journey = '{}'");
  expect(await copy.check()).toBe('commissions.state');
  await copy.flushAll();
  expect(await copy.check()).toBe('');
  expect((await restore(target, path.join(folder, 'restored'))).hashes).toEqual(await hashCopied(data));
  copy.close();
  ledger.close();
  stopNotes(data);
  const left = new DatabaseSync(path.join(data, COPIED_DATABASES.commissions.file));
  expect(left.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'copy%'").all()).toEqual([]);
  left.close();
});

it('has what is missing wait in the databases while the copy is away for an hour', async () => {
  const { folder, data, copies, target } = createPlaces();
  createData(data);
  const events = new DatabaseSync(path.join(data, COPIED_DATABASES.events.file));
  const ledger = new DatabaseSync(path.join(data, COPIED_DATABASES.commissions.file));
  let [now, failure] = [NOW, ''];
  const away: CopyTarget = {
    ...target,
    put: (name, content) => (failure === '' ? target.put(name, content) : Promise.reject(new Error(failure))),
  };
  const copy = new DataCopy({ dataDir: data, target: away, secret: SECRET, now: () => now });
  await copy.flushAll();
  for (failure of ['ENOSPC', 'EROFS', 'ETIMEDOUT'])
    for (let minute = 0; minute < 60; minute++, now += 60_000) {
      addEvent(events, `session ${minute}`);
      ledger.prepare("INSERT OR REPLACE INTO state VALUES ('key', ?)").run(String(minute));
      await expect(copy.flush()).rejects.toThrow(failure);
    }
  expect(ledger.prepare('SELECT count(*) AS count FROM copy_notes').get()).toEqual({ count: 1 });
  expect(readdirSync(path.join(data, 'copy'))).toEqual(['next', 'state']);
  failure = '';
  await copy.flushAll();
  expect((await restore(target, path.join(folder, 'restored'))).hashes).toEqual(await hashCopied(data));
  // The disk of the copy is not mounted: nothing is written at its place.
  rmSync(copies, { recursive: true });
  mkdirSync(copies);
  addEvent(events, 'last');
  const { copy: former } = copy.position;
  await expect(copy.flush()).rejects.toThrow(`${copies} does not have the copy ${former}: mount its disk`);
  expect(readdirSync(copies)).toEqual([]);
  rmSync(copies, { recursive: true });
  await expect(copy.flush()).rejects.toThrow(`there is no folder ${copies}`);
  copy.report({ failingSince: now, reason: 'ENOENT' });
  expect(readCopyStatus(data)).toMatchObject({ failingSince: now, reason: 'ENOENT' });
  copy.close();
  events.close();
  ledger.close();
});

it('begins a new copy in another place only when it was told to leave the former one', async () => {
  const { folder, data, copies, copy } = await copySite();
  copy.close();
  const former = copy.position.copy;
  const other = path.join(folder, 'other');
  mkdirSync(other);
  const place = createFolderCopyTarget(other);
  const moved = new DataCopy({ dataDir: data, target: place, secret: SECRET, now: () => NOW });
  // Although nothing has to be written.
  await expect(moved.flush()).rejects.toThrow(`npm run -s signpost -- restore --new-copy ${former}`);
  expect(() => leaveCopy(other, former, data)).toThrow('on the disk of DATA_DIR');
  expect(() => leaveCopy('', former, data)).toThrow('not set');
  expect(() => leaveCopy('s3://b', former.replace(/.$/, 'x'), data)).toThrow('are not copied to');
  await expect(moved.flush()).rejects.toThrow('does not have the copy');
  leaveCopy('s3://b', former, data);
  await moved.flushAll();
  expect(moved.position.copy).not.toBe(former);
  expect((await restore(place, path.join(folder, 'restored'))).hashes).toEqual(await hashCopied(data));
  moved.close();
  // A copy that is there is never left.
  leaveCopy('s3://b', moved.position.copy, data);
  const again = new DataCopy({ dataDir: data, target: place, secret: SECRET, now: () => NOW });
  await again.flushAll();
  expect(again.position.copy).toBe(moved.position.copy);
  again.close();
  expect(readdirSync(copies)).toEqual([former]);
});

it('has nothing missing after the disk of the copy was full and read-only', async ({ skip }) => {
  const { folder, data, copies, target } = createPlaces();
  const mount = (options: string) => ['-t', 'tmpfs', '-o', options, 'signpost-test', copies];
  skip(spawnSync('mount', mount('size=2m')).status !== 0, 'this user may not mount a disk');
  onTestFinished(() => void execFileSync('umount', [copies]));
  createData(data);
  const ledger = new DatabaseSync(path.join(data, COPIED_DATABASES.commissions.file));
  const copy = new DataCopy({ dataDir: data, target, secret: SECRET, now: () => NOW });
  await copy.flushAll();
  let count = 0;
  const write = async () => {
    const values = [`k${count++}`, randomBytes(250_000).toString('hex')];
    ledger.prepare('INSERT INTO state VALUES (?, ?)').run(...values);
    await copy.flushAll();
  };
  const fill = async () => {
    for (let left = 12; left > 0; left--) await write();
  };
  await expect(fill()).rejects.toThrow('ENOSPC');
  await expect(write()).rejects.toThrow('ENOSPC');
  expect(readdirSync(path.join(copies, copy.position.copy)).filter((name) => name.endsWith('.tmp'))).toEqual(
    [],
  );
  execFileSync('mount', mount('remount,size=64m'));
  await write();
  execFileSync('mount', mount('remount,ro'));
  const reason = `this process may not write in ${copies}: systemd needs ReadWritePaths=${copies}`;
  await expect(write()).rejects.toThrow(reason);
  const first = { dataDir: path.join(folder, 'new'), target: createFolderCopyTarget(copies), secret: SECRET };
  await expect(new DataCopy({ ...first, now: () => NOW }).flush()).rejects.toThrow(reason);
  execFileSync('mount', mount('remount,rw'));
  await write();
  expect((await restore(target, path.join(folder, 'restored'))).hashes).toEqual(await hashCopied(data));
  copy.close();
  ledger.close();
});

it('goes on when its own disk takes no status, when a database could not be read, and after it was killed', async () => {
  const { folder, data, copies, target } = createPlaces();
  createData(data);
  const ledger = new DatabaseSync(path.join(data, COPIED_DATABASES.commissions.file));
  const copy = new DataCopy({ dataDir: data, target, secret: SECRET, now: () => NOW });
  await copy.flushAll();
  // No file can be put in the place of a folder.
  mkdirSync(path.join(data, 'copy/status.json'));
  copy.report({ failingSince: 1, reason: 'full' });
  copy.report({ failingSince: copy.status.failingSince ?? 2 });
  expect(readCopyStatus(data).failingSince).toBeNull();
  rmSync(path.join(data, 'copy/status.json'), { recursive: true });
  copy.report({});
  expect(readCopyStatus(data)).toMatchObject({ failingSince: 1, reason: 'full' });
  noteCopyFailure(data, 'its thread has ended', 9);
  const [{ title, detail } = { title: '', detail: '' }] = findCopyProblems(data, NOW);
  expect([title, detail]).toEqual([
    'The copy of the data cannot be written',
    expect.stringContaining('Since 1970-01-01 00:00 UTC: its thread has ended.'),
  ]);
  copy.report({ failingSince: NOW, needsPerson: false });
  expect(findCopyProblems(data, NOW)).toEqual([]);
  copy.report({ needsPerson: true });
  expect(findCopyProblems(data, NOW)).toHaveLength(1);

  ledger.exec(
    "INSERT INTO state VALUES ('key', 'one'); INSERT INTO copy_notes VALUES (99, 'state', 'no key')",
  );
  await copy.flush();
  expect(copy.problem).toContain('commissions.sqlite cannot be read');
  expect(copy.isCaughtUp).toBe(false);
  ledger.exec("DELETE FROM copy_notes WHERE key = 'no key'");
  await copy.flushAll();
  expect([copy.problem, copy.isCaughtUp]).toEqual(['', true]);
  copy.close();

  const left = path.join(copies, copy.position.copy, '000000009.segment.1.partial');
  writeFileSync(left, 'of a process that was killed');
  const fresh = createFolderCopyTarget(copies);
  const again = new DataCopy({ dataDir: data, target: fresh, secret: SECRET, now: () => NOW });
  ledger.exec("UPDATE state SET value = 'two'");
  await again.flushAll();
  expect(statSync(left, { throwIfNoEntry: false })).toBeUndefined();
  expect((await restore(target, path.join(folder, 'restored'))).hashes).toEqual(await hashCopied(data));
  again.close();
  ledger.close();
});

const CRASHES = IS_FULL_LENGTH ? 1_000 : 15;

it('loses nothing that was copied, at whatever step the process or the disk ends', {
  timeout: 3_600_000,
}, async () => {
  const random = createChance(SEED);
  const pick = (below: number) => Math.floor(random() * below);
  const { folder, data, target } = createPlaces();
  createData(data);
  for (let crash = 0; crash < CRASHES; crash++) {
    // The step of a write at which everything ends: 0 before it, 1 after it, 2 in the middle.
    let [steps, step] = [1 + pick(6), pick(3)];
    const breaking: CopyTarget = {
      ...target,
      async put(name, content) {
        if (--steps > 0) return target.put(name, content);
        if (step === 2) {
          mkdirSync(path.join(folder, 'copies', path.dirname(name)), { recursive: true });
          writeFileSync(path.join(folder, 'copies', `${name}.1.partial`), content.subarray(0, 40));
        }
        if (step === 1) await target.put(name, content);
        throw new Error('the process ended');
      },
    };
    const copy = new DataCopy({
      dataDir: data,
      target: breaking,
      secret: SECRET,
      now: () => NOW + crash * DAY_MS,
    });
    let [acknowledged, allowed]: [string, string[]] = ['', []];
    for (let isRunning = true; isRunning; ) {
      changeData(data, pick);
      const hash = JSON.stringify([...(await hashCopied(data))]);
      allowed.push(hash);
      try {
        if (pick(8) === 0) await copy.tend();
        while (await copy.flush());
        [acknowledged, allowed] = [hash, [hash]];
      } catch {
        isRunning = false;
      }
    }
    copy.close();
    if (pick(3) > 0) {
      if (pick(4) === 0) writeFileSync(path.join(data, 'copy', 'next'), 'torn');
      continue;
    }
    const { copy: name } = copy.position;
    rmSync(data, { recursive: true });
    if (acknowledged === '') {
      createData(data);
      continue;
    }
    await restoreDataFolder({ target, secret: SECRET, copy: name }, data);
    expect(allowed).toContain(JSON.stringify([...(await hashCopied(data))]));
  }
});

/** Changes one to three things of the data, as the site does. */
function changeData(dataDir: string, pick: (below: number) => number): void {
  const events = new DatabaseSync(path.join(dataDir, COPIED_DATABASES.events.file));
  const ledger = new DatabaseSync(path.join(dataDir, COPIED_DATABASES.commissions.file));
  const key = `k${pick(5)}`;
  const changes = [
    () => addEvent(events, key),
    () => events.prepare('DELETE FROM events WHERE session = ?').run(key),
    () => events.exec('DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)'),
    () => ledger.prepare('INSERT OR REPLACE INTO state VALUES (?, ?)').run(key, String(pick(1_000))),
    () => ledger.prepare('INSERT OR IGNORE INTO state VALUES (?, ?)').run(key, 'first'),
    () => ledger.prepare('DELETE FROM state WHERE key = ?').run(key),
    () =>
      ledger
        .prepare(
          'INSERT INTO journeys (click_id, journey) VALUES (?, ?) ON CONFLICT DO UPDATE SET journey = excluded.journey',
        )
        .run(key, String(pick(9))),
    () => writeFileSync(path.join(dataDir, 'network-secrets.json'), String(pick(1_000_000))),
  ];
  for (let count = 1 + pick(3); count > 0; count--) changes[pick(changes.length)]?.();
  events.close();
  ledger.close();
}

it('copies the other databases while one cannot be read, and never replaces its rows by none', async () => {
  const { folder, data, target } = createPlaces();
  await createMovingSite(data);
  let now = NOW;
  const copy = new DataCopy({ dataDir: data, target, secret: SECRET, now: () => now });
  await copy.flushAll();
  const file = path.join(data, COPIED_DATABASES.console.file);
  cpSync(file, path.join(folder, 'kept'));
  const lose = () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  };
  for (const damage of [lose, () => writeFileSync(file, 'no database')]) {
    const ledger = new DatabaseSync(path.join(data, COPIED_DATABASES.commissions.file));
    ledger.exec("INSERT OR REPLACE INTO state VALUES ('key', 'meanwhile'); DELETE FROM raw_messages");
    ledger.close();
    damage();
    now += 2 * DAY_MS;
    await copy.flushAll();
    await copy.tend();
    await copy.flushAll();
    expect(copy.problem).toContain('console.sqlite cannot be read');
    expect(await copy.check()).toContain('console.sqlite cannot be read');
  }
  const { hashes } = await restore(target, path.join(folder, 'restored'));
  expect(hashes.get('console.operators')).toMatch(/^1 rows/);
  lose();
  cpSync(path.join(folder, 'kept'), file);
  expect(hashes).toEqual(await hashCopied(data));
  await copy.flushAll();
  expect(copy.problem).toBe('');
  expect(await copy.check()).toBe('');
  copy.close();
});
