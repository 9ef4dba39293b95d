import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, link, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * What writes, and all that does: the other modules may import only what reads from `node:fs`. The journal of the content
 * uses these functions too; a test of a power cut passes its own.
 */
export const DISK = {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
};
export type Disk = typeof DISK;

/** The mode of files with data: databases have tokens, messages of visitors and hashes of passwords. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** The name of a file that is not whole yet: in the folder of its target, hidden, and of this write alone. */
const nameTemporary = (target: string) =>
  path.join(path.dirname(target), `.signpost-${randomBytes(6).toString('hex')}.tmp`);
/** Earlier versions had the name of the target in it. */
const TEMPORARY = /^\..*[.-][0-9a-f]{12}\.tmp$/;
/** Whether a name is that of a file that is not whole yet. */
export const isTemporary = (name: string): boolean => TEMPORARY.test(name);
/** A file that is written changes all the time: what is older was left by a process that was killed. */
const LEFT_MS = 3_600_000;

function removeLeft(folder: string, disk: Disk): void {
  for (const name of readdirSync(folder).filter(isTemporary)) {
    const file = path.join(folder, name);
    const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > LEFT_MS) disk.rmSync(file, { force: true });
  }
}

/**
 * Writes a file of which a reader finds the old content or the new one, whatever happens meanwhile, also a loss of power or
 * another process that writes it. It is on the disk when this returns. `isNew`: throws where there is a file. `findChange`
 * is called right before it is in place and prevents it with what it returns, null excepted. `mode`: left out, that of the
 * file before.
 */
export function writeWhole<Change = never>(
  target: string,
  content: string | Uint8Array | Iterable<string>,
  isNew = false,
  findChange: () => Change | null = () => null,
  mode?: number,
  disk = DISK,
): Change | null {
  const folder = path.dirname(target);
  const before = statSync(target, { throwIfNoEntry: false });
  const isText = typeof content === 'string' || content instanceof Uint8Array;
  const parts = isText ? [content] : content;
  // A device such as /dev/null is never replaced by a file.
  if (before !== undefined && !before.isFile() && !before.isDirectory()) {
    for (const part of parts) disk.writeFileSync(target, part);
    return null;
  }
  removeLeft(folder, disk);
  const temporary = nameTemporary(target);
  try {
    writeDurably(temporary, parts, mode ?? (before?.mode ?? 0o644) & 0o777, disk);
    const changed = findChange();
    if (changed !== null) return changed;
    put(temporary, target, isNew, disk);
    syncFile(folder, disk);
    return null;
  } finally {
    disk.rmSync(temporary, { force: true });
  }
}

/** Writes a file that only its owner can read, as `writeWhole` does. */
export const writePrivateFile = (file: string, content: string | Uint8Array, disk = DISK): void =>
  void writeWhole(file, content, false, undefined, PRIVATE_FILE, disk);

/** Writes a file that may be older or empty after a loss of power: waiting for the disk would cost more than it is worth. */
export function writeNote(file: string, text: string, disk = DISK): void {
  const temporary = nameTemporary(file);
  try {
    disk.writeFileSync(temporary, text, { flag: 'wx', mode: PRIVATE_FILE });
    disk.renameSync(temporary, file);
  } finally {
    disk.rmSync(temporary, { force: true });
  }
}

const PART_LENGTH = 2 ** 16;

/** Writes a new file under a name that nobody reads yet, and waits until its content is on the disk. */
export function writeDurably(
  file: string,
  parts: Iterable<string | Uint8Array>,
  mode: number,
  disk: Disk,
): void {
  const handle = disk.openSync(file, 'wx', mode);
  try {
    let text = '';
    for (const part of parts) {
      if (typeof part !== 'string') disk.writeFileSync(handle, part);
      else text += part;
      if (text.length < PART_LENGTH) continue;
      disk.writeFileSync(handle, text);
      text = '';
    }
    if (text !== '') disk.writeFileSync(handle, text);
    // The mode at its creation is less what the process masks.
    disk.fchmodSync(handle, mode);
    disk.fsyncSync(handle);
  } finally {
    disk.closeSync(handle);
  }
}

