import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { readAssessment } from '../../src/console/assessment/read.ts';
import { readCampaigns } from '../../src/console/campaigns/read.ts';
import { readCommissions } from '../../src/console/commissions/read.ts';
import type { ConsoleSite } from '../../src/console/console-site.ts';
import { readJourneys } from '../../src/console/journeys/read.ts';
import { readOverview } from '../../src/console/overview/read.ts';
import { readPages } from '../../src/console/pages/read.ts';
import { readPartners } from '../../src/console/partners/read.ts';
import { readPlacements } from '../../src/console/placements/read.ts';
import { PeriodReader } from '../../src/console/reports/periods.ts';
import { DEFAULT_QUERY } from '../../src/console/reports/query.ts';
import { readSources } from '../../src/console/sources/read.ts';
import { readUnmatched } from '../../src/console/unmatched/read.ts';
import { getBooked } from '../../src/core/commissions/metric-definitions.ts';
import { CommissionFold } from '../../src/server/commissions/commission-fold.ts';
import { LEDGER_FILE } from '../../src/stores/node-databases.ts';
import { migrate } from '../../src/stores/sql/migrate.ts';
import { createMemoryClicks } from '../support/memory-stores.ts';
import { openLedgerDatabase } from '../support/node-databases.ts';
import { buildSampleJourney } from '../support/sample-commissions.ts';
import { createTestLedger } from '../support/test-ledger.ts';
import { createTestSite } from '../support/test-site.ts';
import { readMegabytes } from './process-figures.ts';
import { buildTable } from './report.ts';

const DAY_MS = 86_400_000;
const END = Date.UTC(2026, 10, 20);
const START = END - 730 * DAY_MS;

/** What each commission is worth by its last message, straight from the messages. */
const MESSAGES = `SELECT last.partner, currency, status, iif(status = 'reversed', 0, amount) AS amount,
    iif(status = 'reversed', amount, 0) AS reversed_amount, event_time, journey ->> '$.clickTime' AS clicked_at,
    journey ->> '$.page' AS page, journey ->> '$.placement' AS placement,
    ifnull(journey ->> '$.touches[0].campaign.utm_source' || ' / cpc / ' || (journey ->> '$.touches[0].campaign.utm_campaign'),
      iif(journey IS NULL, NULL, 'No campaign')) AS campaign
  FROM (SELECT partner, max(sequence) AS sequence FROM facts GROUP BY partner, account, native_id) AS last
  JOIN facts USING (sequence) LEFT JOIN journeys USING (click_id)`;
const VIEWS = {
  overview: readOverview,
  pages: readPages,
  placements: readPlacements,
  campaigns: readCampaigns,
  sources: readSources,
  partners: readPartners,
  commissions: readCommissions,
  unmatched: readUnmatched,
  journeys: readJourneys,
  assessment: readAssessment,
} as const;

/** The money of each value of a dimension, straight from the messages. */
const buildSums = (
  by: string,
  clock: string,
) => `SELECT ${by} AS name, sum(iif(status = 'unknown', 0, amount)) AS booked
  FROM (${MESSAGES}) WHERE ${clock} >= ? AND ${clock} < ? AND currency = 'USD' AND page IS NOT NULL GROUP BY 1 ORDER BY 1`;
const CLOCKS = { booking: 'event_time', click: 'clicked_at' } as const;

/**
 * Measures a ledger of so many commissions, of which every second has two messages and every tenth no click: how long each view
 * takes the first time and again, and the memory of all of them.
 * Returns a table in Markdown; rejects when a sum of a view differs from the messages.
 */
