import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readSaving } from '../../test/support/content-copy.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { MovedFiles } from '../move-in/moved-files.ts';
import { DISK } from '../stores/disk.ts';
import { ContentFiles } from './content-files.ts';
import { ContentJournal, createOwnerReader, JournalError } from './journal.ts';

const saving = readSaving();

const NOW = Date.UTC(2026, 0, 5);
const OWN = 'own';
const OLD = { 'site.yaml': 'old site', 'pages/a.yaml': 'old a', 'pages/b.yaml': 'old b' };
const NEW = { 'site.yaml': 'new site', 'pages/a.yaml': 'new a', 'pages/c.yaml': 'new c' };

class Killed extends Error {}

/** A disk that passes every call on after `check`, which may throw instead. */
const createDisk = (check: (name: string, parameters: readonly unknown[]) => void): typeof DISK =>
  new Proxy(DISK, {
    get:
      (disk, name) =>
      (...parameters: unknown[]) => {
        check(String(name), parameters);
        return Reflect.apply(Reflect.get(disk, name), null, parameters);
      },
  });

/** A disk that does nothing any more once `isLast` is true of a call: the process is killed. */
function createDyingDisk(isLast: (name: string, calls: number) => boolean): typeof DISK {
  const calls = new Map<string, number>();
  let isDead = false;
  return createDisk((name) => {
    for (const one of [name, 'all']) calls.set(one, (calls.get(one) ?? 0) + 1);
    isDead ||= isLast(name, calls.get(name) ?? 0) || isLast('all', calls.get('all') ?? 0);
    if (isDead && name !== 'closeSync') throw new Killed();
  });
}
const diesAt = (call: number) => createDyingDisk((name, calls) => name === 'all' && calls > call);

/** A disk that fails with a code whenever a function is called with a path that ends with `file`. */
const createFailingDisk = (call: keyof typeof DISK, file: string, code: string) =>
  createDisk((name, [at]) => {
    if (name === call && String(at).endsWith(file)) throw Object.assign(new Error(code), { code, path: at });
  });

function createRoot() {
  const root = createFolder();
  mkdirSync(path.join(root, 'pages'));
  for (const [file, text] of Object.entries(OLD)) writeFileSync(path.join(root, file), text);
  const read = () =>
    Object.fromEntries(
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.yaml') && !name.startsWith('.import'))
        .map((name) => [name, readFileSync(path.join(root, name), 'utf8')]),
    );
  const journal = path.join(root, '.import/journal.json');
  const openAt = (readNow: () => number, owner: string, disk = DISK) =>
    new ContentJournal(root, () => owner, disk, readNow);
  const open = (owner: string, ageMs = 0, disk = DISK) => openAt(() => NOW + ageMs, owner, disk);
  /** Writes the new files and removes `pages/b.yaml`. */
  const write = (one: ContentJournal) => {
    const staged = one.begin();
    for (const [file, text] of Object.entries(NEW)) staged.add(file, text);
    staged.add('pages/b.yaml', null);
    return staged.commit();
  };
  /** Leaves what a process of an owner leaves that is killed after its second file. */
  const leave = (owner: string) => {
    const disk = createDyingDisk((name, calls) => name === 'renameSync' && calls === 3);
    expect(() => write(open(owner, 0, disk))).toThrow(Killed);
    expect(read()).toEqual({ ...OLD, 'site.yaml': 'new site', 'pages/a.yaml': 'new a' });
  };
  return { root, journal, read, open, openAt, write, leave };
}

it('writes all files or none, whatever call of the file system the process is killed at', () => {
  for (let calls = 1, isDone = false; !isDone; calls += 1) {
    const { read, open, write } = createRoot();
    try {
      write(open(OWN, 0, diesAt(calls)));
      isDone = true;
    } catch (error) {
      expect(error).toBeInstanceOf(Killed);
    }
    expect(open(OWN, 60_000).look()).toBeNull();
    const found = read();
    expect([OLD, NEW], `after ${calls} calls`).toContainEqual(found);
    if (isDone) expect(found).toEqual(NEW);
    else if (found['pages/c.yaml'] === undefined) expect(found).toEqual(OLD);
    if (isDone) expect(calls).toBeGreaterThan(25);
  }
});

