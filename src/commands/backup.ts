import { chmodSync, copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LAST_CONTENT_FILE } from '../content-files/content-source.ts';
import { SECRETS_FILE } from '../content-files/secret-file.ts';
import { EventArchiver } from '../stores/archive.ts';
import { ARCHIVE_FOLDER, createFolderEventArchive } from '../stores/folder-archive.ts';
import { writeLastBackup } from '../stores/last-backup.ts';
import {
  createOwnFolder,
  createPrivateFile,
  createPrivateFolder,
  PRIVATE_FILE,
  protectDataFolder,
} from '../stores/private-files.ts';
import { createNodeSqliteReader, DATABASE_FILE } from '../stores/sql/node-sqlite/node-sqlite-executor.ts';
import { defineCommand, UsageError } from './command.ts';
import type { CommandSite } from './site.ts';

const USAGE = `Usage:
  npm run -s backup -- FOLDER
  npm run -s backup -- FOLDER --keep 14    a backup in a folder of its own below FOLDER, and removes all but the newest 14

Copies every database of DATA_DIR (./data), the archive of events, the last valid content and the secrets of
networks to FOLDER, also while the site runs, and prints the
paths of the copied databases. Only you can read the copies.`;

/** `npm run backup`: copies every database of the site, also while it runs. */
export const command = defineCommand({
  usage: USAGE,
  options: { keep: { type: 'string' } },
  words: [1, 1],
  async run({ values: { keep }, positionals: [folder = ''] }, io, site: CommandSite) {
    const { DATA_DIR } = site.readSettings('DATA_DIR');
    if (keep !== undefined && !/^[1-9]\d{0,3}$/.test(keep))
      throw new UsageError(`--keep is a number, not "${keep}".`);
    const target = path.resolve(folder, keep === undefined ? '' : buildBackupName(Date.now()));
    if (keep !== undefined) createOwnFolder(path.dirname(target));
    const copies = backUp(DATA_DIR, target);
    await copyArchive(DATA_DIR, target);
    for (const name of [LAST_CONTENT_FILE, SECRETS_FILE])
      if (existsSync(path.join(DATA_DIR, name)))
        copyFileSync(path.join(DATA_DIR, name), path.join(target, name));
    protectDataFolder(target);
    writeLastBackup(DATA_DIR, Date.now());
    if (keep !== undefined) removeOldBackups(path.dirname(target), Number(keep));
    io.stdout.write(copies.map((copy) => `${copy}\n`).join(''));
  },
});

/** The name of a backup in a folder of several: `20261126T031500Z`. */
const buildBackupName = (now: number) => new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');

/** Removes the oldest backups of a folder, and nothing with another name. */
function removeOldBackups(folder: string, keep: number): void {
  const names = readdirSync(folder).filter((name) => /^\d{8}T\d{6}Z$/.test(name));
  for (const name of names.sort().slice(0, -keep)) rmSync(path.join(folder, name), { recursive: true });
}

/** Copies `*.sqlite` and `*.db` of one folder into another, each whole or not at all. Returns the copies' paths. */
function backUp(from: string, to: string): string[] {
  const names = existsSync(from) ? readdirSync(from).filter((name) => /\.(sqlite|db)$/.test(name)) : [];
  if (names.length === 0)
    throw new Error(
      `There is nothing to back up in ${from}: set DATA_DIR to the folder that the site writes to.`,
    );
  createOwnFolder(to);
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
  createPrivateFile(partial);
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

/**
 * Copies the archived files that the copied database counts: the events of one that was written since are in the
 * database. Throws when one was removed meanwhile, because its other events are in a file that the copy does not list.
 */
async function copyArchive(from: string, to: string): Promise<void> {
  const [source, target] = [path.join(from, ARCHIVE_FOLDER), path.join(to, ARCHIVE_FOLDER)];
  const database = path.join(to, DATABASE_FILE);
  if (!existsSync(database)) return;
  const reader = createNodeSqliteReader(database, () => undefined, true);
  const files = await new EventArchiver(reader, createFolderEventArchive(source)).list();
  await reader.close();
  if (files.length > 0) createPrivateFolder(target);
  for (const { name } of files) {
    if (!existsSync(path.join(source, name))) {
      throw new Error(
        `The archived file ${name} is missing or was removed meanwhile. Run the command again.`,
      );
    }
    copyFileSync(path.join(source, name), path.join(target, name));
    chmodSync(path.join(target, name), PRIVATE_FILE);
  }
}