export async function measureLedger(commissions: number): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-ledger-'));
  const { ledger } = openLedgerDatabase(folder, () => undefined);
  try {
    const db = fillLedger(path.join(folder, LEDGER_FILE), commissions);
    const rows: string[][] = [];
    const measure = async <Result>(what: string, work: () => Promise<Result>, note = '') => {
      const [began, before] = [performance.now(), readMegabytes(process.pid)];
      const result = await work();
      const ms = Math.round(performance.now() - began).toLocaleString('en');
      rows.push([what, ms, String(readMegabytes(process.pid) - before), note]);
      return result;
    };
    const fold = new CommissionFold({ store: ledger, readTerms: () => new Map() });
    await measure('all rows and sums are folded', () => fold.foldMarked());
    const clicks = createMemoryClicks([]);
    const table = createTestLedger({ store: ledger, clicks });
    const clock = { now: () => END, monotonic: () => performance.now() };
    const own = await createTestSite({ ledger, commissions: table, clock });
    const site = Object.assign(own, {
      periods: new PeriodReader(own),
      readAlerts: async () => [],
    }) as unknown as ConsoleSite;
    const viewer = { kind: 'operator', id: '1', name: '', capabilities: [] } as const;
    for (const [range, from] of [['28 days', END - 27 * DAY_MS] as const, ['two years', START] as const]) {
      const days = [from, END].map((time) => new Date(time).toISOString().slice(0, 10));
      const own = {
        from: days[0] ?? '',
        to: days[1] ?? '',
        clock: 'click',
        currency: 'USD',
        compare: 'previous',
      } as const;
      const query = { ...DEFAULT_QUERY, ...own };
      for (const [view, readView] of Object.entries(VIEWS)) {
        const request = { query, parameters: new URLSearchParams(), rest: [], viewer, formToken: '' };
        const read = async (): Promise<unknown> => readView(site, request);
        await measure(`${view}, ${range}`, read);
        await measure(`${view}, ${range}, again`, read);
      }
      for (const [clock, column] of Object.entries(CLOCKS)) {
        const isClick = clock === 'click';
        const period = await site.periods.readPeriod({ ...query, clock: isClick ? 'click' : 'booking' });
        for (const by of ['page', 'campaign'] as const) {
          const credited = period.selection.getCredited(by, by === 'page' ? 'clickPage' : 'last');
          const shown = [...credited].map(([name, money]) => ({ name, booked: getBooked(money) }));
          const expected = db.prepare(buildSums(by, column)).all(from, END + DAY_MS);
          const sort = (list: readonly unknown[]) => list.map((row) => JSON.stringify(row)).sort();
          if (JSON.stringify(sort(shown)) !== JSON.stringify(sort(expected)))
            throw new Error(`The sums by ${by} and ${clock} day of ${range} differ from the messages.`);
        }
      }
      rows.push([
        `sums by page and campaign, both clocks, ${range}`,
        '',
        '',
        'equal to SQL over the messages',
      ]);
    }
    db.close();
    return buildTable(['what', 'ms', 'more MB', ''], rows);
  } finally {
    await ledger.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function fillLedger(file: string, commissions: number): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  migrate(db, path.join(ROOT, 'migrations/commissions'));
  const addJourney = db.prepare('INSERT INTO journeys (click_id, journey) VALUES (?, ?)');
  const addFact =
    db.prepare(`INSERT INTO facts (partner, account, native_id, content_hash, kind, status, amount, currency, token,
    click_id, event_time, change_time, source, is_test, arrived_at)
    VALUES (?, 'main', ?, ?, 'sale', ?, ?, ?, '', ?, ?, ?, 'postback', 0, ?)`);
  db.exec('BEGIN');
  for (let index = 0; index < commissions; index += 1) {
    const hex = createHash('sha256').update(String(index)).digest('hex');
    const clickId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    const clickTime = Math.floor(START + ((END - START) * index) / commissions);
    const partner = ['highlevel', 'kit', 'shopify'][index % 3] ?? '';
    const [page, placement] = [`/blog/page-${index % 500}`, ['hero', 'text', 'table'][index % 3] ?? ''];
    const campaign = { utm_source: 'google', utm_medium: 'cpc', utm_campaign: `c-${index % 40}` };
    const touches = index % 4 === 0 ? [] : [{ campaign, time: clickTime - 1_000 }];
    const hasClick = index % 10 !== 0;
    if (hasClick)
      addJourney.run(
        clickId,
        JSON.stringify(buildSampleJourney({ clickId, clickTime, page, placement, partner, touches })),
      );
    const booked = clickTime + (index % 30) * DAY_MS;
    const later = booked + 20 * DAY_MS;
    const add = (hash: string, status: string, time: number) =>
      addFact.run(
        ...[partner, `id-${index}`, hash, status, 1_000 + (index % 5_000)],
        ...[index % 20 === 0 ? 'EUR' : 'USD', hasClick ? clickId : null, booked, time, time],
      );
    add('first', 'pending', booked);
    if (index % 2 === 0) add('second', index % 14 === 0 ? 'reversed' : 'approved', later);
  }
  db.exec('COMMIT');
  return db;
}
