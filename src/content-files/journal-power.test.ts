import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import { type CutAct, cutEverywhere, PowerCut } from '../../test/support/forgetful-disk.ts';
import { DISK, type Disk } from '../stores/disk.ts';
import { ContentJournal } from './journal.ts';

const OWN = 'own';

type Files = Readonly<Record<string, string | null>>;

const SEVEN = ['1', '2', '3', '4', '5', '6', '7'];
const PIECES = Object.fromEntries(SEVEN.map((name) => [`articles/${name}.md`, `old ${name}`]));
const OLD: Readonly<Record<string, string>> = { 'site.yaml': 'old site', ...PIECES };
const ACTS: Readonly<Record<string, Files>> = {
  rename: { 'articles/new.md': 'old 1', 'redirects/console.csv': '1,new', 'articles/1.md': null },
  'find and replace': Object.fromEntries(SEVEN.map((name) => [`articles/${name}.md`, `new ${name}`])),
  import: { 'articles/8.md': 'eight', 'images/2026/11/a.jpg': 'image', 'partners/shop.yaml': 'shop' },
  removal: { 'articles/1.md': null, 'articles/2.md': null },
};

function createRoot(files: Readonly<Record<string, string>>): string {
  const root = createFolder();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return root;
}

function read(root: string): Files {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.[a-z]+$/.test(name) && !name.startsWith('.import'));
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(path.join(root, name), 'utf8')]));
}

const sort = (files: Files) =>
  Object.fromEntries(
    Object.entries(files)
      .filter(([, text]) => text !== null)
      .sort(),
  );
/** Opens the journal two minutes later, when a process that was killed counts as ended. */
const open = (root: string, owner = OWN, disk = DISK) =>
  new ContentJournal(
    root,
    () => owner,
    disk,
    () => Date.now() + 120_000,
  );

function write(root: string, disk: Disk, act: Files): void {
  const staged = new ContentJournal(root, () => OWN, disk).begin();
  for (const [file, text] of Object.entries(act)) staged.add(file, text);
  staged.commit();
}

const build = (act: Files): CutAct => {
  const [before, after] = [sort(OLD), sort({ ...OLD, ...act })];
  return {
    prepare: () => createRoot(OLD),
    act: (root, { disk }) => write(root, disk, act),
    check(root, isAcknowledged, where) {
      expect(open(root).look(), where).toBeNull();
      if (isAcknowledged) expect(read(root), where).toEqual(after);
      else expect([before, after], where).toContainEqual(read(root));
    },
  };
};

it.each(Object.entries(ACTS))(
  'has all of a %s on the disk when it is acknowledged, and all or nothing before',
  async (_, act) => void (await cutEverywhere(build(act))),
);

/** Leaves the content as a process does that is killed after it has written or removed one file. */
function leave(act: Files): string {
  const root = createRoot(OLD);
  let written = 0;
  const disk = new Proxy(DISK, {
    get:
      (_, name) =>
      (...parameters: unknown[]) => {
        const isWritten =
          name === 'renameSync' || (name === 'rmSync' && !/\.import/.test(String(parameters[0])));
        if (isWritten) written += 1;
        if (written > 1 && name !== 'closeSync') throw new PowerCut();
        return Reflect.apply(Reflect.get(DISK, name), null, parameters);
      },
  });
  expect(() => write(root, disk, act)).toThrow(PowerCut);
  return root;
}

const ENDS = Object.keys(ACTS).flatMap((name) =>
  (['undo', 'finish', 'start'] as const).map((choice) => [name, choice] as const),
);
const ENDED = 'has all of a %s on the disk once it is ended by %s, also when that is cut';
/** These write few files, and so have few places to cut at. */
const isShort = ([name]: readonly [string, unknown]) => name === 'rename' || name === 'removal';
it.each(ENDS.filter(isShort))(ENDED, endCut);
it.each(ENDS.filter((one) => !isShort(one)))(ENDED, { tags: ['rest'] }, endCut);

async function endCut(name: string, choice: 'undo' | 'finish' | 'start'): Promise<void> {
  const act = ACTS[name] ?? {};
  const expected = sort(choice === 'finish' ? { ...OLD, ...act } : OLD);
  const look = (root: string, disk = DISK) => open(root, choice === 'start' ? OWN : 'another', disk).look();
  const end = (root: string, disk = DISK) => {
    const hold = look(root, disk);
    if (hold?.kind === 'foreign')
      open(root, 'another', disk).resolve(choice === 'finish' ? 'finish' : 'undo');
    else if (hold !== null) throw new Error(hold.reason);
  };
  await cutEverywhere({
    prepare: () => leave(act),
    act: (root, { disk }) => end(root, disk),
    check(root, isAcknowledged, where) {
      if (isAcknowledged) expect(look(root), where).toBeNull();
      end(root);
      expect(read(root), where).toEqual(expected);
    },
  });
}

it('never finishes what was undone in part before a power cut', async () => {
  const act = ACTS['rename'] ?? {};
  const [before, after] = [sort(OLD), sort({ ...OLD, ...act })];
  await cutEverywhere({
    prepare: () => leave(act),
    act: (root, { disk }) => open(root, 'another', disk).resolve('undo'),
    check(root, _, where) {
      const journal = open(root, 'another');
      if (journal.look() !== null) {
        try {
          journal.resolve('finish');
        } catch (error) {
          expect(String(error)).toContain('undo the rest');
          journal.resolve('undo');
        }
      }
      expect([before, after], where).toContainEqual(read(root));
    },
  });
});