it('puts everything back when the process that does so is killed too', () => {
  for (let calls = 0, isDone = false; !isDone; calls += 1) {
    const { read, open, leave } = createRoot();
    leave(OWN);
    isDone = open(OWN, 60_000, diesAt(calls)).look() === null;
    expect(open(OWN, 120_000).look()).toBeNull();
    expect(read(), `after ${calls} calls`).toEqual(OLD);
  }
});

it.each([
  [59_999, 'busy'],
  [60_000, null],
])('counts a process of its own as ended by its last heartbeat: after %i ms it is %s', (ageMs, kind) => {
  const { read, open, leave } = createRoot();
  leave(OWN);
  expect(open(OWN, ageMs).look()?.kind ?? null).toBe(kind);
  expect(read()['pages/a.yaml']).toBe(kind === null ? 'old a' : 'new a');
});

it('leaves a journal of another owner alone, however old, so that a second import misses nothing', () => {
  const { root, read, open } = createRoot();
  let renamed = 0;
  const disk: typeof DISK = {
    ...DISK,
    renameSync(from, to) {
      DISK.renameSync(from, to);
      renamed += 1;
      // The running site looks at the folder in the middle of an import of another one.
      if (renamed === 3) expect(open('site', 600_000).look()?.kind).toBe('foreign');
    },
  };
  const files = new MovedFiles(root, open('importer', 0, disk));
  const names = ['1', '2', '3', '4', '5', '6'].map((name) => `pages/post-${name}.yaml`);
  for (const file of names) files.add(file, file);
  files.commit();
  expect(Object.keys(read())).toEqual(expect.arrayContaining(names));
  const again = new MovedFiles(root, open('importer'));
  expect(names.map((file) => again.add(file, file))).toEqual(names.map(() => 'unchanged'));
  again.discard();
});

it('records what was moved in only when all of it is there', () => {
  const { root, open } = createRoot();
  const files = new MovedFiles(root, open(OWN, 0, createFailingDisk('renameSync', 'pages/d.yaml', 'ENOSPC')));
  files.add('pages/d.yaml', 'moved');
  expect(() => files.commit()).toThrow('The disk is full. Nothing was changed');
  expect(new MovedFiles(root, open(OWN)).isOwn('pages/d.yaml')).toBe(false);
});

it('lets an operator finish or undo what another owner has left, once it has no heartbeat', () => {
  for (const [choice, expected] of [
    ['finish', NEW],
    ['undo', OLD],
  ] as const) {
    const { journal, read, open, leave } = createRoot();
    leave('other');
    expect(() => open(OWN, 59_999).resolve(choice)).toThrow('is being written');
    open(OWN, 60_000).resolve(choice);
    expect(read()).toEqual(expected);
    expect(existsSync(journal)).toBe(false);
    expect(() => open(OWN).resolve(choice)).toThrow('Nothing is unfinished any more.');
  }
});

it('finishes nothing that was undone in part', () => {
  const { read, open, leave } = createRoot();
  leave('other');
  const dying = createDyingDisk((name, calls) => name === 'renameSync' && calls === 2);
  expect(() => open(OWN, 60_000, dying).resolve('undo')).toThrow(JournalError);
  expect(() => open(OWN, 120_000).resolve('finish')).toThrow('undo the rest');
  open(OWN, 120_000).resolve('undo');
  expect(read()).toEqual(OLD);
});

it('gives up when its process was stopped for so long that everything was put back meanwhile', () => {
  const { read, open, openAt, write } = createRoot();
  let now = NOW;
  let isStopped = false;
  const disk: typeof DISK = {
    ...DISK,
    renameSync(from, to) {
      DISK.renameSync(from, to);
      if (isStopped) return;
      isStopped = true;
      now += 70_000;
      expect(open(OWN, 70_000).look()).toBeNull();
    },
  };
  expect(() => write(openAt(() => now, OWN, disk))).toThrow('took too long');
  expect(read()).toEqual(OLD);
});

