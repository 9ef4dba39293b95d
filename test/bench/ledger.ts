import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { CommissionFold } from '../../src/server/commissions/commission-fold.ts';
import { LedgerSnapshot } from '../../src/server/commissions/ledger.ts';
import { LEDGER_FILE } from '../../src/stores/node-databases.ts';
import { migrate } from '../../src/stores/sql/migrate.ts';
import { openLedgerDatabase } from '../support/node-databases.ts';
import { buildSampleJourney } from '../support/sample-commissions.ts';
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
      iif(journey IS NULL, NULL, 'direct')) AS campaign
  FROM (SELECT partner, max(sequence) AS sequence FROM facts GROUP BY partner, account, native_id) AS last
  JOIN facts USING (sequence) LEFT JOIN journeys USING (click_id)`;
const buildSums = (
  from: string,
  by: string,
  clock: string,
) => `SELECT ${by} AS name, currency, status, count(*) AS count,
  sum(amount) AS amount, sum(reversed_amount) AS reversed FROM ${from}
  WHERE ${clock} >= ? AND ${clock} < ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
const DIMENSIONS = ['page', 'placement', 'campaign', 'partner'];
const CLOCKS = { booking: 'event_time', click: 'ifnull(clicked_at, event_time)' };

/**
 * Measures a ledger of so many commissions, of which every second has two messages and every tenth no click: how long the
 * table takes to be folded and to be summed, with the same sums straight from the messages, and what all of them take in
 * memory. Returns a table in Markdown; rejects when a sum differs.
 */
export async function measureLedger(commissions: number): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-ledger-'));
  const { ledger } = openLedgerDatabase(folder, () => undefined);
  try {
    const db = fillLedger(path.join(folder, LEDGER_FILE), commissions);
    const rows: string[][] = [];
    const measure = async (what: string, work: () => unknown, note = '') => {
      const [began, before] = [performance.now(), readMegabytes(process.pid)];
      const result = await work();
      const ms = Math.round(performance.now() - began).toLocaleString('en');
      rows.push([what, ms, String(readMegabytes(process.pid) - before), note]);
      return result;
    };
    const terms = new Map();
    const fold = new CommissionFold({ store: ledger, readTerms: () => terms });
    await measure('all rows are folded', () => fold.foldMarked());
    for (const [range, days] of [['28 days', 28] as const, ['two years', 730] as const])
      for (const by of DIMENSIONS)
        for (const [name, clock] of Object.entries(CLOCKS)) {
          const values = [END - days * DAY_MS, END + 60 * DAY_MS] as const;
          const read = (from: string) => db.prepare(buildSums(from, by, clock)).all(...values);
          const counted = '(SELECT * FROM folded_commissions WHERE is_counted)';
          const sums = await measure(`sums by ${by}, ${name} day, ${range}`, () => read(counted), 'equal');
          if (JSON.stringify(sums) !== JSON.stringify(read(`(${MESSAGES})`)))
            throw new Error(`The sums by ${by} and ${name} day of ${range} differ from the messages.`);
        }
    const clicks = { readFirstEventTime: async () => null };
    const snapshot = new LedgerSnapshot({ store: ledger, clicks, readTerms: () => terms });
    await measure('all commissions in memory, as views read them', () => snapshot.readEntries());
    db.close();
    return buildTable(['what', 'ms', 'more MB', 'straight from the messages'], rows);
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
