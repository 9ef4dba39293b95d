import { createHash } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { LAST_CONTENT_FILE } from '../content-files/content-source.ts';
import { SECRETS_FILE } from '../content-files/secret-file.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { EventArchiver } from '../stores/archive.ts';
import { ARCHIVE_FOLDER, createFolderEventArchive } from '../stores/folder-archive.ts';
import { writeLastBackup } from '../stores/last-backup.ts';
import {
  createOwnFolder,
  createPrivateFile,
  createPrivateFolder,
  PRIVATE_FILE,
  protectDataFolder,
  syncFile,
  syncTree,
} from '../stores/private-files.ts';
import { createNodeSqliteReader, DATABASE_FILE } from '../stores/sql/node-sqlite/node-sqlite-executor.ts';
import { defineCommand, UsageError } from './command.ts';
import type { CommandSite } from './site.ts';

const RUN = nameCommand('backup');

const USAGE = `Usage:
  ${RUN} FOLDER
  ${RUN} FOLDER --keep 14    a backup in a folder of its own below FOLDER, and removes all but the newest 14

Copies every database of DATA_DIR (./data), the archive of events, the last valid content and the secrets of
networks to FOLDER, also while the site runs, and prints the paths of the copied databases. Only you can read the
copies. backup.json is written last: a backup without it was interrupted.`;

/** `signpost backup`: copies every database of the site, also while it runs. */
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
    const draft = keep === undefined ? target : `${target}.partial`;
    const databases = backUp(DATA_DIR, draft);
    const archived = await copyArchive(DATA_DIR, draft);
    const others = [LAST_CONTENT_FILE, SECRETS_FILE].filter((name) => existsSync(path.join(DATA_DIR, name)));
    for (const name of others) copyFileSync(path.join(DATA_DIR, name), path.join(draft, name));
    protectDataFolder(draft);
    syncTree(draft);
    const list: BackupList = {};
    for (const name of [...databases, ...archived, ...others])
      list[name] = await describeFile(path.join(draft, name));
    writeFileSync(path.join(draft, CLAIM), JSON.stringify({ format: 1, files: list }, null, 1), {
      flush: true,
    });
    renameSync(path.join(draft, CLAIM), path.join(draft, BACKUP_LIST));
    syncFile(draft);
    if (draft !== target) renameSync(draft, target);
    syncFile(path.dirname(target));
    writeLastBackup(DATA_DIR, Date.now());
    if (keep !== undefined) removeOldBackups(path.dirname(target), Number(keep));
    io.stdout.write(databases.map((name) => `${path.join(target, name)}\n`).join(''));
  },
});

/** What makes a folder a backup: the size and the hash of each of its files, written when all of them are on the disk. */
export const BACKUP_LIST = 'backup.json';
/** Is there while a backup is written, and after one was interrupted. */
const CLAIM = `${BACKUP_LIST}.partial`;
const isBelow = (name: string) => !path.isAbsolute(name) && !path.normalize(name).startsWith('..');
const listSchema = z.strictObject({
  format: z.literal(1),
  files: z.record(z.string().min(1).refine(isBelow), z.strictObject({ bytes: z.int(), sha256: z.string() })),
});
export type BackupList = z.output<typeof listSchema>['files'];

async function describeFile(file: string): Promise<BackupList[string]> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return { bytes: statSync(file).size, sha256: hash.digest('hex') };
}

/** Reads what a backup consists of, by name; null for one of an earlier version, which has no list. Throws when it is not whole. */
export function readBackupList(folder: string): BackupList | null {
  const names = readdirSync(folder);
  if (names.includes(BACKUP_LIST)) {
    const list = listSchema.safeParse(parseJson(readFileSync(path.join(folder, BACKUP_LIST), 'utf8')));
    if (list.success) return list.data.files;
    throw new Error(`${path.join(folder, BACKUP_LIST)} is damaged. Nothing was restored.`);
  }
  const part = names.find((name) => name === CLAIM || /\.(?:sqlite|db)\.partial$/.test(name));
  if (part === undefined) return null;
  throw new Error(`The backup ${folder} was interrupted: it has ${part}. Nothing was restored.`);
}

/** Finds what is wrong with the files of a backup, which may have been copied since, as parts of a sentence. */
export async function findBackupFaults(folder: string, list: BackupList | null): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const name of list === null ? readdirSync(folder) : Object.keys(list)) {
    const file = path.join(folder, name);
    if (!existsSync(file)) faults.push(`${name} is missing`);
    else if (list !== null && (await describeFile(file)).sha256 !== list[name]?.sha256)
      faults.push(`${name} is not as its list has it`);
    else if (DATABASE.test(name) && !isSound(file)) faults.push(`${name} is damaged`);
  }
  return faults;
}

const DATABASE = /\.(?:sqlite|db)$/;

/** Whether all pages of a database can be read. An empty file is not a database. */
function isSound(file: string): boolean {
  try {
    using db = new DatabaseSync(file, { readOnly: true });
    const found = db.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'];
    return found === 'ok' && statSync(file).size > 0;
  } catch {
    return false;
  }
}

/** The name of a backup in a folder of several: `20261126T031500Z`. */
const buildBackupName = (now: number) => new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');

/** Those of the names in a folder that are of backups, oldest first; `.partial` ends those that were interrupted. */
export const listBackups = (names: readonly string[]) =>
  names.filter((name) => /^\d{8}T\d{6}Z(?:\.partial)?$/.test(name)).sort();

/** Removes the oldest backups of a folder, what was interrupted before the oldest that stays, and nothing with another name. */
function removeOldBackups(folder: string, keep: number): void {
  const names = listBackups(readdirSync(folder));
  const oldest = names.filter((name) => name.endsWith('Z')).at(-keep) ?? '';
  for (const name of names) if (name < oldest) rmSync(path.join(folder, name), { recursive: true });
}

/** Copies `*.sqlite` and `*.db` of one folder into another, each whole or not at all. Returns their names. */
function backUp(from: string, to: string): string[] {
  const names = existsSync(from) ? readdirSync(from).filter((name) => DATABASE.test(name)) : [];
  if (names.length === 0)
    throw new Error(
      `There is nothing to back up in ${from}: set DATA_DIR to the folder that the site writes to.`,
    );
  createOwnFolder(to);
  const there = [BACKUP_LIST, CLAIM, ...names].find((name) => existsSync(path.join(to, name)));
  if (there !== undefined) throw new Error(`${path.join(to, there)} is there already: use an empty folder.`);
  // Fails where another process writes a backup at the same moment.
  writeFileSync(path.join(to, CLAIM), '', { flag: 'wx', mode: PRIVATE_FILE });
  for (const name of names) copyDatabase(path.join(from, name), path.join(to, name));
  return names;
}

function copyDatabase(file: string, target: string): void {
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  createPrivateFile(partial);
  const source = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  source.prepare('VACUUM INTO ?').run(partial);
  source.close();
  if (!isSound(partial))
    throw new Error(`The copy of ${file} failed its integrity check. It is at ${partial}.`);
  renameSync(partial, target);
}

/**
 * Copies the archived files that the copied database counts: the events of one that was written since are in the
 * database. Throws when one was removed meanwhile, because its other events are in a file that the copy does not list.
 */
async function copyArchive(from: string, to: string): Promise<readonly string[]> {
  const [source, target] = [path.join(from, ARCHIVE_FOLDER), path.join(to, ARCHIVE_FOLDER)];
  const database = path.join(to, DATABASE_FILE);
  if (!existsSync(database)) return [];
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
  }
  return files.map(({ name }) => path.join(ARCHIVE_FOLDER, name));
}
