import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { syncFile } from '../stores/private-files.ts';

/**
 * Writes a file of which a reader finds the old content or the new one, whatever happens meanwhile. `findChange` is
 * called right before that and prevents it with what it returns, null excepted. `isNew`: throws where there is a file.
 * `mode`: left out, that of the file before.
 */
export function writeWhole<Change>(
  target: string,
  content: string | Uint8Array,
  isNew: boolean,
  findChange: () => Change | null,
  mode?: number,
): Change | null {
  const folder = path.dirname(target);
  removeLeftovers(target);
  // Its ending is that of no content file, so that it is never read as one.
  const temporary = path.join(folder, `${nameTemporary(target)}${randomBytes(6).toString('hex')}.tmp`);
  try {
    const before = statSync(target, { throwIfNoEntry: false })?.mode ?? 0o644;
    writeDurably(temporary, content, mode ?? before & 0o777);
    // The file may have been changed while this one was checked.
    const changed = findChange();
    if (changed !== null) return changed;
    // A link is refused where there is a file meanwhile; a rename would replace it.
    if (isNew) linkSync(temporary, target);
    else renameSync(temporary, target);
    syncFile(folder);
    return null;
  } finally {
    rmSync(temporary, { force: true });
  }
}

const nameTemporary = (target: string) => `.${path.basename(target)}.`;

/** Removes what a process has left that was killed while it wrote. */
function removeLeftovers(target: string): void {
  const [folder, prefix] = [path.dirname(target), nameTemporary(target)];
  for (const name of readdirSync(folder))
    if (name.startsWith(prefix) && name.endsWith('.tmp')) rmSync(path.join(folder, name), { force: true });
}

function writeDurably(file: string, content: string | Uint8Array, mode: number): void {
  const descriptor = openSync(file, 'wx', mode);
  try {
    writeFileSync(descriptor, content);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Why a file could not be written or removed, as a sentence. */
export function explainWriteFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) {
    return 'The disk is full. Nothing was changed: free some space and try again.';
  }
  if (code === 'EROFS')
    return 'The content folder is mounted read-only: mount it for writing, or edit the files in a shell.';
  if (code === 'EACCES' || code === 'EPERM') {
    const user = process.getuid?.() ?? 'USER';
    return `The content folder cannot be written by the site: run “chown -R ${user} content” as an administrator, or edit the files in a shell.`;
  }
  if (code === 'ENOENT') return 'The folder of the file does not exist. Nothing was changed.';
  return `The file could not be written (${code || error}). Nothing was changed.`;
}
