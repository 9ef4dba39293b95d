import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DISK, type Disk, SLOW_DISK } from '../../src/stores/disk.ts';
import { IS_FULL_LENGTH, IS_USUAL } from './cases.ts';
import { createFolder } from './create-folder.ts';

interface FileNode {
  data: string;
  durable: string;
}
interface FolderNode {
  readonly entries: Map<string, DiskNode>;
  readonly durable: Map<string, DiskNode>;
}
type DiskNode = FileNode | FolderNode;
/** A change of names that is not on the disk until one of its folders is synced. */
interface NameChange {
  readonly folders: readonly FolderNode[];
  readonly makeDurable: () => void;
  readonly undo: () => void;
}
/** A disk after a power cut: texts by name, `null` for a folder. */
type Left = Readonly<Record<string, string | null>>;

export class PowerCut extends Error {}

const createFolderNode = (): FolderNode => ({ entries: new Map(), durable: new Map() });

/**
 * A disk that stores what was synced, and of the rest what chance leaves: names of a folder in any order, files empty. Only a
 * rename is one step, as in ext4, XFS and btrfs. `forgottenSync`: the sync of this number, from 0, does nothing.
 */
export class ForgetfulDisk {
  readonly root: string;
  readonly disk: Disk;
  readonly slow: typeof SLOW_DISK;
  calls = 0;
  syncs = 0;
  readonly #tree: FolderNode;
  readonly #handles = new Map<number, DiskNode>();
  #pending: NameChange[] = [];

  constructor(root: string, lastCall = Number.MAX_SAFE_INTEGER, forgottenSync = -1) {
    this.root = root;
    this.#tree = readTree(root);
    const act = (name: keyof Disk, parameters: readonly unknown[]): unknown => {
      if (this.calls >= lastCall && name !== 'closeSync') throw new PowerCut();
      this.calls += 1;
      // The disk of the machine has nothing to store.
      const result: unknown = name === 'fsyncSync' ? undefined : Reflect.apply(DISK[name], null, parameters);
      const isForgotten = name === 'fsyncSync' && this.syncs++ === forgottenSync;
      if (!isForgotten) this.#note(name, parameters, result);
      return result;
    };
    const call =
      (name: keyof Disk) =>
      (...parameters: unknown[]) =>
        act(name, parameters);
    this.disk = new Proxy(DISK, { get: (_, name) => call(name as keyof Disk) });
    const later = async (name: keyof Disk, parameters: readonly unknown[]) => act(name, parameters);
    this.slow = new Proxy(SLOW_DISK, {
      get:
        (_, name) =>
        async (...parameters: unknown[]) => {
          const handle = await later(`${String(name)}Sync` as keyof Disk, parameters);
          return {
            appendFile: (part: unknown) => later('writeFileSync', [handle, part]),
            sync: () => later('fsyncSync', [handle]),
            close: () => later('closeSync', [handle]),
          };
        },
    });
  }

  /** What a power cut leaves. `isStored` is asked about each change that is not synced. */
  cut(isStored: () => boolean): Left {
    const undone = this.#pending.filter(isStored);
    for (const { makeDurable } of undone) makeDurable();
    const left: Record<string, string | null> = {};
    const list = (place: string, node: FolderNode) => {
      for (const [name, one] of node.durable) {
        const at = path.join(place, name);
        if ('entries' in one) {
          left[at] = null;
          list(at, one);
        } else left[at] = one.data === one.durable || !isStored() ? one.durable : one.data;
      }
    };
    list('', this.#tree);
    for (const { undo } of undone.toReversed()) undo();
    return left;
  }

  #note(call: keyof Disk, [first, second]: readonly unknown[], result: unknown): void {
    if (call === 'mkdirSync') this.#makeFolders(String(first));
    else if (call === 'openSync') {
      if (second !== 'r') this.#create(String(first), '');
      this.#handles.set(Number(result), this.#find(String(first)));
    } else if (call === 'writeFileSync') {
      const node = typeof first === 'number' ? this.#handles.get(first) : this.#create(String(first), '');
      if (node !== undefined && 'data' in node) node.data += String(second);
    } else if (call === 'copyFileSync') this.#create(String(second), readFileSync(String(second), 'utf8'));
    else if (call === 'linkSync')
      this.#put(this.#folderOf(String(second)), path.basename(String(second)), this.#find(String(first)));
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
    // What is above the folder of the test is there for good.
    const node = path.relative(this.root, at).startsWith('..') ? createFolderNode() : this.#look(at);
    if (node === undefined) throw new Error(`${at} is not there`);
    return node;
  }

