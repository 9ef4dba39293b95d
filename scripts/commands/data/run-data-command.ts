import { existsSync } from 'node:fs';
import path from 'node:path';
import { FLAG, failWithUsage, type Place, parseArguments, parsePlace } from '../arguments/parse-arguments.ts';
import { describeCounts, exportData, importData } from './transfer-data.ts';
import type { SiteOpener } from './transfer-site.ts';

const USAGE = `Usage:
  npm run -s data -- export FILE [--edge | --remote]
  npm run -s data -- import FILE [--edge | --remote]

export    writes everything of the site into FILE (lines of JSON, gzipped, with a checksum): events and archived events,
          messages, commissions, operators, notifications and copies of articles. FILE must not exist.
import    adds everything of FILE to the site. What is there already stays, so an import can be repeated; settings of
          the ledger, such as the key of postback addresses, are taken from FILE. Counts of events are rebuilt.
--edge    uses the local state of npm run edge instead of the files of the Node server. Stop npm run edge before an
          import.
--remote  uses the D1 databases and the R2 bucket of the deployed worker, with your Cloudflare login.

DATA_DIR (./data) is the folder of the data, ARTICLE_SOURCE names the copies of articles, TIME_ZONE the days of counts.`;

/** A command line of `npm run data`. */
export interface DataCommand {
  readonly command: 'export' | 'import';
  readonly file: string;
  /** Whose data move. */
  readonly place: Place;
}

/** Reads a command line; ends the process with the usage text when it is wrong. */
export function readDataCommand(args: readonly string[]): DataCommand {
  const { values, positionals } = parseArguments(
    USAGE,
    { options: { edge: FLAG, remote: FLAG }, words: { min: 2, max: 2 } },
    args,
  );
  const [command = '', name = ''] = positionals;
  if (command !== 'export' && command !== 'import') {
    return failWithUsage(`There is no command "${command}".`, USAGE);
  }
  return { command, file: path.resolve(name), place: parsePlace(values, USAGE) };
}

/** Moves the data; resolves with the text that says how many rows. Rejects with what is wrong. */
export async function runDataCommand(
  { command, file }: DataCommand,
  opener: SiteOpener,
  timeZone: string,
): Promise<string> {
  if (command === 'import') {
    const { counts, rows } = await importData(opener, timeZone, file);
    return `${describeCounts(counts)}${rows} rows read; the checksum matches\n`;
  }
  if (existsSync(file)) throw new Error(`${file} is there already: name a new file.`);
  const { counts, sha256 } = await exportData(opener, file);
  return `${describeCounts(counts)}SHA-256 of the lines: ${sha256}\n`;
}