it('renews its heartbeat while it writes for longer than a minute', () => {
  const { read, open, openAt, write } = createRoot();
  let now = NOW;
  const disk: typeof DISK = {
    ...DISK,
    renameSync(from, to) {
      DISK.renameSync(from, to);
      now += 50_000;
      expect(open(OWN, now - NOW).look()?.kind).toBe('busy');
    },
  };
  write(openAt(() => now, OWN, disk));
  expect(read()).toEqual(NEW);
});

it('puts everything back when a file cannot be written, and keeps the modes of files', () => {
  const { root, read, open, write } = createRoot();
  DISK.chmodSync(path.join(root, 'pages/a.yaml'), 0o640);
  expect(() => write(open(OWN, 0, createFailingDisk('rmSync', 'pages/b.yaml', 'EIO')))).toThrow('EIO');
  expect(read()).toEqual(OLD);
  write(open(OWN));
  expect(statSync(path.join(root, 'pages/a.yaml')).mode & 0o777).toBe(0o640);
});

it('never writes beside another process, and removes what a killed one has collected a day later', () => {
  const { root, open, read, write } = createRoot();
  const [first, second] = [open(OWN).begin(), open(OWN).begin()];
  first.add('pages/a.yaml', 'first');
  second.add('pages/a.yaml', 'second');
  const isFree = second.commit(() => {
    expect(first.commit()).toBeNull();
    return null;
  });
  expect(isFree).toBeNull();
  expect(read()['pages/a.yaml']).toBe('second');
  open(OWN).begin().add('pages/a.yaml', 'never written');
  const [left = ''] = readdirSync(path.join(root, '.import'));
  utimesSync(path.join(root, '.import', left), NOW / 1000, NOW / 1000);
  open(OWN, 24 * 3_600_000)
    .begin()
    .discard();
  expect(readdirSync(path.join(root, '.import'))).toEqual([left]);
  open(OWN, 24 * 3_600_000 + 1)
    .begin()
    .discard();
  expect(readdirSync(path.join(root, '.import'))).toEqual([]);
  write(open(OWN));
});

it('takes a journal of an earlier version for its own', () => {
  const { root, journal, open, read } = createRoot();
  mkdirSync(path.join(root, '.import/before/pages'), { recursive: true });
  writeFileSync(path.join(root, '.import/before/pages/a.yaml'), 'before');
  const files = [
    { file: 'pages/a.yaml', existed: true },
    { file: 'pages/b.yaml', existed: false },
  ];
  writeFileSync(journal, JSON.stringify({ pid: process.pid, host: 'another', files }));
  utimesSync(journal, NOW / 1000, NOW / 1000);
  expect(open(OWN, 59_999).look()?.kind).toBe('busy');
  expect(open(OWN, 60_000).look()).toBeNull();
  expect(read()).toEqual({ 'site.yaml': 'old site', 'pages/a.yaml': 'before' });
});

it('holds edits with the reason while the journal cannot be read or removed', () => {
  const { root, journal, open, leave, read } = createRoot();
  leave(OWN);
  const failing = open(OWN, 60_000, createFailingDisk('rmSync', 'journal.json', 'EACCES'));
  const reason = `Edits are neither shown nor saved, because ${journal} cannot be used (EACCES)`;
  expect(failing.look()).toEqual({ kind: 'broken', reason: expect.stringContaining(reason) });
  expect(() => failing.begin()).toThrow(reason);
  expect(read()).toEqual(OLD);
  const unreadable = new ContentJournal(root, () => {
    throw Object.assign(new Error('EACCES'), { code: 'EACCES', path: '/data/journal-owner' });
  });
  expect(unreadable.look()).toMatchObject({
    kind: 'broken',
    reason: expect.stringContaining('journal-owner'),
  });
  expect(open(OWN, 180_000).look()).toBeNull();
});

it('keeps a file as it is when content is held, also one that is saved alone', () => {
  const { root, leave, open } = createRoot();
  leave('other');
  const files = new ContentFiles(root, () => ({ images: new Map(), origin: 'folder' }), open(OWN));
  const read = files.read('site.yaml');
  const opened = 'hash' in read ? read.hash : '';
  const failed = { outcome: 'failed', reason: expect.stringContaining('Another site has begun to write') };
  expect(files.save('site.yaml', 'x: 1', opened, saving)).toEqual(failed);
  expect(files.saveTogether([{ file: 'site.yaml', text: 'x: 1', opened }], saving)).toEqual(failed);
});

