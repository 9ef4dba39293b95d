import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { prepareData } from '../src/commands/data/versions.ts';
import { LAST_CONTENT_FILE } from '../src/content-files/content-source.ts';
import { getSecretsFile } from '../src/content-files/secret-file.ts';
import { DAY_MS } from '../src/core/clock.ts';
import { hashCopied } from '../src/stores/copied-data.ts';
import { DISK } from '../src/stores/disk.ts';
import { readLastBackup } from '../src/stores/last-backup.ts';
import { createFolder } from './support/create-folder.ts';
import { archiveEvents, createMovingSite, MOVING_TIME } from './support/moving-site.ts';
import { runCommand } from './support/run-command.ts';

let root: string;
let data: string;
let whole: string;
let expected: Awaited<ReturnType<typeof hashCopied>>;
beforeAll(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'signpost-test-'));
  data = path.join(root, 'data');
  await createMovingSite(data);
  expect(await archiveEvents(data, MOVING_TIME + 4 * DAY_MS)).toBeGreaterThan(0);
  fs.writeFileSync(path.join(data, LAST_CONTENT_FILE), '{}');
  fs.writeFileSync(getSecretsFile(data), '{"format":1}', { mode: 0o600 });
  whole = path.join(root, 'backup');
  expect((await backUp(whole)).stderr).toBe('');
  expected = await hashCopied(data);
});

afterAll(() => fs.rmSync(root, { recursive: true }));

const backUp = (folder: string, ...words: readonly string[]) =>
  runCommand('backup', [folder, ...words], { DATA_DIR: data });

/** Restores into a new data folder; resolves with the hashes of what is there then, null when it was refused. */
async function restore(from: string) {
  const restored = path.join(createFolder(), 'data');
  const { code, stdout, stderr } = await runCommand('restore', [from], { DATA_DIR: restored });
  if (code === 0) return { stdout, stderr, hashes: await hashCopied(restored) };
  // A refusal leaves nothing that a later restore or a site could take for data.
  expect(fs.existsSync(restored) ? fs.readdirSync(restored) : []).toEqual([]);
  return { stdout, stderr, hashes: null };
}

const CALLS = [
  'openSync',
  'writeFileSync',
  'renameSync',
  'linkSync',
  'cpSync',
  'rmSync',
  'mkdirSync',
] as const;

/** Runs something with every call of the file system failing from one on, as a killed process does nothing more. */
async function dieAt(last: number, act: () => Promise<{ readonly code: number }>): Promise<boolean> {
  let calls = 0;
  for (const name of CALLS) {
    const call = DISK[name] as (...args: unknown[]) => unknown;
    vi.spyOn(DISK, name).mockImplementation(((...args: unknown[]) => {
      calls += 1;
      if (calls > last) throw new Error('killed');
      return call(...args);
    }) as never);
  }
  try {
    await act().catch((error: unknown) => expect(String(error)).toContain('killed'));
  } finally {
    vi.restoreAllMocks();
  }
  return calls <= last;
}

it('restores the whole backup before one that was killed at any call of the file system', {
  tags: ['rest'],
}, async () => {
  const backups = createFolder();
  const before = path.join(backups, '20260101T000000Z');
  for (let calls = 0, isDone = false; !isDone; calls += 1) {
    for (const name of fs.readdirSync(backups)) fs.rmSync(path.join(backups, name), { recursive: true });
    fs.cpSync(whole, before, { recursive: true });
    fs.rmSync(path.join(data, 'last-backup.json'), { force: true });
    isDone = await dieAt(calls, () => backUp(backups, '--keep', '7'));
    const others = fs.readdirSync(backups).filter((name) => name !== '20260101T000000Z');
    const [other = ''] = others;
    const isWhole = others.length === 1 && !other.endsWith('.partial');
    if (!isWhole) expect(readLastBackup(data), `after ${calls} calls`).toBeNull();
    const { hashes, stdout } = await restore(backups);
    expect(hashes, `after ${calls} calls`).toEqual(expected);
    expect(stdout).toContain(`The backup ${isWhole ? path.join(backups, other) : before} was restored.`);
    if (isDone) expect(isWhole).toBe(true);
    if (isWhole || other === '') continue;
    expect(stdout).toContain(`${path.join(backups, other)} is newer, but not known to be whole.`);
    const named = await restore(path.join(backups, other));
    expect([null, expected], `after ${calls} calls`).toContainEqual(named.hashes);
    if (named.hashes === null) expect(named.stderr).toMatch(/was interrupted|LEDGER_COPY_KEY is not set/);
  }
});

