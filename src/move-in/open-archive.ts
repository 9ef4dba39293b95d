import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { MoveInError } from './former-item.ts';

/** The files of a folder or an archive, by their paths with `/` between folders; sorted. */
export interface FileTree {
  readonly names: readonly string[];
  readonly read: (name: string) => Buffer;
}

/** A larger file is neither a post nor an image. */
const MAX_FILE_BYTES = 100_000_000;
const MAX_FILES = 200_000;

/** Opens a folder, or an archive in the form of ZIP or tar. Throws `MoveInError` when it is neither, or damaged. */
export function openFileTree(location: string): FileTree {
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
  const handle = openSync(file, 'r');
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
  return { names, read: (name) => readFileSync(path.join(root, name)) };
}

interface ZipEntry {
  readonly offset: number;
  readonly compressed: number;
  readonly size: number;
  readonly method: number;
}

const END_BYTES = 22;
const MAX_COMMENT = 65_535;

function openZip(file: string): FileTree {
  const name = path.basename(file);
  const damaged = (reason: string) =>
    new MoveInError(`${name} is not a ZIP archive that can be read: ${reason}.`);
  const { size } = statSync(file);
  const read = (offset: number, length: number): Buffer => {
    const bytes = readAt(file, offset, length);
    if (bytes.length < length) throw damaged('it is cut off');
    return bytes;
  };
  const tail = read(Math.max(0, size - END_BYTES - MAX_COMMENT), Math.min(size, END_BYTES + MAX_COMMENT));
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0 || end + END_BYTES > tail.length) throw damaged('its list of files is missing');
  const [count, length, start] = [
    tail.readUInt16LE(end + 10),
    tail.readUInt32LE(end + 12),
    tail.readUInt32LE(end + 16),
  ];
  if (count > MAX_FILES || start === 0xffffffff || start + length > size)
    throw damaged('it is larger than 4 GB or damaged');
  const list = read(start, length);
  const entries = new Map<string, ZipEntry>();
  for (let at = 0; at + 46 <= list.length && list.readUInt32LE(at) === 0x02014b50; ) {
    const [nameLength, extra, comment] = [
      list.readUInt16LE(at + 28),
      list.readUInt16LE(at + 30),
      list.readUInt16LE(at + 32),
    ];
    const entry = list.toString('utf8', at + 46, at + 46 + nameLength).replaceAll('\\', '/');
    if (isFileName(entry) && !entry.startsWith('__MACOSX/')) {
      entries.set(entry, {
        offset: list.readUInt32LE(at + 42),
        compressed: list.readUInt32LE(at + 20),
        size: list.readUInt32LE(at + 24),
        method: list.readUInt16LE(at + 10),
      });
    }
    at += 46 + nameLength + extra + comment;
  }
  return {
    names: [...entries.keys()].sort(),
    read(wanted) {
      const entry = entries.get(wanted);
      if (entry === undefined) throw damaged(`it has no ${wanted}`);
      if (entry.size > MAX_FILE_BYTES)
        throw damaged(`${wanted} is larger than ${MAX_FILE_BYTES / 1_000_000} MB`);
      const head = read(entry.offset, 30);
      const begin = entry.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
      const data = read(begin, entry.compressed);
      if (entry.method === 0) return data;
      if (entry.method !== 8) throw damaged(`${wanted} is compressed in another way than usual`);
      try {
        // An archive can say any size: more than this is not unpacked.
        return inflateRawSync(data, { maxOutputLength: MAX_FILE_BYTES });
      } catch {
        throw damaged(`${wanted} is damaged or too large`);
      }
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
  const entries = new Map<string, { readonly offset: number; readonly size: number }>();
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
    if ((type === '' || type === '0') && isFileName(entry)) entries.set(entry, { offset: begin, size });
    if (entries.size > MAX_FILES) throw damaged(`it has more than ${MAX_FILES} files`);
  }
  return {
    names: [...entries.keys()].sort(),
    read(wanted) {
      const entry = entries.get(wanted);
      if (entry === undefined) throw damaged(`it has no ${wanted}`);
      if (entry.size > MAX_FILE_BYTES)
        throw damaged(`${wanted} is larger than ${MAX_FILE_BYTES / 1_000_000} MB`);
      return readAt(file, entry.offset, entry.size);
    },
  };
}