it('puts everything back when the disk cannot store that its journal was removed', () => {
  const { journal, read, open, write } = createRoot();
  let isRemoved = false;
  const disk = createDisk((name, [at]) => {
    if (name === 'fsyncSync' && isRemoved) {
      isRemoved = false;
      throw Object.assign(new Error('EIO'), { code: 'EIO' });
    }
    isRemoved = name === 'openSync' ? isRemoved : name === 'rmSync' && at === journal;
  });
  expect(() => write(open(OWN, 0, disk))).toThrow('EIO');
  expect([read(), existsSync(journal)]).toEqual([OLD, false]);
});

it('puts everything back with the next look when that failed at once, as on a disk that fails for a moment', () => {
  const { journal, read, open, write } = createRoot();
  const disk = createFailingDisk('renameSync', 'pages/a.yaml', 'EIO');
  expect(() => write(open(OWN, 0, disk))).toThrow('EIO');
  expect([existsSync(journal), open(OWN, 0, disk).look()?.kind]).toEqual([true, 'broken']);
  expect([open(OWN).look(), read()]).toEqual([null, OLD]);
});

it('says nothing of collected files that cannot be removed once the change is in place', () => {
  const { read, open, write } = createRoot();
  let isRefused = false;
  const disk = createDisk((name, [at]) => {
    if (name !== 'rmSync' || isRefused || !/work-[0-9a-f]+\/?$/.test(String(at))) return;
    isRefused = true;
    throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
  });
  expect(write(open(OWN, 0, disk))).toBeNull();
  expect([isRefused, read()]).toEqual([true, NEW]);
});

it.each(['undo', 'finish', 'start'] as const)(
  'removes nothing by a journal that has come back without the files before: %s',
  (choice) => {
    const { root, journal, read, open, write, leave } = createRoot();
    leave('other');
    const [returned, [work = '']] = [
      readFileSync(journal),
      readdirSync(path.join(root, '.import')).filter((name) => name.startsWith('work-')),
    ];
    open(OWN, 60_000).resolve('undo');
    write(open(OWN));
    const files = { ...NEW, 'pages/b.yaml': 'of a later edit' };
    writeFileSync(path.join(root, 'pages/b.yaml'), 'of a later edit');
    writeFileSync(journal, returned);
    const end = open(choice === 'start' ? 'other' : OWN, 120_000);
    if (choice === 'start') expect(end.look()).toBeNull();
    else end.resolve(choice);
    expect([read(), existsSync(path.join(root, '.import', work)), existsSync(journal)]).toEqual([
      files,
      false,
      false,
    ]);
  },
);

it('undoes an import of new files alone, of which an earlier version kept none before', () => {
  const { root, open, read } = createRoot();
  const dying = createDyingDisk((name, calls) => name === 'renameSync' && calls === 2);
  const killed = open('other', 0, dying).begin();
  for (const name of ['c', 'd']) killed.add(`pages/${name}.yaml`, name);
  expect(() => killed.commit()).toThrow(Killed);
  expect(Object.keys(read())).toContain('pages/c.yaml');
  open(OWN, 60_000).resolve('undo');
  expect(read()).toEqual(OLD);
  expect(existsSync(path.join(root, '.import/journal.json'))).toBe(false);
});

it('replaces an owner that a power cut has left empty', () => {
  const folder = createFolder();
  writeFileSync(path.join(folder, 'journal-owner'), '', { mode: 0o600 });
  const owner = createOwnerReader(folder)();
  expect(owner).toMatch(/^[0-9a-f]{32}$/);
  expect(createOwnerReader(folder)()).toBe(owner);
});

it('keeps one random owner for a data folder, which no other user can read', () => {
  const folder = path.join(createFolder(), 'data');
  const owner = createOwnerReader(folder)();
  expect(owner).toMatch(/^[0-9a-f]{32}$/);
  expect(createOwnerReader(folder)()).toBe(owner);
  expect(statSync(path.join(folder, 'journal-owner')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['journal-owner']);
});
