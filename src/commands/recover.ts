import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { nameCommand } from '../core/text/name-command.ts';
import { Rollups } from '../stores/rollups.ts';
import { createInlineExecutor } from '../stores/sql/node-sqlite/memory-executor.ts';
import { parseSqliteErrorKind } from '../stores/sql/node-sqlite/sqlite-error.ts';
import { type CommandIo, defineCommand } from './command.ts';
import { Salvage } from './data/salvage.ts';
import { describeCounts, joinRows, type SiteOpener } from './data/transfer.ts';
import type { DataFolderSite } from './site.ts';

const RUN = nameCommand('recover');

const USAGE = `Usage:
  ${RUN} [FILE]

Adds what can be read of a database that was moved away, such as events.sqlite.quarantine-20251120T042459Z, to the one that
went on: events, messages of networks, notifications. What is there stays, so that it can be repeated and interrupted. Without
FILE, all that the site has moved away in DATA_DIR are added. Postbacks of their clicks are matched then. The site may run.
FILE begins with the name of its database and is not changed. Visits that were deleted since have to be deleted again.`;

/** `signpost recover`: joins a database that was moved away into the one that went on. */
export const command = defineCommand({
  usage: USAGE,
  options: {},
  words: [0, 1],
  async run({ positionals: [given] }, io, site: DataFolderSite) {
    const { DATA_DIR, TIME_ZONE } = site.readSettings('DATA_DIR', 'TIME_ZONE');
    const files = given === undefined ? listMoved(DATA_DIR) : [findFile(DATA_DIR, given)];
    if (files.length === 0) throw new Error(`There is no database in ${DATA_DIR} that was moved away.`);
    for (const file of files) await recover(site.openData(), TIME_ZONE, file, io);
    const { ledger } = await site.openLedger();
    io.stdout.write(`${await ledger.rematch()} commissions matched with clicks\n`);
  },
});

const MOVED = /^(?:events|notifications)\.sqlite\.quarantine-[\dTZ-]+$/;

const listMoved = (dataDir: string): readonly string[] =>
  (existsSync(dataDir) ? readdirSync(dataDir) : [])
    .filter((name) => MOVED.test(name))
    .sort()
    .map((name) => path.join(dataDir, name));

/** Finds a file by its path, or by its name in the data folder. */
function findFile(dataDir: string, given: string): string {
  const file = existsSync(given) ? path.resolve(given) : path.resolve(dataDir, given);
  if (!existsSync(file)) throw new Error(`There is no file ${given}.`);
  return file;
}

async function recover(opener: SiteOpener, timeZone: string, file: string, io: CommandIo): Promise<void> {
  const name = parseDatabase(file);
  using db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    const kept = name === 'events' ? await readKept(db, timeZone) : { day: '', archivedBefore: 0 };
    const salvage = new Salvage(db, name, kept.day.slice(0, 10));
    const { counts, refused } = await joinRows(opener, timeZone, salvage.tables, salvage.readRows(), kept);
    const missing = salvage.missing + refused;
    const lost = missing === 0 ? 'All of it could be read.' : `At most ${missing} rows cannot be read.`;
    io.stdout.write(`${describeCounts(counts)}${file} was added. ${lost} Move it out of the folder.\n`);
  } catch (error) {
    if (parseSqliteErrorKind(error) !== 'damaged') throw error;
    throw new Error(
      `${file}: its list of tables cannot be read. Restore the backup, or add what sqlite3 FILE .recover makes of it.`,
      { cause: error },
    );
  }
}

function parseDatabase(file: string): 'events' | 'commissions' | 'notifications' {
  const [, name] = /^(events|commissions|notifications)\.sqlite.+$/.exec(path.basename(file)) ?? [];
  if (name === 'events' || name === 'commissions' || name === 'notifications') return name;
  throw new Error(
    `${file} has to be named as what it was: events.sqlite.NAME, commissions.sqlite.NAME, notifications.sqlite.NAME.`,
  );
}

/** Which days of a database have counts without all of their events; none where that cannot be read. */
async function readKept(db: DatabaseSync, timeZone: string) {
  try {
    const day = await new Rollups(createInlineExecutor(db), timeZone).readKept();
    const state = db.prepare('SELECT archived_before AS before FROM archive_state').get();
    return { day, archivedBefore: Number(state?.['before'] ?? 0) };
  } catch {
    return { day: '', archivedBefore: 0 };
  }
}
