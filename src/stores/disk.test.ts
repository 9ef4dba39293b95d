import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createFolder as createRoot } from '../../test/support/create-folder.ts';
import {
  type CutAct,
  cutEverywhere,
  type ForgetfulDisk,
  listNeedlessSyncs,
} from '../../test/support/forgetful-disk.ts';
import {
  createFolder,
  createPrivateFile,
  DISK,
  isTemporary,
  move,
  openWhole,
  remove,
  storeWhole,
  writeNote,
  writeWhole,
} from './disk.ts';

type Files = Readonly<Record<string, string | null>>;

/** What a folder has: texts, `null` for a folder. */
function read(root: string): Files {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const found = entries
    .filter(({ name }) => !isTemporary(name))
    .map((entry): [string, string | null] => {
      const at = path.join(entry.parentPath, entry.name);
      return [path.relative(root, at), entry.isFile() ? readFileSync(at, 'utf8') : null];
    });
  return Object.fromEntries(found.sort());
}

const BEFORE: Files = { a: 'old', empty: null, full: null, 'full/b': 'b' };

function prepare(): string {
  const root = createRoot();
  for (const folder of ['empty', 'full']) mkdirSync(path.join(root, folder));
  writeFileSync(path.join(root, 'a'), 'old');
  writeFileSync(path.join(root, 'full/b'), 'b');
  return root;
}

type Act = readonly [
  act: (at: (name: string) => string, disk: ForgetfulDisk) => unknown,
  after: Files,
  ...between: Files[],
];
const { a: _, ...WITHOUT } = BEFORE;
const ACTS: Readonly<Record<string, Act>> = {
  'a file in the place of another': [
    (at, { disk }) => writeWhole(at('a'), 'new', false, undefined, undefined, disk),
    { ...BEFORE, a: 'new' },
  ],
  'a new file': [
    (at, { disk }) => writeWhole(at('c'), ['one ', 'two'], true, undefined, undefined, disk),
    { ...BEFORE, c: 'one two' },
  ],
  'a file that holds no thread': [
    (at, { slow }) => storeWhole(at('a'), 'new', false, slow),
    { ...BEFORE, a: 'new' },
  ],
  'a new file that holds no thread': [
    (at, { slow }) => storeWhole(at('c'), 'new', true, slow),
    { ...BEFORE, c: 'new' },
  ],
  'a file in new folders': [
    (at, { disk }) => {
      createFolder(at('one/two'), undefined, disk);
      writeWhole(at('one/two/c'), 'new', true, undefined, undefined, disk);
    },
    { ...BEFORE, one: null, 'one/two': null, 'one/two/c': 'new' },
    { ...BEFORE, one: null },
    { ...BEFORE, one: null, 'one/two': null },
  ],
  'an empty file': [(at, { disk }) => createPrivateFile(at('c'), disk), { ...BEFORE, c: '' }],
  'a file that moves': [
    (at, { disk }) => move(at('a'), at('full/b'), false, disk),
    { ...WITHOUT, 'full/b': 'old' },
  ],
  'a new name': [
    (at, { disk }) => move(at('a'), at('full/c'), true, disk),
    { ...WITHOUT, 'full/c': 'old' },
    { ...BEFORE, 'full/c': 'old' },
    WITHOUT,
  ],
  'a folder that moves': [
    (at, { disk }) => move(at('full'), at('empty/full'), false, disk),
    { a: 'old', empty: null, 'empty/full': null, 'empty/full/b': 'b' },
  ],
  'a file that is removed': [(at, { disk }) => remove(at('a'), disk), WITHOUT],
};

const sort = (files: Files) => Object.fromEntries(Object.entries(files).sort());
const build = ([act, after, ...between]: Act): CutAct => ({
  prepare,
  act: (root, disk) => act((name) => path.join(root, name), disk),
  check(root, isAcknowledged, where) {
    const allowed = isAcknowledged ? [after] : [BEFORE, after, ...between];
    expect(allowed.map(sort), where).toContainEqual(read(root));
  },
});

it.each(Object.entries(ACTS))(
  'has %s on the disk when it returns, and all or nothing before',
  async (_name, act) => {
    expect(await cutEverywhere(build(act))).toBeGreaterThan(0);
  },
);

it('notices each sync that is missing, in more than ten places', async () => {
  let places = 0;
  for (const [name, act] of Object.entries(ACTS)) {
    // What moves from one folder to another is stored with either of them.
    const needless = /moves/.test(name) ? [0, 1] : [];
    expect(await listNeedlessSyncs(build(act)), name).toEqual(needless);
    places += await cutEverywhere(build(act));
  }
  expect(places).toBeGreaterThan(10);
});

it('keeps apart two that write to one name at once: each file is whole, and the second new one is refused', async () => {
  const root = createRoot();
  const [one, other] = [await openWhole(path.join(root, 'x.gz')), await openWhole(path.join(root, 'x.gz'))];
  await one.write('first');
  await other.write('sec');
  await one.finish();
  await other.write('ond');
  await expect(other.finish()).rejects.toMatchObject({ code: 'EEXIST' });
  expect(() => writeWhole(path.join(root, 'x.gz'), 'third', true)).toThrow('EEXIST');
  expect([readdirSync(root), readFileSync(path.join(root, 'x.gz'), 'utf8')]).toEqual([['x.gz'], 'first']);
});

it('removes what a killed process has left an hour ago, and nothing that another one writes', () => {
  const root = createRoot();
  const [left, written] = ['.signpost-0123456789ab.tmp', '.site.yaml.0123456789ab.tmp'];
  for (const name of [left, written]) writeFileSync(path.join(root, name), 'half');
  const old = Date.now() / 1000 - 3_601;
  utimesSync(path.join(root, left), old, old);
  writeWhole(path.join(root, 'a'), 'a');
  expect(readdirSync(root).sort()).toEqual([written, 'a']);
});

it('leaves no temporary file after an error, and writes where there are no links', () => {
  const root = createRoot();
  const fail = (name: 'linkSync' | 'fsyncSync', code: string) =>
    vi.spyOn(DISK, name).mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
  onTestFinished(() => void vi.restoreAllMocks());
  const sync = fail('fsyncSync', 'ENOSPC');
  expect(() => writeWhole(path.join(root, 'a'), 'a')).toThrow('ENOSPC');
  sync.mockRestore();
  expect(readdirSync(root)).toEqual([]);
  fail('linkSync', 'ENOTSUP');
  writeWhole(path.join(root, 'a'), 'a', true);
  expect(() => writeWhole(path.join(root, 'a'), 'b', true)).toThrow('ENOTSUP');
  expect(readFileSync(path.join(root, 'a'), 'utf8')).toBe('a');
});

it('keeps the mode of a file, writes to a device, and changes nothing that was changed meanwhile', () => {
  const root = createRoot();
  const file = path.join(root, 'a');
  writeFileSync(file, 'old', { mode: 0o640 });
  expect(writeWhole(file, 'new', false, () => 'changed')).toBe('changed');
  expect(readFileSync(file, 'utf8')).toBe('old');
  writeWhole(file, 'new');
  expect(statSync(file).mode & 0o777).toBe(0o640);
  writeWhole('/dev/null', ['report']);
  expect(lstatSync('/dev/null').isFile()).toBe(false);
  writeNote(path.join(root, 'note'), '1');
  remove(path.join(root, 'missing/file'));
  expect(existsSync(path.join(root, 'note'))).toBe(true);
});
