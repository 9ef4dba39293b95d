import { constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { access, readdir, readFile, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { nameCommand } from '../core/text/name-command.ts';
import { createPrivateFile } from './disk.ts';
import { parseSqliteErrorKind } from './sql/node-sqlite/sqlite-error.ts';
import { CREATED_SUFFIX, describeNumbers, readNumbers } from './sql/quarantine.ts';

/** What keeps a part of the data from being used. */
export interface DataProblem {
  /** Names the part for as long as the problem lasts: `commissions`, `quarantine:events.sqlite.quarantine-…`. */
  readonly key: string;
  /** One sentence without its period: what does not work. */
  readonly title: string;
  /** Why, and what to do. */
  readonly detail: string;
}

/** The name of a user of this machine, for a command; the number where no file has the name. */
export function describeUser(uid: number, passwords = '/etc/passwd'): string {
  try {
    const lines = readFileSync(passwords, 'utf8').split('\n');
    const [name = ''] =
      lines.map((line) => line.split(':')).find((fields) => fields[2] === String(uid)) ?? [];
    // The name becomes part of a command that the operator copies.
    return /^[\w.-]+$/.test(name) ? name : String(uid);
  } catch {
    return String(uid);
  }
}

/**
 * Why a user (`uid`) must not run commands on a data folder, with the command to run instead; null when it may. Any other
 * user, root too, would leave files that the site cannot write.
 */
export function refuseForeignUser(dataDir: string, uid: number, command: string): string | null {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || owner === uid) return null;
  const name = describeUser(owner);
  return (
    `${path.resolve(dataDir)} belongs to ${name}, and this command runs as ${describeUser(uid)}: what it creates there ` +
    `could not be used by the site. Run: sudo -u ${/^\d+$/.test(name) ? `'#${name}'` : name} ${command}`
  );
}

/** Says that a folder has nothing of a site, with the remedy; null when it has. Throws when it cannot be read. */
export function findMissingData(dataDir: string): string | null {
  const folder = path.resolve(dataDir);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (names.some((name) => DATABASE.test(name) || /^articles-\w+\.db/.test(name))) return null;
  return `There are no data in ${folder}: set DATA_DIR to the folder that the site writes to.`;
}

/** The databases by their files, which are `commissions.sqlite` and so on, with their logs. */
const DATABASE = /^(events|commissions|console|notifications)\.sqlite/;

/**
 * Finds what a person has to do in a data folder: files that the site (user `uid`) cannot use or that belong to another
 * user than the folder, and databases that were damaged or lost and are replaced by empty ones. None without a folder.
 */
export async function findFolderProblems(
  dataDir: string,
  uid: number | undefined,
): Promise<readonly DataProblem[]> {
  const folder = path.resolve(dataDir);
  const names = await readdir(folder).catch(() => []);
  const replaced = names.flatMap((name) => describeReplaced(folder, name));
  if (uid === undefined) return replaced;
  const owner = (await stat(folder).catch(() => null))?.uid;
  if (owner === undefined) return replaced;
  if (owner !== uid && !(await isUsable(folder))) {
    const [other, own] = [owner, uid].map((id) => describeUser(id));
    const detail = `It belongs to ${other}, and the site runs as ${own}. Run: chown -R ${own} ${folder}`;
    return [...replaced, { key: 'folder', title: 'The data folder cannot be used', detail }];
  }
  const foreign = (await Promise.all(names.map((name) => findForeignFile(folder, name, owner)))).flat();
  // The files of a database have one reason and one remedy.
  const named = new Map(foreign.toReversed().map((problem) => [problem.key, problem]));
  return [...[...named.values()].toReversed(), ...replaced];
}

/** How many files a site may have to create on a disk, and to open, before somebody looks. */
const NEEDED_FILES = { disk: 1_000, process: 100 };

/** Finds where the disk of a folder has few inodes left, or the process few files to open. Systems that count neither have none. */
export async function findScarceFiles(
  dataDir: string,
  readDisk: (folder: string) => Promise<{ files: number; ffree: number }> = statfs,
  proc = '/proc/self',
): Promise<readonly DataProblem[]> {
  const [disk, limits, open] = await Promise.all([
    readDisk(path.resolve(dataDir)).catch(() => null),
    readFile(`${proc}/limits`, 'utf8').catch(() => ''),
    readdir(`${proc}/fd`).then(
      ({ length }) => length,
      () => 0,
    ),
  ]);
  const most = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  const problems: DataProblem[] = [];
  // btrfs and others have no number of inodes.
  if (disk !== null && disk.files > 0 && disk.ffree < NEEDED_FILES.disk) {
    const detail = `${disk.ffree} of ${disk.files} inodes are free, and each saved file needs some. Remove files that are not needed.`;
    problems.push({ key: 'inodes', title: 'The disk of the data takes few more files', detail });
  }
  if (most - open < NEEDED_FILES.process) {
    const detail = `${open} files are open, and at most ${most} may be: pages and forms fail beyond. Raise LimitNOFILE or ulimit -n.`;
    problems.push({ key: 'open-files', title: 'The site may open few more files', detail });
  }
  return problems;
}

/**
 * Lets this process alone do something in a folder, until it ends, however it does; false while another process does it. Where
 * a file system has no locks, every process may.
 */
export function holdAlone(folder: string, name: string): boolean {
  try {
    const file = path.join(folder, `.${name}-runs`);
    if (!existsSync(file)) createPrivateFile(file);
    const db = new DatabaseSync(file, { timeout: 0 });
    held.push(db);
    db.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    return parseSqliteErrorKind(error) !== 'locked';
  }
}

/** Whether a name is that of a file by which a process does something alone. */
export const isHold = (name: string): boolean => /^\.[a-z]+-runs$/.test(name);

/** What is open stays locked. */
const held: DatabaseSync[] = [];

/** A commit takes a few ms; above this, pages of the console and messages of networks wait for the disk. */
const SLOW_COMMIT_MS = 1_000;
const SLOW_FOR_MS = 60_000;

/** Keeps the longest commit of about the last minute. `now` is monotonic, in ms. */
export class CommitTimes {
  readonly #now: () => number;
  #longest = 0;
  #at = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(ms: number): void {
    if (ms > this.read()) [this.#longest, this.#at] = [ms, this.#now()];
  }

  /** In ms; 0 without a commit. */
  read(): number {
    return this.#now() - this.#at < SLOW_FOR_MS ? this.#longest : 0;
  }

  findProblem(): readonly DataProblem[] {
    const ms = this.read();
    if (ms <= SLOW_COMMIT_MS) return [];
    const detail = `a commit took ${(ms / 1_000).toFixed(1)} s within the last minute, and each form waits for one or more. Nothing is lost. Look at what else uses the disk, or move DATA_DIR to a faster one.`;
    return [{ key: 'slow-disk', title: 'The disk of the data is slow', detail }];
  }
}

/** Whether the process may read and write a file or folder. */
const isUsable = (file: string) =>
  access(file, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );

async function findForeignFile(folder: string, name: string, owner: number): Promise<DataProblem[]> {
  const file = path.join(folder, name);
  const stats = await stat(file).catch(() => null);
  if (stats === null || stats.uid === owner || name === 'lost+found') return [];
  const [, database] = DATABASE.exec(name) ?? [];
  const detail =
    `${name} belongs to ${describeUser(stats.uid)}, and the data folder to ${describeUser(owner)}. ` +
    `Run: chown -R ${describeUser(owner)} ${folder}`;
  return [{ key: database ?? `owner:${name}`, title: `${name} belongs to another user`, detail }];
}

const HOW = {
  quarantine: ' was damaged',
  lost: ' was gone and is replaced by an empty one',
  short: ' lacks what it had',
} as const;

/** What stands for a database that was replaced or that lacks rows: its quarantined file, or a note. */
function describeReplaced(folder: string, name: string): DataProblem[] {
  const [, file, how] = /^(.+\.(?:sqlite|db))\.(quarantine|lost|short)-[\dTZ-]+$/.exec(name) ?? [];
  if (file === undefined || (how !== 'quarantine' && how !== 'lost' && how !== 'short')) return [];
  const isMoved = how === 'quarantine';
  const had = isMoved
    ? describeNumbers(readNumbers(path.join(folder, name + CREATED_SUFFIX)))
    : readFileSync(path.join(folder, name), 'utf8');
  const recover = `or add what can be read of it to the new one: ${nameCommand('recover')} ${name}`;
  const detail = file.endsWith('.db')
    ? `It is replaced, and what it had is read from the article source again. Delete ${name} to end this.`
    : `${had === '' ? '' : `${isMoved ? 'It has' : 'As noted'}: ${had}. `}Stop the site and restore ${file} from the backup, ${isMoved ? recover : 'or go on with this one'}; then move ${name} out of the folder.`;
  return [{ key: `${how}:${name}`, title: file + HOW[how], detail }];
}
