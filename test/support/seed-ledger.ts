import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DEFAULT_TERMS } from '../../src/core/commissions/ledger/commission-terms.ts';
import type { SiteEvent } from '../../src/core/events/site-event.ts';
import { Clicks } from '../../src/stores/clicks.ts';
import { CrawlerRequestCounts } from '../../src/stores/crawler-requests.ts';
import {
  createNodeSqliteReader,
  DATABASE_FILE,
  NodeSqliteExecutor,
} from '../../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import { openLedgerDatabase } from './node-databases.ts';
import { openEventStore } from './open-event-store.ts';
import { startCommand } from './run-command.ts';
import { buildSampleFact } from './sample-commissions.ts';
import type { Site } from './site.ts';
import { createTestLedger } from './test-ledger.ts';

type Report = Parameters<typeof buildSampleFact>[0];

/** The folder with the ledger that a test has stored for a site, in the files of the Node server. */
export function findSeedFolder({ runtime, dataDir }: Pick<Site, 'runtime' | 'dataDir'>): string {
  return runtime === 'node' ? dataDir : path.join(dataDir, 'seed');
}

/** Stores events and reports in a running site. On workerd, a restart takes them over with `signpost data`. */
export async function seedSite(
  site: Site,
  events: readonly SiteEvent[],
  reports: readonly Report[],
): Promise<void> {
  const folder = findSeedFolder(site);
  mkdirSync(folder, { recursive: true });
  await seedLedger(folder, events, reports);
  if (site.runtime === 'node') return;
  const file = path.join(folder, 'data.gz');
  await site.stop();
  for (const [dataDir, ...words] of [
    [folder, 'export', file],
    [site.dataDir, 'import', file, '--edge'],
  ] as const) {
    const { code, stderr } = await startCommand('data', words, { DATA_DIR: dataDir });
    if (code !== 0) throw new Error(stderr);
  }
  await site.start();
}

/** Requests of agents for a page that visitors see, and for one with a long name. */
const CRAWLED = ['GPTBot', 'ChatGPT-User', 'OAI-SearchBot', 'Claude-SearchBot', 'meta-externalagent'].flatMap(
  (agent) =>
    ['/roi-calculator', '/compare-all-platforms-for-agencies-and-course-creators-part-1'].map((page) => ({
      agent,
      page,
      day: new Date().toISOString().slice(0, 10),
      requests: 1_234_567,
      verified: 1_000_000,
    })),
);

/** Stores events and reports of partner `highlevel` in a data folder, as the site does, and closes it. */
export async function seedLedger(
  dataDir: string,
  events: readonly SiteEvent[],
  reports: readonly Report[],
): Promise<void> {
  const eventStore = openEventStore(dataDir);
  await eventStore.append(events);
  const executor = new NodeSqliteExecutor({
    file: path.join(dataDir, DATABASE_FILE),
    report: () => undefined,
    isInline: true,
  });
  await new CrawlerRequestCounts(executor).add(CRAWLED);
  await executor.close();
  const reader = createNodeSqliteReader(path.join(dataDir, DATABASE_FILE), () => undefined);
  const { ledger: store } = openLedgerDatabase(dataDir, () => undefined);
  const ledger = createTestLedger({ store, clicks: new Clicks(reader) });
  for (const fields of reports) {
    await ledger.record({
      partner: 'highlevel',
      terms: DEFAULT_TERMS,
      source: 'postback',
      reports: [{ reported: buildSampleFact(fields, { arrivedAt: Date.now() }), strings: [] }],
    });
  }
  await Promise.all([store.close(), reader.close(), eventStore.close()]);
}
