import { existsSync, renameSync, statSync } from 'node:fs';

/** The files SQLite keeps beside the database; the first may hold commits that are nowhere else. */
const COMPANIONS = ['-wal', '-shm'];

/** Identity of the file behind a name, to notice that somebody replaced it; empty when there is none. */
export function readFileIdentity(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : '';
}

/**
 * Renames a database that cannot be used, with its companions, to a free name with the time
 * (`events.sqlite.broken-20251120T042459Z`). Returns the new name. Nothing is ever deleted.
 */
export function setFileAside(file: string, now: Date): string {
  const aside = findFreeName(file, now);
  for (const companion of ['', ...COMPANIONS]) {
    if (existsSync(file + companion)) renameSync(file + companion, aside + companion);
  }
  return aside;
}

/** Whether commits lie beside a database that is missing or empty: opening it would make SQLite delete them. */
export function hasOrphanedCommits(file: string): boolean {
  const size = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
  return size(file) === 0 && size(`${file}-wal`) > 0;
}

/** The name does not end like a database's: a backup of all databases must not stop at a broken one. */
function findFreeName(file: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  for (let copy = 1; ; copy++) {
    const aside = `${file}.broken-${time}${copy > 1 ? `-${copy}` : ''}`;
    if (!existsSync(aside) && !existsSync(`${aside}-wal`)) return aside;
  }
}
