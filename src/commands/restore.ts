import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { exported } from '../console/reports/columns.ts';
import { getLocalDay } from '../core/commissions/local-time.ts';
import { formatDecimalAmount } from '../core/commissions/money.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { parseCopyPlace, type Settings } from '../server/settings.ts';
import { openCopyTarget } from '../sources/storage/s3-bucket.ts';
import { COPIED_DATABASES } from '../stores/copied-data.ts';
import { type CopyTarget, parseSegmentName } from '../stores/copy-segments.ts';
import { leaveCopy, noteKeptKey } from '../stores/data-copy.ts';
import { copyWhole, createPrivateFolder, remove } from '../stores/disk.ts';
import { protectDataFolder } from '../stores/private-files.ts';
import { fillDataFolder, restoreDataFolder } from '../stores/restore-copy.ts';
import { BACKUP_LIST, findFaults, listBackups, readFileList } from './backup.ts';
import { type CommandIo, defineCommand, FLAG, formatTable, UsageError } from './command.ts';
import { DataFolderSite } from './site.ts';

const RUN = nameCommand('restore');

const USAGE = `Usage:
  ${RUN} FROM                  restores a copy or a backup into DATA_DIR, which has no data yet
  ${RUN} FROM --copy NAME      restores one of several copies
  ${RUN} FROM --part           restores a copy with a damaged or missing object up to it
  ${RUN} FROM --rehearse       restores into a folder of its own, prints the sums and removes it
  ${RUN} --confirm-key FILE    notes that LEDGER_COPY_KEY is also in FILE, where you keep it (/dev/stdin)
  ${RUN} --new-copy NAME       has a running or later site begin a new copy in LEDGER_COPY, instead of NAME

FROM is a folder or bucket, as in LEDGER_COPY, or the folder of a backup, or of several, of which the newest with a
list (backup.json) is restored.
Stop the site first. An interrupted run goes on where it has stopped. Ends with the sums of each month.`;

/** `signpost restore`: restores a copy or a backup, and prints the sums of each month. */
export const command = defineCommand({
  usage: USAGE,
  options: {
    copy: { type: 'string' },
    part: FLAG,
    rehearse: FLAG,
    'confirm-key': { type: 'string' },
    'new-copy': { type: 'string' },
  },
  words: [0, 1],
  async run({ values, positionals: [from] }, io, site: DataFolderSite) {
    const settings = site.readSettings(
      'DATA_DIR',
      'TIME_ZONE',
      'LEDGER_COPY',
      'LEDGER_COPY_KEY',
      'LEDGER_COPY_CREDENTIALS',
    );
    const dataDir = path.resolve(settings.DATA_DIR);
    if (values['confirm-key'] !== undefined) return confirmKey(settings, values['confirm-key'], io);
    if (values['new-copy'] !== undefined) {
      leaveCopy(settings.LEDGER_COPY, values['new-copy'], dataDir);
      io.stdout.write(
        `A new copy begins in ${settings.LEDGER_COPY} with the next change, unless the copy is there again.\n`,
      );
      return 0;
    }
    if (from === undefined) throw new UsageError('An argument is missing.');
    const target = values.rehearse ? path.join(dataDir, 'rehearsal') : dataDir;
    const removeRehearsal = () => values.rehearse && remove(target);
    // One that was interrupted has left its folder.
    removeRehearsal();
    try {
      io.stdout.write(await restore(from, target, settings, values.copy, values.part));
      protectDataFolder(target);
      io.stdout.write(
        await readSums(new DataFolderSite({ ...site.environment, DATA_DIR: target }, () => undefined)),
      );
    } finally {
      removeRehearsal();
    }
    return 0;
  },
});

function confirmKey({ DATA_DIR, LEDGER_COPY_KEY: key }: Settings, file: string, io: CommandIo): number {
  if (key === '') throw new Error('LEDGER_COPY_KEY is not set.');
  if (readFileSync(file, 'utf8').trim() !== key)
    throw new Error(`${file} does not have the key of LEDGER_COPY_KEY.`);
  noteKeptKey(DATA_DIR, key);
  io.stdout.write('The key is the same: the launch check has it as kept elsewhere.\n');
  return 0;
}

