import { constants, readFileSync, statSync } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

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
  const replaced = names.flatMap((name) => describeReplaced(name));
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

/** What stands for a database that was replaced: its quarantined file, or the note that it was gone. */
function describeReplaced(name: string): DataProblem[] {
  const [, file, how] = /^(.+\.(?:sqlite|db))\.(quarantine|lost)-[\dTZ-]+$/.exec(name) ?? [];
  if (file === undefined) return [];
  const isCopy = file.endsWith('.db');
  const title = how === 'lost' ? `${file} was gone and is replaced by an empty one` : `${file} was damaged`;
  const detail = isCopy
    ? `It is replaced, and what it had is read from the article source again. Delete ${name} to end this.`
    : `Stop the site and restore ${file} from the backup, or go on with the new one; then move ${name} out of the folder.`;
  return [{ key: `${how}:${name}`, title, detail }];
}
