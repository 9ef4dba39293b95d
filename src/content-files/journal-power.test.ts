import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { IS_FULL_LENGTH } from '../../test/support/cases.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { ContentJournal, DISK } from './journal.ts';

const OWN = 'own';

interface FileNode {
  data: string;
  durable: string;
}
interface FolderNode {
  readonly entries: Map<string, FileNode | FolderNode>;
  readonly durable: Map<string, FileNode | FolderNode>;
}
type DiskNode = FileNode | FolderNode;
/** A change of names that is not on the disk until one of its folders is synced. */
interface NameChange {
  readonly folders: readonly FolderNode[];
  readonly makeDurable: () => void;
}

class PowerCut extends Error {}

const createFolderNode = (): FolderNode => ({ entries: new Map(), durable: new Map() });

/**
 * A disk that stores what was synced, and of the rest what chance leaves: names of a folder in any order, files empty.
 * Only a rename is one step, as in ext4, XFS and btrfs.
 */
class ForgetfulDisk {
  readonly root: string;
  readonly disk: typeof DISK;
  calls = 0;
  readonly #tree: FolderNode;
  readonly #handles = new Map<number, DiskNode>();
  #pending: NameChange[] = [];

  constructor(root: string, lastCall = Number.MAX_SAFE_INTEGER) {
    this.root = root;
    this.#tree = readTree(root);
    const act = (name: keyof typeof DISK, parameters: readonly unknown[]) => {
      if (this.calls >= lastCall && name !== 'closeSync') throw new PowerCut();
      this.calls += 1;
      const result: unknown = Reflect.apply(DISK[name], null, parameters);
      this.#note(name, parameters, result);
      return result;
    };
    this.disk = new Proxy(DISK, {
      get:
        (_, name) =>
        (...parameters: unknown[]) =>
          act(name as keyof typeof DISK, parameters),
    });
  }

  /** Writes the disk as it is after a power cut into a folder, which is returned. `isStored`: of each unsynced change. */
  cut(isStored: () => boolean): string {
    for (const { makeDurable } of this.#pending) if (isStored()) makeDurable();
    const root = createFolder();
    const write = (folder: string, node: FolderNode) => {
      for (const [name, one] of node.durable) {
        const at = path.join(folder, name);
        if ('data' in one) writeFileSync(at, isStored() ? one.data : one.durable);
        else {
          mkdirSync(at);
          write(at, one);
        }
      }
    };
    write(root, this.#tree);
    return root;
  }

  #note(call: keyof typeof DISK, [first, second]: readonly unknown[], result: unknown): void {
    if (call === 'mkdirSync') this.#makeFolders(String(first));
    else if (call === 'openSync') {
      if (second !== 'r') this.#create(String(first), '');
      this.#handles.set(Number(result), this.#find(String(first)));
    } else if (call === 'writeFileSync') {
      const node = this.#handles.get(Number(first));
      if (node !== undefined && 'data' in node) node.data += String(second);
    } else if (call === 'copyFileSync') this.#create(String(second), readFileSync(String(second), 'utf8'));
    else if (call === 'fsyncSync') this.#sync(this.#handles.get(Number(first)));
    else if (call === 'renameSync') this.#rename(String(first), String(second));
    else if (call === 'rmSync') this.#remove(String(first));
  }

  #parts = (at: string) => path.relative(this.root, at).split(path.sep).filter(Boolean);

  #look(at: string): DiskNode | undefined {
    let node: DiskNode | undefined = this.#tree;
    for (const name of this.#parts(at)) node = node && 'entries' in node ? node.entries.get(name) : undefined;
    return node;
  }

  #find(at: string): DiskNode {
    const node = this.#look(at);
    if (node === undefined) throw new Error(`${at} is not there`);
    return node;
  }

