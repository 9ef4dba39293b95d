import { closeSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';
import { openToRead } from '../stores/disk.ts';
import { MoveInError } from './former-item.ts';

/** The files of a folder or an archive, by their paths with `/` between folders; sorted. */
export interface FileTree {
  readonly names: readonly string[];
  readonly read: (name: string) => Promise<Buffer>;
  /** When a file was last changed. */
  readonly getDate: (name: string) => Date;
}

/** A larger file is neither a post nor an image. */
const MAX_FILE_BYTES = 100_000_000;
const TOO_LARGE = `larger than ${MAX_FILE_BYTES / 1_000_000} MB`;
const MAX_FILES = 200_000;

/** Opens a folder, or an archive in the form of ZIP or tar. Rejects with `MoveInError` when it is neither, or damaged. */
export async function openFileTree(location: string): Promise<FileTree> {
  const stats = statSync(location, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return openFolder(location);
  if (!stats?.isFile()) throw new MoveInError(`There is no folder or archive ${location}.`);
  const head = readAt(location, 0, Math.min(stats.size, TAR_BLOCK));
  if (head.toString('latin1', 257, 262) === 'ustar') return openTar(location);
  // The files of a compressed stream can be reached one after the other only.
  if (head.length > 1 && head.readUInt16BE(0) === 0x1f8b)
    throw new MoveInError(
      `${path.basename(location)} is compressed as a whole: unpack it and name the folder.`,
    );
  return openZip(location);
}

/** Reads a part of a file; less at its end. */
function readAt(file: string, offset: number, length: number): Buffer {
  const handle = openToRead(file);
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(handle, buffer, 0, length, offset));
  } finally {
    closeSync(handle);
  }
}

/** Whether an entry of an archive is a file that the import may read, wherever its name leads. */
const isFileName = (name: string) =>
  !name.endsWith('/') && !name.startsWith('/') && !name.split('/').includes('..');

function openFolder(root: string): FileTree {
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((name) => !name.split('/').some((part) => part === 'node_modules' || part === '.git'))
    .sort();
  return {
    names,
    read: async (name) => readFileSync(path.join(root, name)),
    getDate: (name) => statSync(path.join(root, name)).mtime,
  };
}

async function openZip(file: string): Promise<FileTree> {
  const damaged = (reason: string) =>
    new MoveInError(
      `${path.basename(file)} is not a ZIP archive that can be read: ${reason.replace(/\.$/, '')}.`,
    );
  const explain = (error: unknown) => {
    throw damaged(error instanceof Error ? error.message : 'it is damaged');
  };
  // Open until the command ends: images are read when a text shows them.
  const zip = await openPromise(file, { autoClose: false, decodeStrings: false }).catch(explain);
  if (zip.entryCount > MAX_FILES) throw damaged(`it has more than ${MAX_FILES} files`);
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      // Names are in UTF-8 also where an archive does not say so.
      const name = entry.fileNameRaw.toString('utf8').replaceAll('\\', '/');
      if (isFileName(name) && !name.startsWith('__MACOSX/')) entries.set(name, entry);
    }
  } catch (error) {
    explain(error);
  }
  return {
    names: [...entries.keys()].sort(),
    getDate: (name) => entries.get(name)?.getLastModDate() ?? new Date(Number.NaN),
    async read(wanted) {
      const entry = entries.get(wanted);
      if (entry === undefined) throw damaged(`it has no ${wanted}`);
      // An archive can say any size; the library ends when a file has more than it says.
      if (entry.uncompressedSize > MAX_FILE_BYTES) throw damaged(`${wanted} is ${TOO_LARGE}`);
      if (!entry.canDecodeFileData())
        throw damaged(`${wanted} is encrypted, or compressed in another way than usual`);
      const bytes = await zip.openReadStreamPromise(entry).then(buffer).catch(explain);
      if (crc32(bytes) !== entry.crc32) throw damaged(`${wanted} is damaged`);
      return bytes;
    },
  };
}

const TAR_BLOCK = 512;
/** A longer name of a file is damage. */
const MAX_NAME_BYTES = 64_000;

function openTar(file: string): FileTree {
  const name = path.basename(file);
  const damaged = (reason: string) =>
    new MoveInError(`${name} is not a tar archive that can be read: ${reason}.`);
  const { size: total } = statSync(file);
  const entries = new Map<string, { readonly offset: number; readonly size: number; readonly date: Date }>();
  let longName = '';
  for (let at = 0; ; ) {
    const head = readAt(file, at, TAR_BLOCK);
    if (head.length < TAR_BLOCK) throw damaged('it is cut off');
    // An empty block is its end.
    if (head[0] === 0) break;
    const getText = (from: number, length: number) =>
      head.toString('utf8', from, from + length).replace(/\0[\s\S]*$/, '');
    const size = Number.parseInt(getText(124, 12).trim() || '0', 8);
    if (getText(257, 5) !== 'ustar' || Number.isNaN(size) || at + TAR_BLOCK + size > total)
      throw damaged('it is cut off');
    const type = getText(156, 1);
    const begin = at + TAR_BLOCK;
    at = begin + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
    if (type === 'L' || type === 'x') {
      if (size > MAX_NAME_BYTES) throw damaged('a name in it is too long');
      const text = readAt(file, begin, size).toString('utf8');
      longName =
        type === 'L' ? text.replace(/\0[\s\S]*$/, '') : (/^\d+ path=(.*)$/m.exec(text)?.[1] ?? longName);
      continue;
    }
    // The fields of GNU's form are others after the magic word and its two spaces.
    const folder = head[262] === 0 ? getText(345, 155) : '';
    const entry = (longName || [folder, getText(0, 100)].filter(Boolean).join('/')).replace(/^(?:\.\/)+/, '');
    longName = '';
    if ((type === '' || type === '0') && isFileName(entry))
      entries.set(entry, {
        offset: begin,
        size,
        date: new Date(Number.parseInt(getText(136, 12), 8) * 1000),
      });
    if (entries.size > MAX_FILES) throw damaged(`it has more than ${MAX_FILES} files`);
  }
  return {
    names: [...entries.keys()].sort(),
    getDate: (name) => entries.get(name)?.date ?? new Date(Number.NaN),
    async read(wanted) {
      const entry = entries.get(wanted);
      if (entry === undefined) throw damaged(`it has no ${wanted}`);
      if (entry.size > MAX_FILE_BYTES) throw damaged(`${wanted} is ${TOO_LARGE}`);
      return readAt(file, entry.offset, entry.size);
    },
  };
}
