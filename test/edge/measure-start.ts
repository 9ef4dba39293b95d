// node test/edge/measure-start.ts: processor time of workerd for the first requests of an instance, as a table.
// `--starts` (7) is the number of starts, of which it prints the median; `--articles` adds generated article files.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureWorkerBuild } from '../../scripts/start/ensure-build.mjs';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { writeManyArticles } from '../../src/commands/demo/many-articles.ts';
import { startLocalWorker } from '../../src/runtimes/cloudflare/tools/local-worker.ts';
import { PERSON } from '../support/visit.ts';

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '7' },
    articles: { type: 'string', default: '0' },
    path: { type: 'string', default: '/help' },
  },
});

/** What an instance is asked for, in this order. */
const REQUESTS = [values.path, '/blog?q=pipeline', '/console'];

/** Processor time in ms of the processes that this one has started, in all their threads. */
function readStartedMs(pid: number | string = process.pid): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  const started = threads.flatMap((thread) =>
    readFileSync(`${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return started.reduce((sum, child) => sum + readOwnMs(child) + readStartedMs(child), 0);
}

function readOwnMs(pid: string): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1_000_000;
}

async function measureStart(contentDir: string): Promise<readonly number[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-edge-start-'));
  const worker = await startLocalWorker({ host: '127.0.0.1', port: 0, dataDir, contentDir, settings: {} });
  try {
    const { origin } = await worker.ready;
    const figures = [readStartedMs()];
    for (const address of REQUESTS) {
      const before = readStartedMs();
      const response = await fetch(origin + address, { headers: { 'user-agent': PERSON } });
      await response.arrayBuffer();
      if (response.status >= 500) throw new Error(`${address}: status ${response.status}`);
      figures.push(readStartedMs() - before);
    }
    return figures;
  } finally {
    await worker.dispose();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

ensureWorkerBuild();
const folder = mkdtempSync(path.join(tmpdir(), 'bench-edge-content-'));
try {
  const contentDir = values.articles === '0' ? path.join(ROOT, 'content') : path.join(folder, 'content');
  if (values.articles !== '0')
    writeManyArticles(path.join(ROOT, 'content'), contentDir, Number(values.articles));
  const starts: (readonly number[])[] = [];
  for (let start = 0; start < Number(values.starts); start++) starts.push(await measureStart(contentDir));
  const rows = ['until it serves', ...REQUESTS.map((address) => `then ${address}`)].map((name, index) => {
    const sorted = starts.map((figures) => figures[index] ?? 0).sort((one, other) => one - other);
    const list = sorted.map((ms) => ms.toFixed(0)).join(', ');
    return `| ${name} | ${sorted[Math.floor(sorted.length / 2)]?.toFixed(0)} ms | ${list} |`;
  });
  process.stdout.write(`| processor time | median | every start |\n|---|---|---|\n${rows.join('\n')}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
