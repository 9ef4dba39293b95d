// npm run -s backup -- FOLDER: copies every database of the site, also while it runs.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseSettings } from '../../src/server/settings.ts';
import { writeLastBackup } from '../../src/stores/data-marks.ts';
import { ARCHIVE_FOLDER } from '../../src/stores/folder-event-archive.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { runCommand } from './arguments/run-command.ts';

const USAGE = `Usage:
  npm run -s backup -- FOLDER

Copies every database of DATA_DIR (./data) and the archive of events to FOLDER, also while the site runs, and prints the
paths of the copied databases.`;

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

const [folder = ''] = parseArguments(USAGE, { options: {}, words: { min: 1, max: 1 } }).positionals;
await runCommand(() => {
  const { DATA_DIR } = parseSettings({ DATA_DIR: process.env['DATA_DIR'] });
  const target = path.resolve(folder);
  const copies = backUp(DATA_DIR, target);
  // After the databases: an event that is archived meanwhile is in both copies, never in none.
  const archive = path.join(DATA_DIR, ARCHIVE_FOLDER);
  if (existsSync(archive)) cpSync(archive, path.join(target, ARCHIVE_FOLDER), { recursive: true });
  writeLastBackup(DATA_DIR, Date.now());
  return copies.map((copy) => `${copy}\n`).join('');
});
