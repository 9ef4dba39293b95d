// node test/bench/edge.ts: processor time per request of the same site on Node and on workerd, with the same sample
// data, as a table. `--events`, `--commissions` and `--rounds` (reads of each view) change its size.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuild, ensureWorkerBuild } from '../../scripts/start/ensure-build.mjs';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';
import { buildConsoleAddress } from '../../src/console/figures/addresses.ts';
import { CONSOLE_VIEWS } from '../../src/core/console/console-view.ts';
import { openConsoleSite } from '../support/console-access.ts';
import { startCommand } from '../support/run-command.ts';
import { type Site, startSite } from '../support/site.ts';
import { PERSON } from '../support/visit.ts';
import { readTreeMs } from './process-tree.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '20000' },
    commissions: { type: 'string', default: '500' },
    requests: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '40' },
  },
});
const [requests, rounds] = [Number(values.requests), Number(values.rounds)];
const WARM_UP = { requests: 50, rounds: 2 };

interface Work {
  readonly name: string;
  readonly isView?: true;
  request(site: Site, cookie: string): Promise<Response>;
}

const visit = (site: Site, address: string) =>
  fetch(site.url + address, { headers: { 'user-agent': PERSON }, redirect: 'manual' });

const post = (site: Site) => {
  const event = { id: randomUUID(), name: 'page_view', session: randomUUID(), page: '/', time: Date.now() };
  const headers = { 'content-type': 'application/json', 'user-agent': PERSON, origin: site.url };
  const body = JSON.stringify({ events: [event] });
  return fetch(`${site.url}/api/journey`, { method: 'POST', headers, body });
};

const WORKS: readonly Work[] = [
  { name: 'cached page (`/help`)', request: (site) => visit(site, '/help') },
  {
    name: 'rendered page (`/blog?q=…`, each once)',
    request: (site) => visit(site, `/blog?q=${randomUUID()}`),
  },
  { name: '`/go/highlevel`, click stored', request: (site) => visit(site, '/go/highlevel') },
  { name: 'collector, one event', request: post },
  ...['28d', '91d'].flatMap((range) =>
    CONSOLE_VIEWS.filter(({ hasPeriod }) => hasPeriod || range === '28d').map(
      ({ key, name, hasPeriod }): Work => ({
        name: hasPeriod ? `console, ${name}, ${range.replace('d', ' days')}` : `console, ${name}`,
        isView: true,
        request: (site, cookie) =>
          fetch(`${site.url}${buildConsoleAddress(key)}${hasPeriod ? `?range=${range}` : ''}`, {
            headers: { cookie },
            redirect: 'manual',
          }),
      }),
    ),
  ),
];

async function generate(folder: string, file: string): Promise<void> {
  const size = ['--events', values.events, '--commissions', values.commissions];
  const { status } = spawnSync(PINNED_NODE, ['scripts/commands/main.ts', 'demo', ...size], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The sample data could not be generated.');
  await move(folder, 'export', file);
}

async function move(folder: string, ...words: string[]): Promise<void> {
  const { code, stderr } = await startCommand('data', words, { DATA_DIR: folder });
  if (code !== 0) throw new Error(stderr);
}

/** Milliseconds of the processor that a request takes, in all processes of the site. */
async function measure(site: Site, cookie: string, { name, isView, request }: Work): Promise<number> {
  const run = async (count: number) => {
    for (let index = 0; index < count; index++) {
      const response = await request(site, cookie);
      await response.arrayBuffer();
      if (response.status >= 300) throw new Error(`${name}: status ${response.status}`);
    }
  };
  const count = isView ? rounds : requests;
  await run(isView ? WARM_UP.rounds : WARM_UP.requests);
  const before = readTreeMs(site.pid());
  await run(count);
  return (readTreeMs(site.pid()) - before) / count;
}

async function measureRuntime(runtime: 'node' | 'workers', file: string): Promise<readonly number[]> {
  const site = await startSite({ runtime, env: { EVENT_RATE: '0', CLICK_RATE: '0' } });
  try {
    const { cookie } = await openConsoleSite(site);
    await site.stop();
    await move(site.dataDir, 'import', file, ...(runtime === 'workers' ? ['--edge'] : []));
    await site.start();
    const figures: number[] = [];
    for (const work of WORKS) figures.push(await measure(site, cookie, work));
    return figures;
  } finally {
    await site.remove();
  }
}

ensureBuild();
ensureWorkerBuild();
const folder = mkdtempSync(path.join(tmpdir(), 'bench-edge-'));
try {
  const file = path.join(folder, 'data.gz');
  await generate(path.join(folder, 'demo'), file);
  const workerd = await measureRuntime('workers', file);
  const node = await measureRuntime('node', file);
  const format = (ms: number | undefined) => `${ms?.toFixed(1)} ms`;
  const rows = WORKS.map(
    ({ name }, index) => `| ${name} | ${format(workerd[index])} | ${format(node[index])} |`,
  );
  process.stdout.write(`| request | workerd | Node |\n|---|---|---|\n${rows.join('\n')}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
