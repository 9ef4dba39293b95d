import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { reportProgress } from '../core/clock.ts';
import { readMissingImage } from '../core/pages/images/content-image.ts';

/** Content files have some kilobytes. */
const MAX_FILE_BYTES = 4_000_000;

/**
 * Reads a text file of the folder `root`. `problem` continues a sentence that begins with the file: it is missing, too
 * large, not UTF-8, no regular file (reading a pipe would never end), or a link that leaves the folder.
 */
export function readTextFile(
  root: string,
  file: string,
): { readonly text: string } | { readonly problem: string } {
  reportProgress();
  const full = path.join(root, file);
  try {
    if (lstatSync(full).isSymbolicLink() && !isInside(realpathSync(full), realpathSync(root))) {
      return { problem: 'is a link to a file outside of the folder: copy the file' };
    }
    const stats = statSync(full);
    if (stats.isDirectory()) return { problem: 'is a folder, not a file' };
    if (!stats.isFile()) return { problem: 'is not a regular file' };
    if (stats.size > MAX_FILE_BYTES) return { problem: `is larger than ${MAX_FILE_BYTES / 1_000_000} MB` };
    return decode(readFileSync(full));
  } catch (error) {
    return { problem: explain(error) };
  }
}

/** Looks at a file; undefined when it is missing, or a link that leads nowhere. */
export function findFileStats(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Lists the names in a folder, sorted: none when there is no such folder; `problem` continues a sentence about it. */
export function readNames(folder: string): { readonly names: readonly string[]; readonly problem?: string } {
  try {
    return { names: readdirSync(folder).sort() };
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? { names: [] } : { names: [], problem: explain(error) };
  }
}

/** Lists what is below a folder, with `/` between names; without what is in folders that cannot be read. */
export function listFilesBelow(root: string, folder = ''): string[] {
  try {
    return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = path.posix.join(folder, entry.name);
      return entry.isDirectory() ? [name, ...listFilesBelow(root, name)] : [name];
    });
  } catch {
    return [];
  }
}

function decode(bytes: Uint8Array): { readonly text: string } | { readonly problem: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    const [before = ''] = new TextDecoder().decode(bytes).split('\uFFFD', 1);
    const line = before.split('\n').length;
    return { problem: `is not UTF-8 (line ${line}): save it in that encoding` };
  }
}

function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return !relative.startsWith('..') && !path.isAbsolute(relative);
}

function explain(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return 'is missing, or a link to a file that does not exist';
  if (code === 'ELOOP') return 'is a link that leads back to itself';
  return `cannot be read (${code || error})`;
}

/** Whether an image is not there because it is being converted: the file is. `images/` is below `root`. */
export function isBeingConverted(root: string, problem: string): boolean {
  const name = readMissingImage(problem);
  return name !== null && findFileStats(path.join(root, 'images', name))?.isFile() === true;
}
