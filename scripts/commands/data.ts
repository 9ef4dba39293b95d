// npm run -s data -- --help: moves everything of a site between the Node server and Cloudflare Workers.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { ARTICLE_SOURCE_NAMES } from '../../src/server/articles/article-sources.ts';
import { parseConfig } from '../../src/server/config.ts';
import { failWithUsage, parseArguments } from './arguments/parse-arguments.ts';
import { describeCounts, exportData, importData } from './data/transfer-data.ts';

const USAGE = `Usage:
  npm run -s data -- export FILE [--edge]
  npm run -s data -- import FILE [--edge]

export  writes everything of the site into FILE (lines of JSON, gzipped, with a checksum): events, messages, commissions,
        operators, notifications and copies of articles. FILE must not exist.
import  adds everything of FILE to the site. What is there already stays, so an import can be repeated; settings of the
        ledger, such as the key of postback addresses, are taken from FILE. Counts of events are rebuilt.
--edge  uses the local D1 databases of npm run edge instead of the files of the Node server. Stop npm run edge first.

DATA_DIR (./data) is the folder of the data, ARTICLE_SOURCE names the copies of articles, TIME_ZONE the days of counts.`;

const { values, positionals } = parseArguments(USAGE, {
  options: { edge: { type: 'boolean' } },
  words: { min: 2, max: 2 },
});
const [command, name = ''] = positionals;
const file = path.resolve(name);

try {
  const { DATA_DIR, ARTICLE_SOURCE, TIME_ZONE } = process.env;
  const config = parseConfig({ DATA_DIR, TIME_ZONE });
  const site = {
    dataDir: path.resolve(config.DATA_DIR),
    isEdge: values.edge ?? false,
    articleSource: z.enum(ARTICLE_SOURCE_NAMES).parse(ARTICLE_SOURCE || 'files'),
    timeZone: config.TIME_ZONE,
  };
  if (command === 'export') {
    if (existsSync(file)) throw new Error(`${file} is there already: name a new file.`);
    const { counts, sha256 } = await exportData(site, file);
    process.stdout.write(`${describeCounts(counts)}SHA-256 of the lines: ${sha256}\n`);
  } else if (command === 'import') {
    const { counts, rows } = await importData(site, file);
    process.stdout.write(`${describeCounts(counts)}${rows} rows read; the checksum matches\n`);
  } else failWithUsage(`There is no command "${command}".`, USAGE);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