  #folderOf(at: string): FolderNode {
    const node = this.#find(path.dirname(at));
    if ('data' in node) throw new Error(`${at} is in no folder`);
    return node;
  }

  /** Notes what the next sync of one of the folders stores. */
  #await(folders: readonly FolderNode[], change: () => void): void {
    let before: readonly (readonly [FolderNode, ReadonlyMap<string, DiskNode>])[] = [];
    const makeDurable = () => {
      before = folders.map((folder) => [folder, new Map(folder.durable)] as const);
      change();
    };
    const undo = () => {
      for (const [folder, names] of before) {
        folder.durable.clear();
        for (const [name, node] of names) folder.durable.set(name, node);
      }
    };
    this.#pending.push({ folders, makeDurable, undo });
  }

  #put(folder: FolderNode, name: string, node: DiskNode): void {
    folder.entries.set(name, node);
    this.#await([folder], () => folder.durable.set(name, node));
  }

  #create(at: string, data: string): FileNode {
    const node = { data, durable: '' };
    this.#put(this.#folderOf(at), path.basename(at), node);
    return node;
  }

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
    this.#await([source, target], () => {
      if (source.durable.get(path.basename(from)) === node) source.durable.delete(path.basename(from));
      target.durable.set(path.basename(to), node);
    });
  }

  #remove(at: string): void {
    if (this.#look(at) === undefined) return;
    const [folder, name, node] = [this.#folderOf(at), path.basename(at), this.#find(at)];
    if ('entries' in node) for (const child of [...node.entries.keys()]) this.#remove(path.join(at, child));
    folder.entries.delete(name);
    this.#await([folder], () => {
      if (folder.durable.get(name) === node) folder.durable.delete(name);
    });
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

/** Writes what a power cut has left into a folder, which is returned. */
function restore(left: Left): string {
  const root = createFolder();
  for (const [name, text] of Object.entries(left)) {
    const at = path.join(root, name);
    if (text === null) mkdirSync(at);
    else writeFileSync(at, text);
  }
  return root;
}

/** Up to so many changes that are not synced, every subset of them is tried, else so many at random. */
const [MOST, AT_RANDOM] = IS_FULL_LENGTH ? [12, 10_000] : IS_USUAL ? [2, 2] : [3, 8];

/** Every sequence of answers that a cut asks for, or that many at random; `ask` runs a cut. */
function forEachChance(ask: (isStored: () => boolean) => void): void {
  let answers: boolean[] = [];
  for (let runs = 0; runs < 2 ** MOST; runs += 1) {
    let asked = 0;
    ask(() => {
      if (asked === answers.length) answers.push(false);
      asked += 1;
      return answers[asked - 1] ?? false;
    });
    const next = answers.slice(0, asked).lastIndexOf(false);
    if (next < 0) return;
    answers = [...answers.slice(0, next), true];
  }
  let state = 7919;
  ask(() => true);
  for (let run = 0; run < AT_RANDOM; run += 1)
    ask(() => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return state / 2147483648 < 0.5;
    });
}

export interface CutAct {
  /** Makes the folder before the act. */
  readonly prepare: () => string;
  readonly act: (root: string, disk: ForgetfulDisk) => unknown;
  /** Throws when the disk is not as it has to be. `isAcknowledged`: whether the act had returned. */
  readonly check: (root: string, isAcknowledged: boolean, where: string) => void;
}

/** Does something, with the power cut before each of its calls and after the last; returns how many syncs it has. */
export async function cutEverywhere({ prepare, act, check }: CutAct, forgottenSync = -1): Promise<number> {
  const seen = new Set<string>();
  for (let calls = 0; ; calls += 1) {
    const disk = new ForgetfulDisk(prepare(), calls, forgottenSync);
    let isDone = false;
    try {
      await act(disk.root, disk);
      isDone = true;
    } catch (error) {
      if (disk.calls < calls) throw error;
    }
    forEachChance((isStored) => {
      const left = disk.cut(isStored);
      const key = `${isDone} ${JSON.stringify(left)}`;
      if (seen.has(key)) return;
      seen.add(key);
      check(restore(left), isDone, `call ${calls}: ${key.slice(0, 1_000)}`);
    });
    if (isDone) return disk.syncs;
  }
}

/** Numbers of the syncs of an act without which no cut is noticed, from 0. */
export async function listNeedlessSyncs(one: CutAct): Promise<readonly number[]> {
  const needless: number[] = [];
  const syncs = await cutEverywhere(one);
  for (let sync = 0; sync < syncs; sync += 1) {
    const isNeedless = await cutEverywhere(one, sync).then(
      () => true,
      () => false,
    );
    if (isNeedless) needless.push(sync);
  }
  return needless;
}