const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
const readCode = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Names a file; a new one never in the place of another. */
function put(from: string, to: string, isNew: boolean, disk: Disk): void {
  try {
    if (isNew) disk.linkSync(from, to);
    else disk.renameSync(from, to);
  } catch (error) {
    if (!isNew || !NO_LINKS.has(readCode(error)) || existsSync(to)) throw error;
    disk.renameSync(from, to);
  }
}

/** As `DISK`, for what must not hold the thread. */
export const SLOW_DISK = { link, open, rename, rm };

/** A file that is written in parts. One of `finish` and `discard` ends it. */
export interface WholeFile {
  readonly write: (part: string | Uint8Array) => Promise<void>;
  /** Resolves once the file is in its place and on the disk. Rejects with EEXIST where a new one is not new any more. */
  readonly finish: () => Promise<void>;
  readonly discard: () => Promise<void>;
}

/** Begins a file that has its name only once it is whole, as with `writeWhole`, and does not hold the thread. */
export async function openWhole(
  target: string,
  { isNew = true, mode = PRIVATE_FILE } = {},
  disk = SLOW_DISK,
): Promise<WholeFile> {
  removeLeft(path.dirname(target), DISK);
  const temporary = nameTemporary(target);
  const handle = await disk.open(temporary, 'wx', mode);
  const discard = async () => {
    await handle.close();
    await disk.rm(temporary, { force: true });
  };
  return {
    write: (part) => handle.appendFile(part),
    discard,
    async finish() {
      try {
        await handle.sync();
        if (isNew) {
          await disk.link(temporary, target).catch((error: unknown) => {
            if (!NO_LINKS.has(readCode(error)) || existsSync(target)) throw error;
            return disk.rename(temporary, target);
          });
        } else await disk.rename(temporary, target);
        const folder = await disk.open(path.dirname(target), 'r');
        try {
          await folder.sync();
        } finally {
          await folder.close();
        }
      } finally {
        await discard();
      }
    },
  };
}

/** Writes a private file as `writeWhole` does, without holding the thread. */
export async function storeWhole(
  target: string,
  content: string | Uint8Array,
  isNew = false,
  disk = SLOW_DISK,
): Promise<void> {
  const file = await openWhole(target, { isNew }, disk);
  try {
    await file.write(content);
  } catch (error) {
    await file.discard();
    throw error;
  }
  await file.finish();
}

/** Creates an empty file that only its owner can read, unless there is a file. */
export function createPrivateFile(file: string, disk = DISK): void {
  try {
    disk.closeSync(disk.openSync(file, 'wx', PRIVATE_FILE));
  } catch (error) {
    if (readCode(error) !== 'EEXIST') throw error;
    return;
  }
  syncFile(path.dirname(file), disk);
}

/** Creates a folder, and the folders above it as usual. One that exists stays as it is. */
export function createFolder(folder: string, mode = 0o777, disk = DISK): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = path.dirname(path.resolve(folder));
  createFolder(above, undefined, disk);
  try {
    disk.mkdirSync(folder, { mode });
  } catch (error) {
    // Another process has created it meanwhile.
    if (readCode(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
  syncFile(above, disk);
}

/** Creates a folder that only its owner can open. */
export const createPrivateFolder = (folder: string): void => createFolder(folder, PRIVATE_FOLDER);

/** As `createPrivateFolder`, for a command: says what root has to do where this user may not write. */
export function createOwnFolder(folder: string): void {
  try {
    createPrivateFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const code = readCode(error);
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    const [user, group] = [process.getuid?.(), process.getgid?.()];
    throw new Error(
      `${folder} cannot be written by this user. As root, run first: install -d -o ${user} -g ${group} -m 700 ${folder}`,
      { cause: error },
    );
  }
}

/** Takes the rights of other users from a file or a folder; one that is missing or of another user stays as it is. */
export function makePrivate(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & 0o077) === 0) return;
  try {
    DISK.chmodSync(file, stats.mode & PRIVATE_FOLDER);
  } catch (error) {
    // Of another user, or on a file system without modes or without writing: there is nothing that the site could do.
    if (readCode(error) === undefined) throw error;
  }
}