it('starts with all that a restore that was killed at any call has written, or not at all', {
  tags: ['rest'],
}, async () => {
  for (let calls = 0, isDone = false; !isDone; calls += 1) {
    const restored = path.join(createFolder(), 'data');
    const env = { DATA_DIR: restored, LEDGER_COPY_KEY: '' };
    isDone = await dieAt(calls, () => runCommand('restore', [whole], env));
    const where = `after ${calls} calls`;
    const isBegun = fs.existsSync(path.join(restored, 'restoring'));
    const refusal = await prepareData(restored, restored, () => undefined).then(() => '', String);
    if (refusal !== '') {
      expect(refusal, where).toContain('was ended before its end: run it again');
      expect((await runCommand('restore', [whole], env)).code, where).toBe(0);
    } else if (!isBegun && !fs.existsSync(path.join(restored, 'commissions.sqlite'))) continue;
    expect(await hashCopied(restored), where).toEqual(expected);
  }
});

it('counts no interrupted backup, and removes it with those before the oldest that stays', async () => {
  const backups = createFolder();
  for (const name of ['01T000000Z', '02T000000Z.partial', '03T000000Z', '04T000000Z.partial'])
    fs.cpSync(whole, path.join(backups, `202601${name}`), { recursive: true });
  expect((await backUp(backups, '--keep', '2')).code).toBe(0);
  const left = fs.readdirSync(backups).sort();
  expect(left.slice(0, -1)).toEqual(['20260103T000000Z', '20260104T000000Z.partial']);
  expect(left).toHaveLength(3);
});

it('writes one of two backups at once to a folder, and refuses the other', async () => {
  const folder = path.join(createFolder(), 'backup');
  const outcomes = await Promise.all([backUp(folder), backUp(folder)]);
  expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(outcomes.map(({ stderr }) => stderr).join('')).toContain('is there already');
  expect((await restore(folder)).hashes).toEqual(expected);
  expect((await backUp(folder)).stderr).toContain('is there already: use an empty folder');
});

it('refuses a folder in which another process begins a backup at the same moment', async () => {
  const folder = createFolder();
  const exists = fs.existsSync.bind(fs);
  // Each of the two has looked at the folder before the other wrote to it.
  vi.spyOn(fs, 'existsSync').mockImplementation((file) => !String(file).startsWith(folder) && exists(file));
  syncBuiltinESMExports();
  fs.writeFileSync(path.join(folder, 'backup.json.partial'), '');
  try {
    const { code, stderr } = await backUp(folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining('EEXIST')]);
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
  expect(fs.readdirSync(folder)).toEqual(['backup.json.partial']);
});

/** Changes a byte in the middle of a file. */
function flip(file: string): void {
  const bytes = fs.readFileSync(file);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  fs.writeFileSync(file, bytes);
}
const cut = (file: string) => fs.truncateSync(file, fs.statSync(file).size >> 1);
const archived = (backup: string) =>
  path.join(backup, 'archive', fs.readdirSync(path.join(backup, 'archive'))[0] ?? '');

