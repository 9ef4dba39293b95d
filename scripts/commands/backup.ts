import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { writeLastBackup } from '../../src/stores/data-marks.ts';
import { ARCHIVE_FOLDER } from '../../src/stores/folder-archive.ts';
import { defineCommand } from './command.ts';
import type { CommandSite } from './site.ts';

const USAGE = `Usage:
  npm run -s backup -- FOLDER

Copies every database of DATA_DIR (./data) and the archive of events to FOLDER, also while the site runs, and prints the
paths of the copied databases.`;

/** `npm run backup`: copies every database of the site, also while it runs. */
export const command = defineCommand({
  usage: USAGE,
  options: {},
  words: [1, 1],
  run({ positionals: [folder = ''] }, io, site: CommandSite) {
    const { DATA_DIR } = site.readSettings('DATA_DIR');
    const target = path.resolve(folder);
    const copies = backUp(DATA_DIR, target);
    // After the databases: an event that is archived meanwhile is in both copies, never in none.
    const archive = path.join(DATA_DIR, ARCHIVE_FOLDER);
    if (existsSync(archive)) cpSync(archive, path.join(target, ARCHIVE_FOLDER), { recursive: true });
    writeLastBackup(DATA_DIR, Date.now());
    io.stdout.write(copies.map((copy) => `${copy}\n`).join(''));
  },
});

/** Copies `*.sqlite` and `*.db` of one folder into another, each whole or not at all. Returns the copies' paths. */
function backUp(from: string, to: string): string[] {
  const names = existsSync(from) ? readdirSync(from).filter((name) => /\.(sqlite|db)$/.test(name)) : [];
  if (names.length === 0)
    throw new Error(
      `There is nothing to back up in ${from}: set DATA_DIR to the folder that the site writes to.`,
    );
  mkdirSync(to, { recursive: true });
  return names.map((name) => {
    const target = path.join(to, name);
    if (existsSync(target)) throw new Error(`${target} is there already: use an empty folder.`);
    copyDatabase(path.join(from, name), target);
    return target;
  });
}

function copyDatabase(file: string, target: string): void {
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  const source = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  source.prepare('VACUUM INTO ?').run(partial);
  source.close();
  const copy = new DatabaseSync(partial, { readOnly: true });
  const found = copy.prepare('PRAGMA integrity_check').get() as { integrity_check?: unknown } | undefined;
  copy.close();
  if (found?.integrity_check !== 'ok')
    throw new Error(`The copy of ${file} failed its integrity check. It is at ${partial}.`);
  renameSync(partial, target);
}
