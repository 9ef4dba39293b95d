// node test/bench/console.ts: server time of every view of the console while the collector takes events, with the
// processor time of all threads and of the main one, which the collector needs too.
// `-- --events 1000000 --data FOLDER` uses fewer events, and sample data that are there already; --views names views,
// and --rate is the number of events a second.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { ensureBuild } from '../../scripts/start/ensure-build.mjs';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';
import { buildConsoleAddress } from '../../src/console/reports/addresses.ts';
import { addDays, addMonths } from '../../src/console/reports/range.ts';
import { CONSOLE_VIEWS } from '../../src/core/console/console-view.ts';
import { CONSOLE_FILE } from '../../src/stores/node-databases.ts';
import { CREATED_SUFFIX } from '../../src/stores/sql/quarantine.ts';
import { readConsoleUrl, setUpOperator } from '../support/console-access.ts';
import { type Site, startSite } from '../support/site.ts';
import type { CollectorLoad, CollectorResult } from './collector-load.ts';
import { findShare, readMegabytes, readProcessorUs } from './process-figures.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    commissions: { type: 'string', default: '20000' },
    data: { type: 'string' },
    rounds: { type: 'string', default: '20' },
    views: { type: 'string', default: '' },
    rate: { type: 'string', default: '2000' },
  },
});
const EVENTS_PER_SECOND = Number(values.rate);
const EVENTS_PER_POST = 20;
/** How long the collector is measured before the first view is read. */
const ALONE_MS = 10_000;
const today = new Date().toISOString().slice(0, 10);
/** By name, as parameters of an address. */
const RANGES: readonly (readonly [string, string])[] = [
  ['28 days', 'range=28d'],
  ['13 months', `from=${addDays(addMonths(today, -13), 1)}&to=${today}`],
];
const PAUSE_MS = 1_000 / (EVENTS_PER_SECOND / EVENTS_PER_POST);

const print = (text: string) => process.stdout.write(`${text}\n`);

function generate(dataDir: string): void {
  const size = ['--events', values.events, '--commissions', values.commissions];
  const { status } = spawnSync(PINNED_NODE, ['src/commands/main.ts', 'demo', ...size], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The sample data could not be generated.');
}

/** Posts events at a fixed rate until it is stopped. */
function startCollector(url: string): { stop(): Promise<CollectorResult> } {
  const load: CollectorLoad = { url, eventsPerPost: EVENTS_PER_POST, pauseMs: PAUSE_MS };
  const worker = new Worker(new URL('collector-load.ts', import.meta.url), { workerData: load });
  return {
    async stop() {
      worker.postMessage('stop');
      const [result] = await once(worker, 'message');
      return result;
    },
  };
}

async function measureCollector(site: Site, when: string, work: () => Promise<void>): Promise<void> {
  const collector = startCollector(site.url);
  await work();
  const { times, failed } = await collector.stop();
  const [p50, p99] = [0.5, 0.99].map((share) => findShare(times, share).toFixed(1));
  print(
    `collector ${when}, ${times.length} posts of ${EVENTS_PER_POST} events: p50 ${p50} ms, p99 ${p99} ms, failed ${failed}`,
  );
}

async function load(site: Site, cookie: string, address: string): Promise<{ ms: number; bytes: number }> {
  const began = performance.now();
  const response = await fetch(site.url + address, { headers: { cookie }, redirect: 'manual' });
  const body = await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${address} responded with ${response.status}`);
  return { ms: performance.now() - began, bytes: body.byteLength };
}

async function measureViews(site: Site, cookie: string): Promise<void> {
  const rounds = Number(values.rounds);
  const chosen = CONSOLE_VIEWS.filter(
    ({ key }) => values.views === '' || values.views.split(',').includes(key),
  );
  for (const [name, range] of RANGES) {
    for (const { key } of chosen) {
      const address = `${buildConsoleAddress(key)}?${range}`;
      const times: number[] = [];
      const first = await load(site, cookie, address);
      const before = readProcessorUs(site.pid());
      for (let round = 0; round < rounds; round++) times.push((await load(site, cookie, address)).ms);
      const after = readProcessorUs(site.pid());
      const [p50, p95] = [0.5, 0.95].map((share) => findShare(times, share).toFixed(0));
      const [all, main] = [after.all - before.all, after.main - before.main].map((us) =>
        (us / rounds / 1_000).toFixed(0),
      );
      print(
        [
          `${name} ${key}: p50 ${p50} ms, p95 ${p95} ms, first ${first.ms.toFixed(0)} ms`,
          `all threads ${all} ms, main thread ${main} ms, ${first.bytes} bytes of HTML`,
          `${readMegabytes(site.pid())} MB`,
        ].join(', '),
      );
    }
  }
}

ensureBuild();
const dataDir = values.data ?? mkdtempSync(path.join(tmpdir(), 'bench-console-'));
if (values.data === undefined) generate(dataDir);
// An operator of an earlier run has a password that no one knows.
for (const suffix of ['', '-wal', '-shm', CREATED_SUFFIX])
  rmSync(path.join(dataDir, CONSOLE_FILE + suffix), { force: true });
const site = await startSite({ env: { DATA_DIR: dataDir, EVENT_RATE: '0' } });
try {
  const start = readMegabytes(site.pid());
  if (EVENTS_PER_SECOND > 0) await measureCollector(site, 'alone', () => sleep(ALONE_MS));
  // The console thread runs by now, because there is a ledger. No operator has signed in yet.
  const loaded = readMegabytes(site.pid());
  const cookie = await setUpOperator(await readConsoleUrl(site));
  const views = () => measureViews(site, cookie);
  await (EVENTS_PER_SECOND > 0 ? measureCollector(site, 'while views are read', views) : views());
  print(
    `memory of the server: ${start} MB at start, ${loaded} MB with that load, ${readMegabytes(site.pid())} MB after the views`,
  );
} finally {
  await site.remove();
  if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true });
}
