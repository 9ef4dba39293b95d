import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { LAST_CONTENT_FILE } from '../content-files/content-source.ts';
import { SECRETS_FILE } from '../content-files/secret-file.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { EventArchiver } from '../stores/archive.ts';
import {
  copyWhole,
  createOwnFolder,
  createPrivateFile,
  createPrivateFolder,
  move,
  PRIVATE_FILE,
  remove,
  syncTree,
  writePrivateFile,
  writeWhole,
} from '../stores/disk.ts';
import { ARCHIVE_FOLDER, createFolderEventArchive } from '../stores/folder-archive.ts';
import { writeLastBackup } from '../stores/last-backup.ts';
import { protectDataFolder } from '../stores/private-files.ts';
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
    if (keep !== undefined && existsSync(target))
      throw new Error(`${target} is there already: run it again.`);
    if (keep !== undefined) createOwnFolder(path.dirname(target));
    const draft = keep === undefined ? target : `${target}.partial`;
    const databases = backUp(DATA_DIR, draft);
    const archived = await copyArchive(DATA_DIR, draft);
    const others = [LAST_CONTENT_FILE, SECRETS_FILE].filter((name) => existsSync(path.join(DATA_DIR, name)));
    for (const name of others) copyWhole(path.join(DATA_DIR, name), path.join(draft, name));
    protectDataFolder(draft);
    syncTree(draft);
    await writeFileList(draft, BACKUP_LIST, [...databases, ...archived, ...others]);
    if (draft !== target) move(draft, target);
    writeLastBackup(DATA_DIR, Date.now());
    if (keep !== undefined) removeOldBackups(path.dirname(target), Number(keep));
    io.stdout.write(databases.map((name) => `${path.join(target, name)}\n`).join(''));
  },
});

/** What makes a folder a backup: the size and the hash of each of its files, written when all of them are on the disk. */
export const BACKUP_LIST = 'backup.json';
/** The same of an exported site. */
export const EXPORT_LIST = 'export.json';
type ListName = typeof BACKUP_LIST | typeof EXPORT_LIST;
/** Is there while the files are written, and after that was interrupted. */
const nameClaim = (list: ListName) => `${list}.partial`;
const isBelow = (name: string) => !path.isAbsolute(name) && !path.normalize(name).startsWith('..');
const listSchema = z.strictObject({
  format: z.literal(1),
  files: z.record(z.string().min(1).refine(isBelow), z.strictObject({ bytes: z.int(), sha256: z.string() })),
});
export type FileList = z.output<typeof listSchema>['files'];

/** Begins to write files into a folder. Throws where another process does so at the same moment. */
export const claimFolder = (folder: string, list: ListName): void =>
  void writeWhole(path.join(folder, nameClaim(list)), '', true, undefined, PRIVATE_FILE);

/** Says that files, by their paths below a folder, are all that belongs there. They have to be on the disk. */
export async function writeFileList(folder: string, list: ListName, names: readonly string[]): Promise<void> {
  const files: FileList = {};
  for (const name of names) files[name] = await describeFile(path.join(folder, name));
  writePrivateFile(path.join(folder, list), JSON.stringify({ format: 1, files }, null, 1));
  remove(path.join(folder, nameClaim(list)));
}

async function describeFile(file: string): Promise<FileList[string]> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return { bytes: statSync(file).size, sha256: hash.digest('hex') };
}

/** Reads what a folder consists of, by name; null for one of an earlier version, which has no list. Throws when it is not whole. */
export function readFileList(folder: string, list: ListName): FileList | null {
  const names = readdirSync(folder);
  if (names.includes(list)) {
    const read = listSchema.safeParse(parseJson(readFileSync(path.join(folder, list), 'utf8')));
    if (read.success) return read.data.files;
    throw new Error(`${path.join(folder, list)} is damaged. Nothing was restored.`);
  }
  const part = names.find((name) => name === nameClaim(list) || /\.(?:sqlite|db)\.partial$/.test(name));
  if (part === undefined) return null;
  throw new Error(`Writing ${folder} was interrupted: it has ${part}. Nothing was restored.`);
}

/** Finds what is wrong with files, which may have been copied since, as parts of a sentence. */
export async function findFaults(folder: string, list: FileList | null): Promise<readonly string[]> {
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
  for (const name of names) if (name < oldest) remove(path.join(folder, name));
}

/** Copies `*.sqlite` and `*.db` of one folder into another, each whole or not at all. Returns their names. */
function backUp(from: string, to: string): string[] {
  const names = existsSync(from) ? readdirSync(from).filter((name) => DATABASE.test(name)) : [];
  if (names.length === 0)
    throw new Error(
      `There is nothing to back up in ${from}: set DATA_DIR to the folder that the site writes to.`,
    );
  createOwnFolder(to);
  const there = [BACKUP_LIST, nameClaim(BACKUP_LIST), ...names].find((name) =>
    existsSync(path.join(to, name)),
  );
  if (there !== undefined) throw new Error(`${path.join(to, there)} is there already: use an empty folder.`);
  claimFolder(to, BACKUP_LIST);
  for (const name of names) copyDatabase(path.join(from, name), path.join(to, name));
  return names;
}

function copyDatabase(file: string, target: string): void {
  const partial = `${target}.partial`;
  remove(partial);
  createPrivateFile(partial);
  const source = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  source.prepare('VACUUM INTO ?').run(partial);
  source.close();
  if (!isSound(partial))
    throw new Error(`The copy of ${file} failed its integrity check. It is at ${partial}.`);
  move(partial, target);
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
    copyWhole(path.join(source, name), path.join(target, name));
  }
  return files.map(({ name }) => path.join(ARCHIVE_FOLDER, name));
}