/** Moves a file or folder, in the place of a file that is there unless it is `isNew`, and waits until the disk has it. */
export function move(from: string, to: string, isNew = false, disk = DISK): void {
  put(from, to, isNew, disk);
  if (isNew) disk.rmSync(from, { force: true });
  for (const folder of new Set([from, to].map((one) => path.dirname(path.resolve(one)))))
    syncFile(folder, disk);
}

/** Removes a file, or a folder with everything in it, for good: no loss of power brings it back. */
export function remove(file: string, disk = DISK): void {
  if (statSync(path.dirname(path.resolve(file)), { throwIfNoEntry: false }) === undefined) return;
  disk.rmSync(file, { recursive: true, force: true });
  syncFile(path.dirname(path.resolve(file)), disk);
}

/** Removes what would be removed once more if a loss of power brought it back, without holding the thread. */
export const discard = (file: string): Promise<void> => SLOW_DISK.rm(file, { recursive: true, force: true });

type CopyOptions = Pick<
  NonNullable<Parameters<typeof cpSync>[2]>,
  'filter' | 'preserveTimestamps' | 'dereference'
>;

/** Copies a file or a folder to where nobody reads it yet, and waits until all of it is on the disk. */
export function copyWhole(from: string, to: string, options: CopyOptions = {}): void {
  DISK.cpSync(from, to, { recursive: true, ...options });
  if (statSync(to).isDirectory()) syncTree(to);
  else for (const one of [to, path.dirname(path.resolve(to))]) syncFile(one);
}

/** Writes a file into a folder that nobody reads before `syncTree` has all of it on the disk, as a build does. */
export const writeDraft = (file: string, content: string | Uint8Array): Promise<void> =>
  writeFile(file, content);
/** Copies a file into such a folder. */
export const copyDraft = (from: string, to: string): Promise<void> => copyFile(from, to);
/** Names a file in such a folder too, or copies it to another disk or where there are no links. */
export function linkDraft(from: string, to: string): void {
  try {
    DISK.linkSync(from, to);
  } catch {
    DISK.copyFileSync(from, to);
  }
}

/** Waits until the content of a file, or the names in a folder, are on the disk. */
export function syncFile(
  file: string,
  disk: Pick<Disk, 'closeSync' | 'fsyncSync' | 'openSync'> = DISK,
): void {
  const handle = disk.openSync(file, 'r');
  try {
    disk.fsyncSync(handle);
  } finally {
    disk.closeSync(handle);
  }
}

/** What a file system has in the folder at which it is mounted. */
export const MOUNT_POINT = 'lost+found';

/** Waits until a folder is on the disk with its name and everything in it. Links are not followed. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== MOUNT_POINT) syncTree(file);
    else if (entry.isFile()) syncFile(file);
  }
  for (const one of [folder, path.dirname(path.resolve(folder))]) syncFile(one);
}

/** Opens a file for reading. */
export const openToRead = (file: string): number => DISK.openSync(file, 'r');
/** Opens a file for reading, without holding the thread. */
export const openReader = (file: string) => SLOW_DISK.open(file, 'r');

/** What a failure is that no owner and no mode of a file has to do with, with what to do; null: another one. */
export function explainPassing(code: string): string | null {
  if (code === 'EMFILE' || code === 'ENFILE')
    return `too many files are open (${code}). Raise the limit of open files of the site (LimitNOFILE, ulimit -n).`;
  if (code === 'EIO')
    return 'the disk cannot be read or written (EIO). Look at the disk and at the log of the system.';
  return null;
}

/** Why a file could not be written or removed, as a sentence. */
export function explainWriteFailure(error: unknown): string {
  const code = String(readCode(error) ?? '');
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) {
    return 'The disk is full. Nothing was changed: free some space and try again.';
  }
  if (code === 'EROFS')
    return 'The content folder is mounted read-only: mount it for writing, or edit the files in a shell.';
  if (code === 'EACCES' || code === 'EPERM') {
    const user = process.getuid?.() ?? 'USER';
    return `The content folder cannot be written by the site: run “chown -R ${user} content” as an administrator, or edit the files in a shell.`;
  }
  const passing = explainPassing(code);
  if (passing !== null) return `The file could not be written: ${passing} Nothing was changed.`;
  if (code === 'ENOENT') return 'The folder of the file does not exist. Nothing was changed.';
  return `The file could not be written (${code || error}). Nothing was changed.`;
}
