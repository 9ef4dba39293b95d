import { existsSync } from 'node:fs';
import path from 'node:path';
import { nameCommand } from '../core/text/name-command.ts';
import { quarantine } from '../stores/sql/quarantine.ts';
import { defineCommand, FLAG, parsePlace, runEdge, UsageError } from './command.ts';
import { describeCounts, exportData, importData } from './data/transfer.ts';
import type { CommandSite } from './site.ts';

const RUN = nameCommand('data');

const USAGE = `Usage:
  ${RUN} export FILE [--edge | --remote]
  ${RUN} import FILE [--edge | --remote]
  ${RUN} quarantine NAME

export    writes everything of the site into FILE (lines of JSON, gzipped, with a checksum): events and archived events,
          messages, commissions, operators, notifications and copies of articles. FILE must not exist.
import    adds everything of FILE to the site. What is there already stays, so an import can be repeated; settings of
          the ledger, such as the key of postback addresses, are taken from FILE. Counts of events are rebuilt.
quarantine
          renames a database in DATA_DIR that cannot be read: events.sqlite, notifications.sqlite or copies of articles. The
          site creates an empty one. Stop it first.
--edge    uses the local state of signpost edge instead of the files of the Node server. Stop that before an
          import.
--remote  uses the D1 databases and the R2 bucket of the deployed worker, with your Cloudflare login.

DATA_DIR (./data) is the folder of the data, ARTICLE_SOURCE names the copies of articles, TIME_ZONE the days of counts.`;

/** `signpost data`: moves everything of a site between the Node server and Cloudflare Workers. */
export const command = defineCommand({
  usage: USAGE,
  options: { edge: FLAG, remote: FLAG },
  words: [2, 2],
  async run({ values, positionals: [name = '', given = ''] }, io, site: CommandSite) {
    const place = parsePlace(values);
    if (name === 'quarantine' && place === 'node') {
      const { DATA_DIR } = site.readSettings('DATA_DIR');
      io.stdout.write(`It is now ${quarantineByName(path.resolve(DATA_DIR), given)}\n`);
      return 0;
    }
    if (name !== 'export' && name !== 'import') throw new UsageError(`There is no command "${name}".`);
    const file = path.resolve(given);
    if (place !== 'node' && !site.isWorker) return runEdge('data', name, file, `--${place}`);
    const { TIME_ZONE } = site.readSettings('DATA_DIR', 'TIME_ZONE');
    const opener = site.openData(name === 'import');
    if (name === 'import') {
      const { counts, rows } = await importData(opener, TIME_ZONE, file);
      io.stdout.write(`${describeCounts(counts)}${rows} rows read; the checksum matches\n`);
      return 0;
    }
    if (existsSync(file)) throw new Error(`${file} is there already: name a new file.`);
    const { counts, sha256 } = await exportData(opener, file);
    io.stdout.write(`${describeCounts(counts)}SHA-256 of the lines: ${sha256}\n`);
    return 0;
  },
});

/** Renames a database of a data folder, and returns its new path. Throws for one that must not be replaced. */
function quarantineByName(dataDir: string, name: string): string {
  const isReplaceable = /^(?:events|notifications)\.sqlite$|^articles-\w+\.db$/.test(name);
  if (!isReplaceable || !existsSync(path.join(dataDir, name)))
    throw new Error(
      `There is no database ${JSON.stringify(name)} in ${dataDir} that can be replaced by an empty one.`,
    );
  return quarantine(path.join(dataDir, name), new Date());
}
