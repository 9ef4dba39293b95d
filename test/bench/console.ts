// node test/bench/console.ts: server time of every view of the console while the collector takes events.
// `-- --events 1000000 --data FOLDER` uses fewer events, and sample data that are there already.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuild } from '../../scripts/start/ensure-build.mjs';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';
import { CONSOLE_VIEWS } from '../../src/core/console/console-view.ts';
import { buildConsolePath } from '../../src/core/paths.ts';
import { readConsoleUrl, setUpOperator } from '../support/console-access.ts';
import { type Site, startSite } from '../support/site.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    commissions: { type: 'string', default: '20000' },
    data: { type: 'string' },
    rounds: { type: 'string', default: '20' },
  },
});
const EVENTS_PER_SECOND = 2_000;
const EVENTS_PER_POST = 20;
const RANGES = ['28d', '12mo'];
const PAUSE_MS = 1_000 / (EVENTS_PER_SECOND / EVENTS_PER_POST);

const print = (text: string) => process.stdout.write(`${text}\n`);

function generate(dataDir: string): void {
  const size = ['--events', values.events, '--commissions', values.commissions];
  const { status } = spawnSync(PINNED_NODE, ['scripts/commands/demo.ts', ...size], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The sample data could not be generated.');
}

function readMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1_024);
}

/** Posts events at a fixed rate until it is stopped; `stop` resolves with the ms of each post. */
function startCollector(site: Site): { stop(): Promise<{ times: number[]; failed: number }> } {
  const times: number[] = [];
  const open = new Set<Promise<void>>();
  let failed = 0;
  const post = async () => {
    const session = randomUUID();
    const events = Array.from({ length: EVENTS_PER_POST }, () => ({
      id: randomUUID(),
      name: 'page_view',
      session,
      page: '/',
      time: Date.now(),
    }));
    const began = performance.now();
    const response = await fetch(`${site.url}/api/journey`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    });
    await response.arrayBuffer();
    if (response.status === 202) times.push(performance.now() - began);
    else failed++;
  };
  const timer = setInterval(() => {
    const posting = post().catch(() => {
      failed++;
    });
    open.add(posting);
    void posting.finally(() => open.delete(posting));
  }, PAUSE_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return { times, failed };
    },
  };
}

const findShare = (times: readonly number[], share: number) =>
  [...times].sort((one, other) => one - other)[
    Math.min(times.length - 1, Math.floor(times.length * share))
  ] ?? 0;

async function load(site: Site, cookie: string, address: string): Promise<{ ms: number; bytes: number }> {
  const began = performance.now();
  const response = await fetch(site.url + address, { headers: { cookie }, redirect: 'manual' });
  const body = await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${address} responded with ${response.status}`);
  return { ms: performance.now() - began, bytes: body.byteLength };
}

async function measureViews(site: Site, cookie: string): Promise<void> {
  for (const range of RANGES) {
    for (const { key, segment } of CONSOLE_VIEWS) {
      const address = `${buildConsolePath(segment)}?range=${range}`;
      const times: number[] = [];
      const first = await load(site, cookie, address);
      for (let round = 0; round < Number(values.rounds); round++)
        times.push((await load(site, cookie, address)).ms);
      const [p50, p95] = [0.5, 0.95].map((share) => findShare(times, share).toFixed(0));
      print(
        `${range} ${key}: p50 ${p50} ms, p95 ${p95} ms, first ${first.ms.toFixed(0)} ms, ${first.bytes} bytes of HTML`,
      );
    }
  }
}

ensureBuild();
const dataDir = values.data ?? mkdtempSync(path.join(tmpdir(), 'bench-console-'));
if (values.data === undefined) generate(dataDir);
const site = await startSite({ env: { DATA_DIR: dataDir, EVENT_RATE: '0' } });
try {
  const cookie = await setUpOperator(await readConsoleUrl(site));
  const before = readMegabytes(site.pid());
  const collector = startCollector(site);
  await measureViews(site, cookie);
  const { times, failed } = await collector.stop();
  const [p50, p99] = [0.5, 0.99].map((share) => findShare(times, share).toFixed(1));
  print(
    `collector, ${times.length} posts of ${EVENTS_PER_POST} events: p50 ${p50} ms, p99 ${p99} ms, failed ${failed}`,
  );
  print(`memory of the server: ${before} MB before, ${readMegabytes(site.pid())} MB after`);
} finally {
  await site.remove();
  if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true });
}
