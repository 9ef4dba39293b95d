/** @module-tag rest */
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import { expectIdle } from '../support/process.ts';
import { findWrongHeaders } from '../support/raw-request.ts';
import { watchMachine } from '../support/scale-to-machine.ts';
import { type Site, startSite } from '../support/site.ts';

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0' };
/** A second address of this machine: another client than the one that `fetch` is. */
const ATTACKER = '127.0.0.2';
const UNFINISHED =
  'POST /api/journey HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n';
const HANG_FILE = path.join(ROOT, `.cache/overload-disk-hangs-${process.pid}`);

let site: Site;
const sockets = new Set<Socket>();

beforeEach(async () => {
  mkdirSync(path.dirname(HANG_FILE), { recursive: true });
  site = await startSite({
    env: {
      NODE_OPTIONS: `--import=${import.meta.resolve('../support/process-faults.ts')}`,
      TEST_DISK_HANGS: HANG_FILE,
      PAGE_RATE: '40',
    },
  });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  rmSync(HANG_FILE, { force: true });
  await site.remove();
});

/** Sends bytes on a connection of its own; `reads` false: what comes back is not read. */
function send(bytes: string, { from = ATTACKER, reads = true, again = false } = {}): Socket {
  const socket = connect({ port: Number(new URL(site.url).port), host: '127.0.0.1', localAddress: from });
  sockets.add(socket);
  socket.on('error', () => undefined);
  if (reads) socket.resume();
  socket.on('close', () => {
    if (sockets.delete(socket) && again)
      setTimeout(() => sockets.size > 0 && send(bytes, { from, reads, again }), 50);
  });
  socket.write(bytes);
  return socket;
}

/** Requests of a visitor at another address, for some time; resolves with what was not a success. */
async function visit(ms: number): Promise<string[]> {
  const failures: string[] = [];
  const addresses = ['/', '/healthz', '/go/highlevel', '/gohighlevel-free-trial', '/api/region'];
  for (const until = performance.now() + ms; performance.now() < until; await sleep(20)) {
    for (const address of addresses) {
      const { status } = await fetch(site.url + address, { headers: BROWSER });
      if (status !== 200) failures.push(`${address}: ${status}`);
    }
  }
  return failures;
}

/** How long a visitor comes while others overload the site, in ms. */
const VISIT_MS = IS_FULL_LENGTH ? 4_000 : 1_000;

/** The largest file of the build, so that a client which does not read it fills its buffers. */
function findLargestFile(): string {
  const folder = path.join(ROOT, 'dist/client');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const size = (file: string) => statSync(path.join(folder, file)).size;
  const [largest = ''] = files.filter((file) => file.endsWith('.js')).sort((a, b) => size(b) - size(a));
  return `/${largest}`;
}

it('serves other visitors while one client keeps 1,100 unfinished requests open, and is idle afterwards', {
  tags: ['measures'],
}, async () => {
  for (let count = 0; count < 1_100; count += 1) send(UNFINISHED, { again: true });
  // Long enough for the first ones to be cut and opened again.
  expect(await visit(IS_FULL_LENGTH ? 12_000 : 4_500)).toEqual([]);
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await expectIdle(site.pid());
});

it('serves other visitors while one client reads none of 1,000 responses', async () => {
  const request = `GET ${findLargestFile()} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(8);
  for (let count = 0; count < 1_000; count += 1) send(request, { reads: false, again: true });
  expect(await visit(2 * VISIT_MS)).toEqual([]);
});

it('serves other visitors promptly while one client pipelines 2,000 requests on each of 300 connections', {
  tags: ['measures'],
}, async () => {
  const requests = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_000);
  for (let count = 0; count < 300; count += 1) send(requests, { reads: false, again: true });
  await sleep(500);
  const scale = watchMachine();
  const began = performance.now();
  expect(await visit(VISIT_MS)).toEqual([]);
  expect(performance.now() - began).toBeLessThan(scale(VISIT_MS + 2_000));
});

it('stays below 400 MB when all packets of pipelined requests arrive while the server is busy', {
  tags: ['measures'],
}, async () => {
  const requests = 'GET /contact HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_500);
  const open = Array.from({ length: 600 }, () => send('', { from: '127.0.0.3' }));
  await Promise.all(open.map((socket) => once(socket, 'connect')));
  process.kill(site.pid(), 'SIGSTOP');
  await Promise.all(open.map((socket) => new Promise((resolve) => socket.write(requests, resolve))));
  process.kill(site.pid(), 'SIGCONT');
  await expect.poll(() => open.every(({ destroyed }) => destroyed), { timeout: 20_000 }).toBe(true);
  await expectIdle(site.pid());
});

it('serves other visitors while one client keeps 1,500 idle connections open', async () => {
  for (let count = 0; count < 1_500; count += 1) send('GET / HTTP/1.1\r\nHost: a\r\n');
  expect(await visit(VISIT_MS)).toEqual([]);
});

it('serves other visitors promptly while one client requests pages that are not cached without end', {
  tags: ['measures'],
}, async () => {
  const until = performance.now() + 1_500 + VISIT_MS;
  let number = 0;
  const attack = Array.from({ length: 50 }, async () => {
    while (performance.now() < until) {
      send(`GET /blog?q=word${++number} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      await sleep(10);
    }
  });
  await sleep(1_500);
  const scale = watchMachine();
  const began = performance.now();
  expect(await visit(VISIT_MS)).toEqual([]);
  expect(performance.now() - began).toBeLessThan(scale(VISIT_MS + 2_000));
  await Promise.all(attack);
});

it('refuses a client beyond its share with 429 and all headers, but not its redirects and health checks', async () => {
  for (let count = 0; count < 100; count += 1) send(UNFINISHED, { from: '127.0.0.1', again: true });
  await expect.poll(async () => (await fetch(site.url)).status).toBe(429);
  const refused = await fetch(site.url);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await refused.json()).toMatchObject({ code: 'rate-limited' });
  expect(findWrongHeaders(Object.fromEntries(refused.headers))).toEqual([]);
  for (const address of ['/healthz', '/go/highlevel', '/hubspot-trial'])
    expect((await fetch(site.url + address, { headers: BROWSER })).status).toBe(200);
});

it('sheds what is beyond its capacity with 503 and all headers, redirects last, and recovers', async () => {
  writeFileSync(HANG_FILE, '');
  for (let count = 0; count < 1_100; count += 1) {
    const event = { id: crypto.randomUUID(), name: 'page_view', session: 's', page: '/', time: Date.now() };
    const body = JSON.stringify({ events: [event] });
    const head = UNFINISHED.replace('Length: 9', `Length: ${body.length}`);
    send(head + body, { from: `127.0.0.${10 + (count % 100)}` });
  }
  await expect.poll(async () => (await fetch(site.url)).status, { interval: 20 }).toBe(503);
  const [busy, health, redirect] = await Promise.all([
    fetch(site.url),
    fetch(`${site.url}/healthz`),
    fetch(`${site.url}/go/highlevel`, { headers: BROWSER }),
  ]);
  expect([busy.status, health.status, redirect.status]).toEqual([503, 200, 200]);
  expect(busy.headers.get('retry-after')).toBe('1');
  expect(await busy.json()).toMatchObject({ code: 'overloaded' });
  expect(findWrongHeaders(Object.fromEntries(busy.headers))).toEqual([]);
  rmSync(HANG_FILE);
  await expect.poll(async () => (await fetch(site.url)).status).toBe(200);
});
