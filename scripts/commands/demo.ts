import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readContent } from '../../src/sources/content/read-content.ts';
import { readSampleState, writeSampleState } from '../../src/stores/data-marks.ts';
import { defineCommand, FLAG, UsageError } from './command.ts';
import { generateDemo } from './demo/generate-demo.ts';
import { writeDemoEvents, writeDemoLedger } from './demo/write-demo.ts';
import type { CommandSite } from './site.ts';

const USAGE = `Usage:
  npm run demo [-- [--fresh] [--events COUNT] [--commissions COUNT] [--seed NUMBER]]

Serves the site with 13 months of generated visits, clicks and commissions, in a folder of its own: demo in DATA_DIR
(./data). Data that are there already are served as they are; --fresh generates them again, up to the present moment.`;

/** `npm run demo` runs this, which fills DATA_DIR with generated data, and serves them. */
export const command = defineCommand({
  usage: USAGE,
  options: {
    fresh: FLAG,
    events: { type: 'string', default: '200000' },
    commissions: { type: 'string' },
    seed: { type: 'string', default: '14' },
  },
  words: [0, 0],
  async run({ values }, io, site: CommandSite) {
    const events = parseCount('events', values.events, 100_000_000);
    const most = values.commissions ?? String(Math.ceil(events / 147));
    const commissions = parseCount('commissions', most, 1_000_000);
    const seed = parseCount('seed', values.seed, 1_000_000);
    const config = site.readSettings('DATA_DIR', 'CONTENT_DIR', 'TIME_ZONE');
    const { CONTENT_DIR: contentDir, TIME_ZONE: timeZone } = config;
    const dataDir = path.resolve(config.DATA_DIR);
    if (!values.fresh && readSampleState(dataDir) === 'complete') return;
    removeData(dataDir);
    io.stdout.write('Generating sample data …\n');
    const began = performance.now();
    writeSampleState(dataDir, 'incomplete');
    const report = (line: string) => void io.stderr.write(`${line}\n`);
    const data = generateDemo(readContent(contentDir), contentDir, { events, commissions }, Date.now(), seed);
    const count = await writeDemoEvents(dataDir, data.days, timeZone, report);
    const ledger = data.finishLedger();
    await writeDemoLedger(dataDir, ledger, report);
    writeSampleState(dataDir, 'complete');
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    const { length } = ledger.facts;
    io.stdout.write(`${count} events and ${length} messages of networks in ${dataDir} (${seconds} s).\n`);
  },
});

function parseCount(name: string, text: string, max: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= max) return count;
  throw new UsageError(`--${name} must be a whole number from 1 to ${max}.`);
}

/** Removes generated data. Throws for a folder with anything else. */
function removeData(dataDir: string): void {
  const isEmpty = !existsSync(dataDir) || readdirSync(dataDir).length === 0;
  if (isEmpty) return;
  if (readSampleState(dataDir) === 'none') {
    throw new Error(`${dataDir} has data that were not generated: set DATA_DIR to another folder.`);
  }
  rmSync(dataDir, { recursive: true });
}
