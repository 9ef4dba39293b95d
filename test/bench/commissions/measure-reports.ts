import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { countClicks } from '../../../scripts/commands/commissions/reports.ts';
import { DAY_MS } from '../../../src/core/clock.ts';
import { COMMISSION_STATUSES } from '../../../src/core/commissions/commission-fact.ts';
import { buildCommissionReport, REPORT_DIMENSIONS } from '../../../src/core/commissions/commission-report.ts';
import { ROLLUP_DIMENSIONS } from '../../../src/core/events/rollup.ts';
import { parseSettings } from '../../../src/server/settings.ts';
import { Clicks } from '../../../src/stores/clicks.ts';
import { EventFeed } from '../../../src/stores/events.ts';
import { Rollups } from '../../../src/stores/rollups.ts';
import {
  DATABASE_FILE,
  NodeSqliteExecutor,
} from '../../../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import { openLedgerDatabase } from '../../support/node-databases.ts';
import { buildSampleFact, buildSampleJourney } from '../../support/sample-commissions.ts';
import { createTestLedger } from '../../support/test-ledger.ts';
import { type FilledEvents, fillEvents } from './fill-events.ts';

const ROUNDS = 20;

/** Data of a run that can be used again: the events take minutes to write. */
interface Folder {
  readonly dir: string;
  readonly events: number;
  readonly commissions: number;
}

/** Measures every report and read of the console over generated events and commissions. */
export async function measureReports(folder: Folder, print: (text: string) => void): Promise<void> {
  const { newest, clickIds } = await fillFolder(folder, print);
  const file = path.join(folder.dir, DATABASE_FILE);
  const executor = new NodeSqliteExecutor({ file, report: () => undefined });
  const rollups = new Rollups(executor, 'UTC');
  const { ledger: store } = openLedgerDatabase(folder.dir, () => undefined);
  const config = parseSettings({});
  const createLedger = () =>
    createTestLedger({
      store,
      clicks: new Clicks(executor),
    });
  const ledger = createLedger();
  print(`${folder.events} events, ${clickIds.length} commissions`);
  const before = readHeap();
  await measure('first read of all commissions', print, () => ledger.readEntries(), 1);
  print(`memory of the commissions: ${((readHeap() - before) / 1e6).toFixed(1)} MB`);
  await measure('read again, nothing changed', print, () => ledger.readEntries());
  let changes = 0;
  await measure('read after another commission', print, async () => {
    await store.append({ facts: [buildSampleFact({ nativeId: `changed-${Date.now()}-${changes++}` })] });
    return ledger.readEntries();
  });
  for (const days of [28, 395]) {
    const range = { from: newest - days * DAY_MS, to: newest };
    for (const by of REPORT_DIMENSIONS) {
      const options = { by, clock: 'click', model: by === 'campaign' ? 'linear' : 'linearPages' } as const;
      const all = { ...options, ...range, timeZone: 'UTC', answerField: 'businessType' };
      await measure(`report by ${by}, ${days} days`, print, async () => {
        const [clicks, entries] = await Promise.all([
          countClicks({ rollups, config }, all),
          ledger.readEntries(),
        ]);
        return buildCommissionReport(entries, clicks, all);
      });
    }
    const from = new Date(range.from).toISOString().slice(0, 10);
    for (const dimension of ROLLUP_DIMENSIONS) {
      await measure(`counts by ${dimension}, ${days} days`, print, () =>
        rollups.readByKey({ dimension, from }),
      );
      await measure(`counts by day and ${dimension}, ${days} days`, print, () =>
        rollups.readByDayAndKey({ dimension, from, parts: [{ index: 0, value: '/page-1' }] }),
      );
    }
  }
  const feed = new EventFeed(executor);
  await measure('events of the last 30 minutes', print, () =>
    feed.readRecent({ since: newest - 30 * 60_000, limit: 500 }),
  );
  await store.close();
  await executor.close();
}

async function fillFolder(
  { dir, events, commissions }: Folder,
  print: (text: string) => void,
): Promise<FilledEvents> {
  const summary = path.join(dir, 'filled.json');
  if (existsSync(summary)) return JSON.parse(readFileSync(summary, 'utf8')) as FilledEvents;
  mkdirSync(dir, { recursive: true });
  const file = path.join(dir, DATABASE_FILE);
  const executor = new NodeSqliteExecutor({ file, report: () => undefined });
  await executor.query({ sql: 'SELECT 1' });
  const began = performance.now();
  const filled = fillEvents(file, events, commissions);
  print(`events written: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  const rollups = new Rollups(executor, 'UTC');
  const counting = performance.now();
  while ((await rollups.advance()) > 0);
  print(`events counted in the background: ${((performance.now() - counting) / 1_000).toFixed(0)} s`);
  await fillCommissions(dir, filled);
  await executor.close();
  writeFileSync(summary, JSON.stringify(filled));
  return filled;
}

async function fillCommissions(dir: string, { clickIds, newest }: FilledEvents): Promise<void> {
  const { ledger: store } = openLedgerDatabase(dir, () => undefined);
  for (let start = 0; start < clickIds.length; start += 500) {
    const part = clickIds.slice(start, start + 500);
    const times = part.map((_, index) => newest - (1 - (start + index) / clickIds.length) * 394 * DAY_MS);
    const facts = part.map((clickId, index) =>
      buildSampleFact(
        {
          nativeId: `c${start + index}`,
          status: COMMISSION_STATUSES[(start + index) % 4] ?? 'paid',
          token: clickId,
          amount: 1_000 + index,
          eventTime: Math.floor(times[index] ?? 0) + DAY_MS,
        },
        { clickId, arrivedAt: newest },
      ),
    );
    const journeys = part.map((clickId, index) =>
      buildSampleJourney({
        clickId,
        clickTime: Math.floor(times[index] ?? 0),
        page: `/page-${index % 300}`,
        pages: [`/page-${index % 7}`, `/page-${index % 13}`, `/page-${index % 300}`],
        touches: [
          { campaign: { utm_source: `source${index % 12}` }, time: 1 },
          { campaign: { utm_source: 'google', utm_medium: 'cpc', utm_campaign: `c${index % 200}` }, time: 2 },
        ],
      }),
    );
    await store.append({ facts, journeys });
  }
  await store.close();
}

function readHeap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** Prints the wall time and the processor time of this process and its threads. */
async function measure(
  title: string,
  print: (text: string) => void,
  run: () => Promise<unknown>,
  rounds = ROUNDS,
): Promise<void> {
  const walls: number[] = [];
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const cost = process.cpuUsage();
    const began = performance.now();
    await run();
    walls.push(performance.now() - began);
    const { user, system } = process.cpuUsage(cost);
    costs.push((user + system) / 1_000);
  }
  print(`${title}: ${summarize(walls)} ms, processor ${summarize(costs)} ms`);
}

function summarize(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(1);
  return sorted.length === 1 ? `${at(0)}` : `p50 ${at(0.5)}, p95 ${at(0.95)}`;
}
