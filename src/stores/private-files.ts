import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseJson } from '../core/text/parse-text.ts';
import { parseArchiveName } from './archive-name.ts';
import { isTemporary, MOUNT_POINT, makePrivate } from './disk.ts';

/** Reads a file of JSON; undefined where none can be read. */
export function readJsonFile(file: string): unknown {
  try {
    return parseJson(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const DATABASE = /^(?:(?:events|commissions|console|notifications)\.sqlite|articles-[a-z]+\.db)/;
const DATABASE_PART =
  /^(?:-wal|-shm|-journal|\.created|\.(?:quarantine|lost|short)-.*|\.(?:\d+\.)?partial)?$/;
const MARK =
  /^(?:(?:last-)?backup|first-start|sample-data|last-content|network-secrets|back|versions)\.(?:json|pid)(?:\.(?:\d+\.)?partial)?$/;
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
  const isOwn = (rest !== name && DATABASE_PART.test(rest)) || MARK.test(name) || isTemporary(name);
  // A link may lead to any file of the machine.
  if (isOwn && stats.isFile()) makePrivate(file);
  return isOwn;
}

function protectFolder(folder: string, name: string): boolean {
  const names = listEntries(folder);
  if (name === 'archive') {
    const others = names.filter(
      (entry) => !isTemporary(entry) && parseArchiveName(entry.replace(/\.partial$/, '')) === null,
    );
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