it.each<[string, (backup: string) => void, RegExp]>([
  ['without its console', (at) => fs.rmSync(`${at}/console.sqlite`), /not whole: console\.sqlite is missing/],
  [
    'with half of its events',
    (at) => cut(`${at}/events.sqlite`),
    /not whole: events\.sqlite is not as its list/,
  ],
  [
    'with one other bit',
    (at) => flip(`${at}/commissions.sqlite`),
    /commissions\.sqlite is not as its list has it/,
  ],
  ['without an archived file', (at) => fs.rmSync(archived(at)), /not whole: archive\/[^ ]+ is missing/],
  [
    'with empty secrets',
    (at) => fs.truncateSync(getSecretsFile(at)),
    /network-secrets\.json is not as its list/,
  ],
  ['with half of its list', (at) => cut(`${at}/backup.json`), /backup\.json is damaged/],
  [
    'whose list names a file elsewhere',
    (at) => {
      const list = fs.readFileSync(`${at}/backup.json`, 'utf8');
      fs.writeFileSync(`${at}/backup.json`, list.replace('"console.sqlite"', '"../console.sqlite"'));
    },
    /backup\.json is damaged/,
  ],
  [
    'of an earlier version with a part of a file',
    (at) => {
      fs.rmSync(`${at}/backup.json`);
      fs.renameSync(`${at}/events.sqlite`, `${at}/events.sqlite.partial`);
    },
    /was interrupted: it has events\.sqlite\.partial/,
  ],
  [
    'of an earlier version with half of a database',
    (at) => {
      fs.rmSync(`${at}/backup.json`);
      cut(`${at}/events.sqlite`);
    },
    /not whole: events\.sqlite is damaged/,
  ],
  [
    'of an earlier version with an empty database',
    (at) => {
      fs.rmSync(`${at}/backup.json`);
      fs.truncateSync(`${at}/events.sqlite`);
    },
    /not whole: events\.sqlite is damaged/,
  ],
])('restores nothing of a backup %s, and says why', async (_, damage, says) => {
  const backups = createFolder();
  const backup = path.join(backups, '20260101T000000Z');
  fs.cpSync(whole, backup, { recursive: true });
  damage(backup);
  const named = await restore(backup);
  expect([named.hashes, named.stderr]).toEqual([null, expect.stringMatching(says)]);
  expect(named.stderr).toContain('Nothing was restored.');
  expect((await restore(backups)).hashes).toBeNull();
});

it('restores what the list names alone, whatever else is in the folder and was left by another restore', async () => {
  const backup = path.join(createFolder(), 'backup');
  fs.cpSync(whole, backup, { recursive: true });
  fs.writeFileSync(path.join(backup, 'commissions.sqlite-wal'), 'of another database');
  const restored = createFolder();
  fs.mkdirSync(path.join(restored, 'restoring'));
  fs.writeFileSync(path.join(restored, 'restoring/articles-old.db'), 'of another backup');
  const { stderr } = await runCommand('restore', [backup], { DATA_DIR: restored });
  expect([stderr, await hashCopied(restored)]).toEqual(['', expected]);
  expect(fs.readdirSync(restored)).not.toContain('articles-old.db');
});

it('restores a backup without a list only by its own name, and never before one that has a list', async () => {
  const backups = createFolder();
  const [former, newest] = [path.join(backups, '20260102T000000Z'), path.join(backups, '20260103T000000Z')];
  fs.cpSync(whole, former, { recursive: true });
  fs.rmSync(path.join(former, 'backup.json'));
  fs.mkdirSync(newest);
  const refused = await restore(backups);
  expect([refused.hashes, refused.stderr]).toEqual([null, expect.stringContaining('has a list: name one')]);
  expect((await restore(former)).hashes).toEqual(expected);
  fs.rmSync(path.join(former, 'console.sqlite'));
  expect((await restore(former)).stdout).toContain('It has no console.sqlite');
  const listed = path.join(backups, '20260101T000000Z');
  fs.cpSync(whole, listed, { recursive: true });
  const { hashes, stdout } = await restore(backups);
  expect(hashes).toEqual(expected);
  expect(stdout).toContain(`The backup ${listed} was restored.`);
  for (const passed of [former, newest])
    expect(stdout).toContain(`${passed} is newer, but not known to be whole.`);
});
