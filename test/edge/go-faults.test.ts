import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { startLocalWorker } from '../../src/runtimes/cloudflare/tools/local-worker.ts';
import { watchMachine } from '../support/scale-to-machine.ts';
import { PERSON } from '../support/visit.ts';

type Fault = 'none' | 'fails' | 'slow';

const SLOW_MS = 2_000;
const CLICKS = 20;
/** How long a visitor may wait for the redirect. */
const REDIRECT_MS = 50;
const LOSS = 'clicks: event not stored';
/** The queue delivers after a few seconds. */
const QUEUED = { timeout: 180_000 };

/** The worker with an event database and a queue that fail as `/faults` was told; `/log` is what it has logged. */
const ENTRY = `
import site from './main.mjs';
let faults = {};
const lines = [];
console.log = (line) => lines.push(line);
async function run(name, call) {
  if (faults[name] === 'fails') throw new Error('injected');
  if (faults[name] === 'slow') await new Promise((resolve) => setTimeout(resolve, ${SLOW_MS}));
  return call();
}
export default {
  ...site,
  fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/log') return Response.json(lines.splice(0));
    if (pathname === '/faults') {
      faults = Object.fromEntries(searchParams);
      return new Response();
    }
    const EVENTS = {
      prepare: (sql) => env.EVENTS.prepare(sql),
      batch: (statements) => run('database', () => env.EVENTS.batch(statements)),
    };
    const EVENT_QUEUE = { send: (body) => run('queue', () => env.EVENT_QUEUE.send(body)) };
    return site.fetch(request, { ...env, EVENTS, EVENT_QUEUE });
  },
};`;

let worker: Awaited<ReturnType<typeof startLocalWorker>>;
let url: string;
const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-go-'));

beforeAll(async () => {
  worker = await startLocalWorker({
    host: '127.0.0.1',
    port: 0,
    dataDir: folder,
    contentDir: path.join(ROOT, 'content'),
    settings: { CLICK_RATE: '0', EVENT_RATE: '0' },
    entry: ENTRY,
  });
  url = (await worker.ready).origin;
  // The first request of an instance starts the site.
  await clickInTurn(5);
  await vi.waitUntil(async () => (await countStored()) === 5, QUEUED);
});
afterAll(async () => {
  await worker.dispose();
  rmSync(folder, { recursive: true, force: true });
});
const visit = (address: string, options: RequestInit = {}) =>
  fetch(url + address, {
    ...options,
    headers: { 'user-agent': PERSON, origin: url, 'content-type': 'application/json' },
    redirect: 'manual',
  });

const inject = (database: Fault, queue: Fault) => visit(`/faults?database=${database}&queue=${queue}`);

const readLog = async (): Promise<readonly string[]> => (await visit('/log')).json();

/** Clicks one after the other; resolves with what each visitor waits in ms, the shortest first. */
async function clickInTurn(count: number): Promise<readonly number[]> {
  const waits: number[] = [];
  for (let done = 0; done < count; done += 1) {
    const start = performance.now();
    const response = await visit('/go/highlevel');
    const page = await response.text();
    waits.push(performance.now() - start);
    expect([response.status, page]).toEqual([200, expect.stringContaining('https://www.gohighlevel.com/')]);
  }
  return waits.sort((one, other) => one - other);
}

/** The shortest shows the limit that is set; other work of the machine makes some of the others longer. */
async function expectInTime(database: Fault, queue: Fault): Promise<void> {
  await inject(database, queue);
  const scale = watchMachine();
  const waits = await clickInTurn(CLICKS);
  const [shortest = 0, p50 = 0, last = 0] = [waits[0], waits[CLICKS / 2], waits.at(-1)];
  const figures = [shortest, p50, last].map((ms) => ms.toFixed(0)).join(', ');
  console.info(`/go with database ${database}, queue ${queue}, shortest, p50 and longest: ${figures} ms`);
  expect(shortest).toBeLessThan(scale(REDIRECT_MS));
  expect(last).toBeLessThan(SLOW_MS);
}

async function countStored(): Promise<number> {
  const events = await worker.getD1Database('EVENTS');
  const sql = "SELECT count(DISTINCT id) AS count FROM events WHERE name = 'affiliate_redirect'";
  return (await events.prepare(sql).first<number>('count')) ?? 0;
}

const countLosses = (lines: readonly string[]) => lines.filter((line) => line.includes(LOSS)).length;

const KEEPING = [
  ['none', 'none'],
  ['fails', 'none'],
  ['slow', 'none'],
  ['slow', 'fails'],
  ['slow', 'slow'],
] as const;

it('redirects within 50 ms and stores each click once, unless database and queue fail', {
  tags: ['measures'],
}, async () => {
  await readLog();
  const stored = await countStored();
  for (const [database, queue] of KEEPING) await expectInTime(database, queue);
  await expect.poll(countStored, QUEUED).toBe(stored + KEEPING.length * CLICKS);
  expect(countLosses(await readLog())).toBe(0);
});

it('redirects within 50 ms and counts each lost click, and refuses events, while both fail', {
  tags: ['measures'],
}, async () => {
  await readLog();
  const stored = await countStored();
  await expectInTime('fails', 'fails');
  const event = { id: crypto.randomUUID(), name: 'page_view', session: 's', page: '/', time: Date.now() };
  const body = JSON.stringify({ events: [event] });
  expect((await visit('/api/journey', { method: 'POST', body })).status).toBe(503);
  expect(await countStored()).toBe(stored);
  const losses = (await readLog()).filter((line) => line.includes(LOSS));
  expect(losses).toHaveLength(CLICKS);
  expect(losses.at(-1)).toContain(`"lost":${CLICKS}`);
});
