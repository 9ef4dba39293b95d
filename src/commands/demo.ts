import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readContent } from '../content-files/read-content.ts';
import { DAY_MS } from '../core/clock.ts';
import type { CampaignCost } from '../core/commissions/cost/campaign-cost.ts';
import type { Content } from '../core/pages/content.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { PostbackAddresses } from '../server/commissions/postbacks.ts';
import { buildRetentionLimit } from '../server/events/remove-old-events.ts';
import { Costs } from '../stores/costs.ts';
import { CrawlerRequestCounts } from '../stores/crawler-requests.ts';
import { holdAlone, isHold } from '../stores/data-folder.ts';
import { remove } from '../stores/disk.ts';
import { buildEventValues, EVENT_COLUMNS, SqlEventStore } from '../stores/events.ts';
import { readSampleState, writeSampleState } from '../stores/last-backup.ts';
import { Ledger } from '../stores/ledger.ts';
import { LEDGER_FILE } from '../stores/node-databases.ts';
import { Rollups } from '../stores/rollups.ts';
import { DATABASE_FILE, NodeSqliteExecutor } from '../stores/sql/node-sqlite/node-sqlite-executor.ts';
import { defineCommand, FLAG, UsageError } from './command.ts';
import { createDemoLedger, simulateRates } from './demo/commissions.ts';
import { writeManyArticles } from './demo/many-articles.ts';
import { SeededRandom } from './demo/seeded-random.ts';
import { type DemoClick, simulateCrawlers, simulateDays } from './demo/visits.ts';
import type { CommandSite } from './site.ts';

const USAGE = `Usage:
  ${nameCommand('demo')} [--large] [--fresh] [--events COUNT] [--commissions COUNT] [--seed NUMBER]

Serves the site with 36 months of generated visits, clicks and commissions, in a folder of its own: demo in DATA_DIR
(./data). Data that are there already are served as they are; --fresh generates them again, up to the present moment.
--large has 2,000 pieces, copies of those of the site: it is in demo-large.`;

const MONTHS = 36;
const MANY_ARTICLES = 2_000;
/** Measured with the content of this repository. */
const EVENTS_PER_SESSION = 3.27;
const COMMISSIONS_PER_EVENT = 0.006;
const SQLITE = { lockWaitMs: 10_000, isInline: true };

/** `npm run demo` runs this, which fills DATA_DIR with generated data, and serves them. */
export const command = defineCommand({
  usage: USAGE,
  options: {
    large: FLAG,
    fresh: FLAG,
    events: { type: 'string', default: '300000' },
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
    const dataDir = path.resolve(config.DATA_DIR);
    const contentDir = values.large ? path.join(dataDir, 'content') : config.CONTENT_DIR;
    if (!values.fresh && readSampleState(dataDir) === 'complete') return;
    if (existsSync(dataDir) && !holdAlone(dataDir, 'site'))
      throw new Error(`A site runs in ${dataDir}: stop it first. Nothing was changed.`);
    removeData(dataDir);
    // A crash from here on leaves a folder that is generated again.
    writeSampleState(dataDir, 'incomplete');
    if (values.large) writeManyArticles(config.CONTENT_DIR, contentDir, MANY_ARTICLES);
    io.stdout.write('Generating sample data …\n');
    const began = performance.now();
    const report = (line: string) => void io.stderr.write(`${line}\n`);
    const data = generateDemo(readContent(contentDir), contentDir, { events, commissions }, Date.now(), seed);
    const count = await writeDemo(dataDir, data, config.TIME_ZONE, report);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    const { length } = data.ledger.facts;
    io.stdout.write(`${count} events and ${length} messages of networks in ${dataDir} (${seconds} s).\n`);
  },
});

function parseCount(name: string, text: string, max: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= max) return count;
  throw new UsageError(`--${name} must be a whole number from 1 to ${max}.`);
}

function removeData(dataDir: string): void {
  const names = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => !isHold(name)) : [];
  if (names.length === 0) return;
  if (readSampleState(dataDir) === 'none') {
    throw new Error(`${dataDir} has data that were not generated: set DATA_DIR to another folder.`);
  }
  for (const name of names) remove(path.join(dataDir, name));
}

