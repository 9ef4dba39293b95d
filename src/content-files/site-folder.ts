import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Where a file of the sources is: from them, and from a build, whose programs are in `dist/server`. Null: nowhere. */
export function locateSource(name: string): string | null {
  const places = ['..', '../../src', '../../../src'].map((up) => path.resolve(import.meta.dirname, up, name));
  return places.find((place) => existsSync(place)) ?? null;
}

let shipped: ReadonlyMap<string, string> | undefined;

/**
 * The SHA-256 of the files of the sample as they ship, by their path below the content folder; none when the sample is not
 * beside the program. In a clone, where it can be edited, these are the files that git knows as they are.
 */
export function readShippedHashes(): ReadonlyMap<string, string> {
  if (shipped !== undefined) return shipped;
  const folder = locateSource('../content');
  const changed = folder === null ? null : listChanged(folder);
  const files = folder === null || changed === null ? [] : listContentFiles(folder);
  shipped = new Map(
    files
      .filter((file) => !changed?.has(file))
      .map((file) => [file, hash('sha256', readFileSync(path.join(String(folder), file)), 'hex')]),
  );
  return shipped;
}

/** What git says is changed in a folder; nothing outside of a clone, null when it cannot say it. */
function listChanged(folder: string): ReadonlySet<string> | null {
  if (!existsSync(path.join(folder, '../.git'))) return new Set();
  const words = ['ls-files', '-z', '--modified', '--deleted', '--others'];
  const { status, stdout } = spawnSync('git', words, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? new Set(stdout.split('\0')) : null;
}

/** The content files below a folder, without those of programs. */
export const listContentFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((file) => !file.startsWith('.') && file !== 'page.schema.json')
    .sort();
