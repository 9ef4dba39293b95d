import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  createPrivateFile,
  createPrivateFolder,
  linkDraft,
  move,
  remove,
  syncTree,
  writePrivateFile,
} from '../../stores/disk.ts';
import { readJsonFile } from '../../stores/private-files.ts';
import { endRestore, findUnfinishedRestore } from '../../stores/restore-copy.ts';
import { copyTables } from '../../stores/sql/copy-tables.ts';
import { migrate, NewerSchemaError, readSchemaVersion, refuseNewer } from '../../stores/sql/migrate.ts';
import { MIGRATIONS } from '../../stores/sql/node-sqlite/node-sqlite-executor.ts';

const manifest = z.object({
  version: z.string(),
  dependencies: z.object({ signpost: z.string().optional() }).optional(),
});
const readManifest = (folder: string) => {
  const file = path.join(folder, 'package.json');
  return existsSync(file) ? manifest.partial().parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
};

/** The version of this program. */
export const VERSION = readManifest(path.dirname(MIGRATIONS)).version ?? '0';

const servedSchema = z.object({
  version: z.string(),
  /** Where npm has the package from, as package.json of the site names it; empty in a clone. */
  from: z.string(),
});
/** A version that has served a data folder. */
export type Served = z.output<typeof servedSchema>;

const SERVED = 'versions.json';
const BACK = 'back.json';
/** The folder in the data folder with copies from before a change of their format. */
const OLDER = 'older';
const DATABASES = ['events', 'commissions', 'console', 'notifications'];

/** Reads the versions that served a data folder last, the newest at the end: at most two. */
export function readServed(dataDir: string): readonly Served[] {
  return z
    .array(servedSchema)
    .catch([])
    .parse(readJsonFile(path.join(dataDir, SERVED)) ?? []);
}

/** Reads to which version the data shall go back; null when to none. */
export function readBack(dataDir: string): Served | null {
  return servedSchema
    .nullable()
    .catch(null)
    .parse(readJsonFile(path.join(dataDir, BACK)) ?? null);
}

/** Says to which version the data shall go back: its next start converts them. The file has the owner of the folder. */
export function writeBack(dataDir: string, to: Served): void {
  const file = path.join(dataDir, BACK);
  writePrivateFile(file, JSON.stringify(to));
  // Also as root.
  spawnSync('chown', ['--reference', dataDir, file]);
}

/**
 * Brings the databases of a data folder into the format of this program, before any of them is opened, and notes that this
 * version serves them. Older ones are copied first; newer ones are converted where somebody has asked to go back. Killed at
 * any moment, it begins again. `site`: the folder of the site. Throws when a copy cannot be made, where a restore has left
 * a part, and while another version is being installed, whose migrations this program would take for its own.
 */
export async function prepareData(
  dataDir: string,
  site: string,
  report: (line: string) => void,
): Promise<void> {
  // The power may have gone while it was restored.
  endRestore(dataDir);
  const unfinished = findUnfinishedRestore(dataDir);
  if (unfinished !== null) throw new Error(unfinished);
  const installed = readManifest(path.join(site, 'node_modules/signpost')).version ?? VERSION;
  if (installed !== VERSION)
    throw new Error(
      `[server] version ${installed} was installed while version ${VERSION} started: start again`,
    );
  const back = readBack(dataDir);
  for (const name of DATABASES) {
    const file = path.join(dataDir, `${name}.sqlite`);
    if (!existsSync(file)) continue;
    const db = openDatabase(file);
    if (db === null) continue;
    try {
      const format = readFormat(db, name);
      if (format === 'older') await copyBefore(db, dataDir, name);
      if (format === 'newer' && back?.version === VERSION) {
        makeOlder(db, file, path.join(dataDir, OLDER), name);
        report(
          `${name}: every row that version ${VERSION} knows is converted; the newer file is in ${OLDER}`,
        );
      }
    } finally {
      db.close();
    }
  }
  remove(path.join(dataDir, BACK));
  const from = readManifest(site).dependencies?.signpost ?? '';
  const served = readServed(dataDir);
  const others = served.filter(({ version }) => version !== VERSION);
  // A version that has served is there after a power cut. npm leaves that to chance.
  const modules = path.join(site, 'node_modules');
  if (from !== '' && served.at(-1)?.version !== VERSION && existsSync(modules)) syncTree(modules);
  createPrivateFolder(dataDir);
  writePrivateFile(
    path.join(dataDir, SERVED),
    JSON.stringify([...others.slice(-1), { version: VERSION, from }]),
  );
}

/** Null for a file that cannot be opened, such as that of another user: its store says so, and the site goes on. */
function openDatabase(file: string): DatabaseSync | null {
  try {
    return new DatabaseSync(file, { timeout: 10_000 });
  } catch {
    return null;
  }
}

const findMigrations = (name: string) => path.join(MIGRATIONS, name === 'events' ? '' : name);

/** How a database is to what this program knows; `same` also for one that cannot be read, which its store reports. */
function readFormat(db: DatabaseSync, name: string): 'older' | 'same' | 'newer' {
  try {
    const version = readSchemaVersion(db);
    const folder = findMigrations(name);
    refuseNewer(db, folder, version);
    const newest = Math.max(...readdirSync(folder).map((file) => Number(/^(\d{4})_/.exec(file)?.[1] ?? 0)));
    return version > 0 && version < newest ? 'older' : 'same';
  } catch (error) {
    return error instanceof NewerSchemaError ? 'newer' : 'same';
  }
}

/** Copies a database before it is migrated. The copy of the migration before goes. */
async function copyBefore(db: DatabaseSync, dataDir: string, name: string): Promise<void> {
  const folder = path.join(dataDir, OLDER);
  createPrivateFolder(folder);
  const draft = path.join(folder, `${name}.part`);
  remove(draft);
  createPrivateFile(draft);
  await backup(db, draft);
  const start = `${name}-before-`;
  for (const file of readdirSync(folder)) if (file.startsWith(start)) remove(path.join(folder, file));
  move(draft, path.join(folder, `${start}${VERSION}.sqlite`));
}

/**
 * Puts a database in the format of this program in the place of a newer one, which stays beside it: row by row in the columns
 * that both have. Until the last rename, the newer one is where it was.
 */
function makeOlder(newer: DatabaseSync, file: string, folder: string, name: string): void {
  createPrivateFolder(folder);
  // Its log would belong to the other file.
  try {
    newer.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    throw new Error(`[sql] another program has ${file} open: stop it`, { cause: error });
  }
  const draft = path.join(folder, `${name}.part`);
  remove(draft);
  createPrivateFile(draft);
  const db = new DatabaseSync(draft);
  try {
    migrate(db, findMigrations(name));
    copyTables(db, file);
  } finally {
    db.close();
  }
  const kept = path.join(folder, `${name}-newer.sqlite`);
  remove(kept);
  linkDraft(file, kept);
  move(draft, file);
}