/**
 * Generates 36 months of about so many events and commissions that end at `now` (ms since 1970); the same for the same
 * seed. More than one commission for each 50 events is not plausible. The ledger is filled while the days are read.
 */
export function generateDemo(
  content: Content,
  contentDir: string,
  size: { readonly events: number; readonly commissions: number },
  now: number,
  seed: number,
) {
  const start = buildRetentionLimit(now, MONTHS) + DAY_MS;
  const scale = size.commissions / (size.events * COMMISSIONS_PER_EVENT);
  const ledger = createDemoLedger(content, [start, now], scale, new SeededRandom(seed + 1));
  const period = { start, now, sessions: size.events / EVENTS_PER_SESSION };
  const random = new SeededRandom(seed);
  const costs: Omit<CampaignCost, 'entry'>[] = [];
  const results = {
    addClick: (click: DemoClick) => ledger.addClick(click),
    addCost: (cost: Omit<CampaignCost, 'entry'>) => void costs.push(cost),
  };
  return {
    days: simulateDays(content, contentDir, period, random, results),
    /** Complete when the days were read, as the ledger is. */
    costs,
    ledger,
    crawlers: simulateCrawlers(content, contentDir, now, new SeededRandom(seed + 2)),
    rates: simulateRates(start, now, new SeededRandom(seed + 3)),
  };
}

/**
 * Writes generated data into an empty folder, and resolves with the number of events. They go to their table itself:
 * appending ten million of them would take an hour.
 */
export async function writeDemo(
  dataDir: string,
  { days, ledger, costs, crawlers, rates }: ReturnType<typeof generateDemo>,
  timeZone: string,
  report: (message: string) => void,
): Promise<number> {
  const file = path.join(dataDir, DATABASE_FILE);
  const executor = new NodeSqliteExecutor({ file, report, ...SQLITE });
  // Creates the tables.
  await new SqlEventStore(executor).probe();
  const database = new DatabaseSync(file, { timeout: SQLITE.lockWaitMs });
  database.exec('PRAGMA synchronous = OFF');
  const places = EVENT_COLUMNS.map(() => '?').join(', ');
  const insert = database.prepare(`INSERT INTO events (${EVENT_COLUMNS.join(', ')}) VALUES (${places})`);
  let count = 0;
  for (const events of days) {
    database.exec('BEGIN');
    for (const event of events) insert.run(...buildEventValues(event));
    database.exec('COMMIT');
    count += events.length;
  }
  database.close();
  const rollups = new Rollups(executor, timeZone);
  while ((await rollups.advance()) > 0);
  const crawled = new CrawlerRequestCounts(executor);
  for (const requests of crawlers) await crawled.add(requests);
  await executor.close();
  const { facts, journeys, raw, unread, imports } = ledger.finish();
  const ledgerFile = {
    file: path.join(dataDir, LEDGER_FILE),
    migrations: 'commissions',
    isReplaceable: false,
  };
  const ledgerExecutor = new NodeSqliteExecutor({ ...ledgerFile, report, ...SQLITE });
  const store = new Ledger(ledgerExecutor);
  for (const change of imports.values()) await store.writeImport(change);
  await store.append({ facts, journeys: [...journeys.values()] });
  for (const message of raw) await store.append({ facts: [], raw: message });
  for (const message of unread) await store.addUnread(message);
  await store.writeRates(rates, Date.now());
  await store.writeReportingCurrency('USD');
  const costStore = new Costs(ledgerExecutor);
  const platforms = Map.groupBy(costs, ({ platform }) => platform);
  for (const [platform, own] of platforms) {
    const entry = {
      id: `demo-${platform}`,
      file: `${platform}-ads.csv`,
      timeZone: '',
      changedAt: Date.now(),
    };
    await costStore.write({ ...entry, platform, state: 'committed' }, own, own);
  }
  // Messages have come to the addresses of partners.
  await new PostbackAddresses(store, Date.now).create();
  await store.close();
  writeSampleState(dataDir, 'complete');
  return count;
}