/** Restores into a folder; returns what it did, as lines. */
async function restore(
  from: string,
  dataDir: string,
  settings: Settings,
  name: string | undefined,
  isPartAllowed: boolean,
): Promise<string> {
  const [backup, ...newer] = findBackup(from);
  if (backup !== undefined) {
    const notes = await fillDataFolder(dataDir, (folder) => copyBackup(backup, folder));
    if (notes === null) return 'An interrupted restore was completed.\n';
    return [`The backup ${backup} was restored.`, ...newer, ...notes, ''].join('\n');
  }
  const secret = settings.LEDGER_COPY_KEY;
  if (secret === '') throw new Error('LEDGER_COPY_KEY is not set: a copy is read with its key.');
  const target = openCopyTarget(parseCopyPlace(from), settings.LEDGER_COPY_CREDENTIALS);
  const copy = await chooseCopy(target, from, name);
  const restored = await restoreDataFolder({ target, secret, copy, isPartAllowed }, dataDir);
  if (restored === null) return `The restore of ${copy} was completed.\n`;
  const { segments, at, isWhole, endedBy } = restored;
  const part = endedBy === undefined ? '' : `What came later is not in it: ${endedBy}.\n`;
  const warning = part + (isWhole ? '' : 'Not everything was in the copy yet when it ended.\n');
  return `The copy ${copy} was restored to ${new Date(at).toISOString()}, from ${segments} segments.\n${warning}`;
}

/**
 * Finds the folder of a backup: the one that is named, else the newest below it that has a list. Warnings about newer ones
 * follow it in the list. Empty without any backup. Throws when there are only backups without a list.
 */
function findBackup(from: string): readonly string[] {
  const entries = existsSync(from) ? readdirSync(from) : [];
  if (entries.some((name) => /^backup\.json|\.sqlite(?:\.partial)?$/.test(name))) return [from];
  const names = listBackups(entries);
  if (names.length === 0) return [];
  const newest = names.findLast((one) => one.endsWith('Z') && existsSync(path.join(from, one, BACKUP_LIST)));
  if (newest === undefined)
    throw new Error(`No backup in ${from} has a list: name one of an earlier version by its folder.`);
  const newer = names.slice(names.indexOf(newest) + 1).map((name) => path.join(from, name));
  return [path.join(from, newest), ...newer.map((one) => `${one} is newer, but not known to be whole.`)];
}

/** Copies a backup into a folder and checks the copy; resolves with sentences about what it lacks. Rejects when it is not whole. */
async function copyBackup(backup: string, folder: string): Promise<readonly string[]> {
  const list = readFileList(backup, BACKUP_LIST);
  // What is left of another restore would pass for a part of this one.
  remove(folder);
  createPrivateFolder(folder);
  for (const name of Object.keys(list ?? {}))
    if (existsSync(path.join(backup, name))) copyWhole(path.join(backup, name), path.join(folder, name));
  if (list === null) copyWhole(backup, folder);
  const faults = await findFaults(folder, list);
  if (faults.length === 0)
    return Object.values(COPIED_DATABASES)
      .filter(({ file }) => list === null && !existsSync(path.join(folder, file)))
      .map(({ file }) => `It has no ${file}, and no list that says whether it should.`);
  remove(folder);
  throw new Error(`The backup ${backup} is not whole: ${faults.join(', ')}. Nothing was restored.`);
}

async function chooseCopy(target: CopyTarget, from: string, name: string | undefined): Promise<string> {
  const copies = new Map<string, number>();
  for (const segment of await target.list()) {
    const { copy = '' } = parseSegmentName(segment) ?? {};
    copies.set(copy, (copies.get(copy) ?? 0) + 1);
  }
  const [only = ''] = copies.keys();
  if (copies.size === 0) throw new Error(`There is no copy in ${from}.`);
  const chosen = name ?? only;
  if (copies.has(chosen) && (name !== undefined || copies.size === 1)) return chosen;
  const list = [...copies].map(([copy, segments]) => `\n  --copy ${copy}    (${segments} segments)`);
  throw new Error(
    `There are several copies in ${from}; their names begin with their first day:${list.join('')}`,
  );
}

/** Reads the sums of each month and currency of the counted commissions, by the fold of the ledger, as a table. */
async function readSums(site: DataFolderSite): Promise<string> {
  try {
    const { ledger, store, config } = await site.openLedger();
    const sums = new Map<string, { month: string; currency: string; commissions: number; sum: number }>();
    await ledger.fold.foldMarked();
    for (const { time, currency, commissions, sum } of await store.folded.readSums()) {
      const month = getLocalDay(time, config.TIME_ZONE).slice(0, 7);
      const known = sums.get(`${month} ${currency}`) ?? { month, currency, commissions: 0, sum: 0 };
      const added = { ...known, commissions: known.commissions + commissions, sum: known.sum + sum };
      sums.set(`${month} ${currency}`, added);
    }
    const rows = [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    return formatTable(rows, [
      exported('month', ({ month }) => month),
      exported('commissions', ({ commissions }) => commissions),
      exported('sum', ({ sum, currency }) => formatDecimalAmount(sum, currency)),
      exported('currency', ({ currency }) => currency),
    ]);
  } finally {
    await site.close();
  }
}
