// node test/bench/commissions.ts: postbacks per second, the import of 100,000 rows, and reports over 10 million events.
// `-- --events 1000000` uses fewer events.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { countClicks } from '../../scripts/commands/commissions/count-clicks.ts';
import { ensureBuild } from '../../scripts/start/ensure-build.mjs';
import { openCommissionStore } from '../../src/adapters/commissions/open-commission-store.ts';
import { SqlClickSource } from '../../src/adapters/commissions/sql-click-source.ts';
import { SqlRollupStore } from '../../src/adapters/events/sql-rollup-store.ts';
import {
  createNodeSqliteReader,
  DATABASE_FILE,
  NodeSqliteExecutor,
} from '../../src/adapters/sql/node-sqlite/node-sqlite-executor.ts';
import { buildCommissionReport } from '../../src/core/commissions/commission-report.ts';
import { REPORT_DIMENSIONS } from '../../src/core/commissions/report-dimension.ts';
import { CommissionLedger } from '../../src/server/commissions/ledger.ts';
import { parseConfig } from '../../src/server/config.ts';
import { runCommissions } from '../support/run-commissions.ts';
import { buildSampleFact, buildSampleJourney } from '../support/sample-commissions.ts';
import { startSite } from '../support/site.ts';

const { values } = parseArgs({ options: { events: { type: 'string', default: '10000000' } } });
const EVENTS = Number(values.events);
const COMMISSIONS = 20_000;
const ROWS = 100_000;
const CONNECTIONS = 32;
const SECONDS = 5;

const print = (text: string) => process.stdout.write(`${text}\n`);

async function measurePostbacks(): Promise<void> {
  ensureBuild();
  const site = await startSite();
  try {
    const { stdout } = await runCommissions(site.dataDir, ['postback-url', 'highlevel'], {
      SITE_URL: site.url,
    });
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const times: number[] = [];
    let failed = 0;
    const post = () =>
      new Promise<void>((resolve) => {
        const began = performance.now();
        const address = `${stdout.trim()}?id=${randomUUID()}&click=${randomUUID()}&amount=1.00&currency=USD`;
        const call = request(address, { agent }, (response) => {
          response.resume().on('end', () => {
            if (response.statusCode === 200) times.push(performance.now() - began);
            else failed++;
            resolve();
          });
        });
        call.on('error', () => {
          failed++;
          resolve();
        });
        call.end();
      });
    const end = performance.now() + SECONDS * 1_000;
    const loop = async () => {
      while (performance.now() < end) await post();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, loop));
    agent.destroy();
    times.sort((one, other) => one - other);
    const at = (share: number) => times[Math.floor(times.length * share)]?.toFixed(1);
    const rate = Math.round(times.length / SECONDS);
    print(`postbacks: ${rate}/s on disk, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, failed ${failed}`);
  } finally {
    await site.remove();
  }
}

/** Events of which every 33rd is a click; the clicks are spread over pages, placements and campaigns. */
function fillEvents(file: string): string[] {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF');
  const clicks: string[] = [];
  const insert = database.prepare(
    'INSERT INTO events (id, name, session, page, label, value, data, campaign, server_time, flags) VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?)',
  );
  database.exec('BEGIN');
  for (let index = 0; index < EVENTS; index++) {
    const isClick = index % 33 === 0;
    const id = randomUUID();
    if (isClick && clicks.length < COMMISSIONS) clicks.push(id);
    const data = isClick
      ? `{"partner":"highlevel","destination":"trial","source":"place${index % 7}","assessment_type":"agency"}`
      : '{}';
    const campaign = `{"utm_source":"source${index % 20}"}`;
    const time = 1_730_000_000_000 + index * 3_000;
    const name = isClick ? 'affiliate_redirect' : 'page_view';
    insert.run(id, name, `s${index >> 3}`, `/page-${index % 60}`, '', data, campaign, time, '');
  }
  database.exec('COMMIT');
  database.close();
  return clicks;
}

async function measureReports(dir: string): Promise<void> {
  const file = path.join(dir, DATABASE_FILE);
  const executor = new NodeSqliteExecutor({ file, report: () => undefined });
  await executor.query({ sql: 'SELECT 1' });
  const clickIds = fillEvents(file);
  const rollups = new SqlRollupStore(executor, 'UTC');
  const began = performance.now();
  while ((await rollups.advance()) > 0);
  print(`events counted in the background: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  const store = openCommissionStore(dir, () => undefined);
  for (let start = 0; start < clickIds.length; start += 500) {
    const part = clickIds.slice(start, start + 500);
    const facts = part.map((clickId, index) =>
      buildSampleFact(
        { nativeId: `c${start + index}`, status: 'approved', token: clickId },
        { clickId, arrivedAt: 1_760_000_000_000 },
      ),
    );
    const journeys = part.map((clickId, index) =>
      buildSampleJourney({ clickId, page: `/page-${index % 60}` }),
    );
    await store.append({ facts, journeys });
  }
  const reader = createNodeSqliteReader({ file, report: () => undefined });
  const source = new SqlClickSource(reader);
  const config = parseConfig({});
  const ledger = new CommissionLedger({
    store,
    clicks: source,
    terms: new Map(),
    now: Date.now,
    newId: randomUUID,
    log: { warn: () => undefined },
  });
  const range = { from: 0, to: Number.MAX_SAFE_INTEGER };
  for (const by of REPORT_DIMENSIONS) {
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      const began = performance.now();
      const options = {
        by,
        clock: 'click',
        model: 'linearPages',
        timeZone: 'UTC',
        answerField: 'businessType',
      } as const;
      const [clicks, entries] = await Promise.all([
        countClicks({ rollups, config }, { ...options, ...range }),
        ledger.readEntries(),
      ]);
      buildCommissionReport(entries, clicks, { ...options, ...range });
      times.push(performance.now() - began);
    }
    print(`report by ${by}: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`);
  }
  await store.close();
  await reader.close();
  await executor.close();
}

async function measureImport(dir: string): Promise<void> {
  const file = path.join(dir, 'report.csv');
  const line = (index: number) =>
    `a${index},${randomUUID()},"$1,${String(index % 1000).padStart(3, '0')}.50",approved,2025-11-20 10:00`;
  writeFileSync(
    file,
    ['id,sub id,commission,status,date', ...Array.from({ length: ROWS }, (_, index) => line(index))].join(
      '\n',
    ),
  );
  const began = performance.now();
  const { stdout, stderr } = await runCommissions(dir, [
    'import',
    file,
    '--partner',
    'highlevel',
    '--currency',
    'USD',
    '--time-zone',
    'UTC',
    '--yes',
  ]);
  print(`import of ${ROWS} rows: ${((performance.now() - began) / 1_000).toFixed(1)} s\n${stdout}${stderr}`);
}

const dir = mkdtempSync(path.join(tmpdir(), 'bench-commissions-'));
try {
  await measurePostbacks();
  await measureImport(mkdtempSync(path.join(dir, 'import-')));
  await measureReports(dir);
} finally {
  rmSync(dir, { recursive: true });
}