  #folderOf(at: string): FolderNode {
    const node = this.#find(path.dirname(at));
    if ('data' in node) throw new Error(`${at} is in no folder`);
    return node;
  }

  #put(folder: FolderNode, name: string, node: DiskNode): void {
    folder.entries.set(name, node);
    this.#pending.push({ folders: [folder], makeDurable: () => folder.durable.set(name, node) });
  }

  #create = (at: string, data: string) =>
    this.#put(this.#folderOf(at), path.basename(at), { data, durable: '' });

  #makeFolders(at: string): void {
    let folder = this.#tree;
    for (const name of this.#parts(at)) {
      const found = folder.entries.get(name);
      const next = found !== undefined && 'entries' in found ? found : createFolderNode();
      if (found === undefined) this.#put(folder, name, next);
      folder = next;
    }
  }

  #sync(node: DiskNode | undefined): void {
    if (node === undefined) return;
    if ('data' in node) node.durable = node.data;
    else
      this.#pending = this.#pending.filter(({ folders, makeDurable }) => {
        const isNamed = folders.includes(node);
        if (isNamed) makeDurable();
        return !isNamed;
      });
  }

  #rename(from: string, to: string): void {
    const [source, target, node] = [this.#folderOf(from), this.#folderOf(to), this.#find(from)];
    source.entries.delete(path.basename(from));
    target.entries.set(path.basename(to), node);
    const makeDurable = () => {
      if (source.durable.get(path.basename(from)) === node) source.durable.delete(path.basename(from));
      target.durable.set(path.basename(to), node);
    };
    this.#pending.push({ folders: [source, target], makeDurable });
  }

  #remove(at: string): void {
    if (this.#look(at) === undefined) return;
    const [folder, name, node] = [this.#folderOf(at), path.basename(at), this.#find(at)];
    if ('entries' in node) for (const child of [...node.entries.keys()]) this.#remove(path.join(at, child));
    folder.entries.delete(name);
    const makeDurable = () => {
      if (folder.durable.get(name) === node) folder.durable.delete(name);
    };
    this.#pending.push({ folders: [folder], makeDurable });
  }
}

function readTree(folder: string): FolderNode {
  const node = createFolderNode();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name);
    const data = entry.isDirectory() ? '' : readFileSync(at, 'utf8');
    const child = entry.isDirectory() ? readTree(at) : { data, durable: data };
    node.entries.set(entry.name, child);
    node.durable.set(entry.name, child);
  }
  return node;
}

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

function write(root: string, disk: typeof DISK, act: Files): void {
  const staged = new ContentJournal(root, () => OWN, disk).begin();
  for (const [file, text] of Object.entries(act)) staged.add(file, text);
  staged.commit();
}

/** Nothing of what was not synced is stored, everything, or what chance leaves. */
function createChances(): readonly (() => boolean)[] {
  const random = (seed: number) => {
    let state = seed * 7919 + 1;
    return () => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return state / 2147483648 < 0.5;
    };
  };
  return [() => false, () => true, ...(IS_FULL_LENGTH ? [1, 2] : [1]).map(random)];
}

/** Does something, with the power cut before each of its calls and right after the last; `check` gets what is left. */
function cutEverywhere(
  prepare: () => string,
  act: (root: string, disk: typeof DISK) => void,
  check: (root: string, isAcknowledged: boolean, where: string) => void,
): void {
  for (let calls = 0, isDone = false; !isDone; calls += 1) {
    for (const [chance, isStored] of createChances().entries()) {
      const disk = new ForgetfulDisk(prepare(), calls);
      try {
        act(disk.root, disk.disk);
        isDone = true;
      } catch (error) {
        if (disk.calls < calls) throw error;
      }
      check(disk.cut(isStored), isDone, `call ${calls}, chance ${chance}`);
    }
  }
}

it.each(Object.entries(ACTS))(
  'has all of a %s on the disk when it is acknowledged, and all or nothing before',
  (_, act) => {
    const [before, after] = [sort(OLD), sort({ ...OLD, ...act })];
    cutEverywhere(
      () => createRoot(OLD),
      (root, disk) => write(root, disk, act),
      (root, isAcknowledged, where) => {
        expect(open(root).look(), where).toBeNull();
        if (isAcknowledged) expect(read(root), where).toEqual(after);
        else expect([before, after], where).toContainEqual(read(root));
      },
    );
  },
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

it.each(
  Object.entries(ACTS).flatMap(([name, act]) =>
    (['undo', 'finish', 'start'] as const).map((choice) => [name, choice, act] as const),
  ),
)('has all of a %s on the disk once it is ended by %s, also when that is cut', (_, choice, act) => {
  const expected = sort(choice === 'finish' ? { ...OLD, ...act } : OLD);
  const look = (root: string, disk = DISK) => open(root, choice === 'start' ? OWN : 'another', disk).look();
  const end = (root: string, disk = DISK) => {
    const hold = look(root, disk);
    if (hold?.kind === 'foreign')
      open(root, 'another', disk).resolve(choice === 'finish' ? 'finish' : 'undo');
    else if (hold !== null) throw new Error(hold.reason);
  };
  cutEverywhere(
    () => leave(act),
    end,
    (root, isAcknowledged, where) => {
      if (isAcknowledged) expect(look(root), where).toBeNull();
      end(root);
      expect(read(root), where).toEqual(expected);
    },
  );
});

it('never finishes what was undone in part before a power cut', () => {
  const act = ACTS['rename'] ?? {};
  const [before, after] = [sort(OLD), sort({ ...OLD, ...act })];
  cutEverywhere(
    () => leave(act),
    (root, disk) => open(root, 'another', disk).resolve('undo'),
    (root, _, where) => {
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
  );
});
