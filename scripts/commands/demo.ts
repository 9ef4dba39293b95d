// node scripts/commands/demo.ts: fills DATA_DIR with generated data. `npm run demo` runs it and serves them.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ContentError } from '../../src/core/pages/content.ts';
import { parseSettings, type Settings, SettingsError } from '../../src/server/settings.ts';
import { readContent } from '../../src/sources/content/read-content.ts';
import { readSampleState, writeSampleState } from '../../src/stores/data-marks.ts';
import { FLAG, failWithUsage, parseArguments } from './arguments/parse-arguments.ts';
import { type DemoSize, generateDemo } from './demo/generate-demo.ts';
import { writeDemoEvents, writeDemoLedger } from './demo/write-demo.ts';

const USAGE = `Usage:
  npm run demo [-- [--fresh] [--events COUNT] [--commissions COUNT] [--seed NUMBER]]

Serves the site with 13 months of generated visits, clicks and commissions, in a folder of its own: demo in DATA_DIR
(./data). Data that are there already are served as they are; --fresh generates them again, up to the present moment.`;

const print = (line: string) => process.stdout.write(`${line}\n`);

async function generate(config: Settings, size: DemoSize, seed: number): Promise<void> {
  const { DATA_DIR: dataDir, CONTENT_DIR: contentDir, TIME_ZONE: timeZone } = config;
  print('Generating sample data …');
  const began = performance.now();
  writeSampleState(dataDir, 'incomplete');
  const source = { content: readContent(contentDir), contentDir };
  const data = generateDemo(source, { size, now: Date.now(), seed });
  const events = await writeDemoEvents(dataDir, data.days, timeZone);
  const ledger = data.finishLedger();
  await writeDemoLedger(dataDir, ledger);
  writeSampleState(dataDir, 'complete');
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  print(`${events} events and ${ledger.facts.length} messages of networks in ${dataDir} (${seconds} s).`);
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

const { values } = parseArguments(USAGE, {
  options: {
    fresh: FLAG,
    events: { type: 'string', default: '200000' },
    commissions: { type: 'string' },
    seed: { type: 'string', default: '14' },
  },
  words: { min: 0, max: 0 },
});

function parseCount(name: string, text: string, max: number): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > max) {
    return failWithUsage(`--${name} must be a whole number from 1 to ${max}.`, USAGE);
  }
  return count;
}

const events = parseCount('events', values.events, 100_000_000);
const commissions = parseCount(
  'commissions',
  values.commissions ?? String(Math.ceil(events / 147)),
  1_000_000,
);
const seed = parseCount('seed', values.seed, 1_000_000);
try {
  const { DATA_DIR = '', CONTENT_DIR = '', TIME_ZONE = '' } = process.env;
  const config = parseSettings({ DATA_DIR, CONTENT_DIR, TIME_ZONE });
  const dataDir = path.resolve(config.DATA_DIR);
  if (values.fresh || readSampleState(dataDir) !== 'complete') {
    removeData(dataDir);
    await generate({ ...config, DATA_DIR: dataDir }, { events, commissions }, seed);
  }
} catch (error) {
  const isExpected =
    error instanceof SettingsError || error instanceof ContentError || !(error instanceof TypeError);
  process.stderr.write(`${isExpected && error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
