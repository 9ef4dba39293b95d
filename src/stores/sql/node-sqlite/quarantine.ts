import { existsSync, renameSync } from 'node:fs';

/** The database itself and the files that SQLite keeps beside it; the log may hold commits that are nowhere else. */
const SUFFIXES = ['', '-wal', '-shm'];

/**
 * Renames a database that cannot be used, with its write-ahead log, to a free name with the time:
 * `events.sqlite.quarantine-20251120T042459Z`. Returns the new path. Nothing is deleted.
 */
export function quarantine(file: string, now: Date): string {
  const target = findFreeName(file, now);
  for (const suffix of SUFFIXES) {
    if (existsSync(file + suffix)) renameSync(file + suffix, target + suffix);
  }
  return target;
}

/** The name does not end like a database's, so that a backup of every database does not stop at a damaged one. */
function findFreeName(file: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  for (let copy = 1; ; copy++) {
    const name = `${file}.quarantine-${time}${copy > 1 ? `-${copy}` : ''}`;
    if (!SUFFIXES.some((suffix) => existsSync(name + suffix))) return name;
  }
}
