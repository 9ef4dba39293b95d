import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parseJson } from '../core/text/parse-text.ts';
import { parseArchiveName } from './archive-name.ts';

/** The mode of files with data: databases have tokens, messages of visitors and hashes of passwords. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Creates a folder that only its owner can open, and the folders above it as usual. One that exists stays as it is. */
export function createPrivateFolder(folder: string): void {
  mkdirSync(path.dirname(folder), { recursive: true });
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
}

/** As `createPrivateFolder`, for a command: says what root has to do where this user may not write. */
export function createOwnFolder(folder: string): void {
  try {
    createPrivateFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    const [user, group] = [process.getuid?.(), process.getgid?.()];
    throw new Error(
      `${folder} cannot be written by this user. As root, run first: install -d -o ${user} -g ${group} -m 700 ${folder}`,
      { cause: error },
    );
  }
}

/** Creates an empty file that only its owner can read, unless there is a file. */
export function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', PRIVATE_FILE));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** Writes a file that only its owner can read, also beside another process. A power cut leaves the old content or the new. */
export function writePrivateFile(file: string, content: string | Uint8Array): void {
  const partial = `${file}.${process.pid}.partial`;
  writeFileSync(partial, content, { mode: PRIVATE_FILE, flush: true });
  renameSync(partial, file);
  syncFile(path.dirname(file));
}

/** Waits until the content of a file, or the names in a folder, are on the disk. */
export function syncFile(file: string, disk = { closeSync, fsyncSync, openSync }): void {
  const handle = disk.openSync(file, 'r');
  try {
    disk.fsyncSync(handle);
  } finally {
    disk.closeSync(handle);
  }
}

/** Waits until a folder is on the disk with its name and everything in it. Links are not followed. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== MOUNT_POINT) syncTree(file);
    else if (entry.isFile()) syncFile(file);
  }
  for (const one of [folder, path.dirname(path.resolve(folder))]) syncFile(one);
}

/** Reads a file of JSON; undefined where none can be read. */
export function readJsonFile(file: string): unknown {
  try {
    return parseJson(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Takes the rights of other users from a file or a folder; one that is missing or of another user stays as it is. */
export function makePrivate(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & 0o077) === 0) return;
  try {
    chmodSync(file, stats.mode & PRIVATE_FOLDER);
  } catch (error) {
    // Of another user, or on a file system without modes or without writing: there is nothing that the site could do.
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

const DATABASE = /^(?:(?:events|commissions|console|notifications)\.sqlite|articles-[a-z]+\.db)/;
const DATABASE_PART = /^(?:-wal|-shm|-journal|\.created|\.(?:quarantine|lost)-.*|\.(?:\d+\.)?partial)?$/;
const MARK =
  /^(?:(?:last-)?backup|first-start|sample-data|last-content|network-secrets)\.json(?:\.(?:\d+\.)?partial)?$/;
/** What a file system has in the folder at which it is mounted. */
const MOUNT_POINT = 'lost+found';

/**
 * Takes the rights of other users from everything of the site in a data folder or a backup: earlier versions created
 * files that every user of the machine could read. Other files stay as they are, and with them the folder.
 */
export function protectDataFolder(folder: string): void {
  const others = listEntries(folder).filter((name) => !protectEntry(path.join(folder, name)));
  if (others.length === 0) makePrivate(folder);
}

/** The folder of an upload, see `UploadFolder`. */
const UPLOAD = /^(?:arriving-)?[0-9a-f-]{36}(?:-links)?$/;

/** Protects a file or folder of the site; returns false for others. */
function protectEntry(file: string): boolean {
  const name = path.basename(file);
  if (name === MOUNT_POINT) return true;
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  if (stats.isDirectory()) return protectFolder(file, name);
  const rest = name.replace(DATABASE, '');
  const isOwn = (rest !== name && DATABASE_PART.test(rest)) || MARK.test(name);
  // A link may lead to any file of the machine.
  if (isOwn && stats.isFile()) makePrivate(file);
  return isOwn;
}

function protectFolder(folder: string, name: string): boolean {
  const names = listEntries(folder);
  if (name === 'archive') {
    const others = names.filter((entry) => parseArchiveName(entry.replace(/\.partial$/, '')) === null);
    for (const entry of names) if (!others.includes(entry)) makePrivate(path.join(folder, entry));
    if (others.length > 0) return false;
  } else if (name === 'copy' && names.includes('status.json')) {
    for (const entry of names) makePrivate(path.join(folder, entry));
  } else if (name === 'images' && names.includes('images.json')) {
    for (const entry of names) makePrivate(path.join(folder, entry));
  } else if (
    (name === 'edge' && names.includes('form-key')) ||
    (name === 'uploads' && names.every((entry) => UPLOAD.test(entry)))
  ) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isSymbolicLink()) makePrivate(path.join(entry.parentPath, entry.name));
    }
  } else if (name === 'demo' && names.includes('sample-data.json')) {
    protectDataFolder(folder);
    return true;
  } else return false;
  makePrivate(folder);
  return true;
}

function listEntries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that is missing is created later, private; one that cannot be read is not the site's.
    return [];
  }
}
