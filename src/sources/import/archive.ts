import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { ImportError } from './former-item.ts';

/** The files of a folder or an archive, by their paths with `/` between folders; sorted. */
export interface FileTree {
  readonly names: readonly string[];
  readonly read: (name: string) => Buffer;
}

/** A larger file is neither a post nor an image. */
const MAX_FILE_BYTES = 100_000_000;
const MAX_FILES = 200_000;

/** Opens a folder or a ZIP archive. Throws `ImportError` when it is neither, or damaged. */
export function openFileTree(location: string): FileTree {
  const stats = statSync(location, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return openFolder(location);
  if (stats?.isFile()) return openZip(location);
  throw new ImportError(`There is no folder or archive ${location}.`);
}

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
    new ImportError(`${name} is not a ZIP archive that can be read: ${reason}.`);
  const { size } = statSync(file);
  const readAt = (offset: number, length: number): Buffer => {
    const handle = openSync(file, 'r');
    try {
      const buffer = Buffer.alloc(length);
      if (readSync(handle, buffer, 0, length, offset) < length) throw damaged('it is cut off');
      return buffer;
    } finally {
      closeSync(handle);
    }
  };
  const tail = readAt(Math.max(0, size - END_BYTES - MAX_COMMENT), Math.min(size, END_BYTES + MAX_COMMENT));
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0 || end + END_BYTES > tail.length) throw damaged('its list of files is missing');
  const [count, length, start] = [
    tail.readUInt16LE(end + 10),
    tail.readUInt32LE(end + 12),
    tail.readUInt32LE(end + 16),
  ];
  if (count > MAX_FILES || start === 0xffffffff || start + length > size)
    throw damaged('it is larger than 4 GB or damaged');
  const list = readAt(start, length);
  const entries = new Map<string, ZipEntry>();
  for (let at = 0; at + 46 <= list.length && list.readUInt32LE(at) === 0x02014b50; ) {
    const [nameLength, extra, comment] = [
      list.readUInt16LE(at + 28),
      list.readUInt16LE(at + 30),
      list.readUInt16LE(at + 32),
    ];
    const entry = list.toString('utf8', at + 46, at + 46 + nameLength).replaceAll('\\', '/');
    const isFile = !entry.endsWith('/') && !entry.startsWith('/') && !entry.split('/').includes('..');
    if (isFile && !entry.startsWith('__MACOSX/')) {
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
      const head = readAt(entry.offset, 30);
      const begin = entry.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
      const data = readAt(begin, entry.compressed);
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
