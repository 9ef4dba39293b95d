import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';
import { WorkerSite } from '../../src/runtimes/cloudflare/tools/worker-site.ts';
import { readEvents } from '../support/events.ts';
import { COMPILE_CACHE, type Site, startSite } from '../support/site.ts';
import { PERSON } from '../support/visit.ts';

/** The limit of the free plan for the compressed worker, in KiB. */
const MAX_WORKER_KIB = 3 * 1_024;

/** Not synchronously: a blocked process does not see that workerd closes idle connections, and uses them again. */
const runEdge = (args: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
  new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: COMPILE_CACHE, ...settings };
    const words = [path.join(ROOT, 'src/runtimes/cloudflare/tools/main.ts'), ...args];
    execFile(PINNED_NODE, words, { cwd: ROOT, env }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

let site: Site;
beforeAll(async () => {
  site = await startSite({ runtime: 'workers', env: { EVENT_RATE: '0' } });
});
afterAll(() => site.remove());

const post = (url: string, id: string) =>
  fetch(`${url}/api/journey`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': PERSON, origin: url },
    body: JSON.stringify({ events: [{ id, name: 'page_view', session: 's', page: '/', time: Date.now() }] }),
  });

it('ends with code 0 on SIGTERM and starts again with its events', async () => {
  const id = crypto.randomUUID();
  expect(await (await post(site.url, id)).json()).toEqual({ stored: 1, duplicates: 0, rejected: [] });
  expect(await site.stop()).toBe(0);
  await site.start();
  expect(await (await post(site.url, id)).json()).toEqual({ stored: 0, duplicates: 1, rejected: [] });
  const { stdout } = await runEdge(['export'], { DATA_DIR: site.dataDir });
  expect(stdout.match(/"id":"[^"]+"/g)?.filter((field) => field.includes(id))).toEqual([`"id":"${id}"`]);
});

it('lets a command wait while another process writes to its database', async () => {
  vi.stubEnv('DATA_DIR', site.dataDir);
  const command = new WorkerSite(false);
  onTestFinished(() => command.close());
  const { database } = await command.openCopies();
  const files = globSync(path.join(site.dataDir, 'edge/d1/*/*.sqlite'));
  const writers = files.map((file) => new DatabaseSync(file));
  for (const writer of writers) writer.exec('BEGIN IMMEDIATE');
  setTimeout(() => writers.map((writer) => writer.close()), 500);
  const started = performance.now();
  await database.batch([{ sql: 'CREATE TABLE waited (id INTEGER)' }, { sql: 'DROP TABLE waited' }]);
  expect([files.length, performance.now() - started]).toEqual([6, expect.toSatisfy((ms) => ms > 400)]);
});

it('opens a draft at the address that signpost preview-link prints, until another secret is made', async () => {
  const slug = 'handover-from-sale-to-delivery';
  const env = { DATA_DIR: site.dataDir, PORT: new URL(site.url).port };
  const read = async (address: string) => (await fetch(address)).status;
  expect(await read(`${site.url}/blog/${slug}`)).toBe(404);
  const { stdout } = await runEdge(['preview-link', slug], env);
  expect(stdout).toMatch(/^http:\/\/localhost:\d+\/blog\/[\w-]+\?preview=[\w-]{43}\n$/);
  const { pathname, search } = new URL(stdout.trim());
  expect(await read(site.url + pathname + search)).toBe(200);
  await runEdge(['preview-link', slug, '--renew'], env);
  expect(await read(site.url + pathname + search)).toBe(404);
});

it('stores the click of a partner link before it redirects', async () => {
  const response = await fetch(`${site.url}/go/highlevel`, { headers: { 'user-agent': PERSON } });
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const { stdout } = await runEdge(['export', '--all'], { DATA_DIR: site.dataDir });
  const clicks = stdout.split('\n').filter((line) => line.includes('affiliate_redirect'));
  expect(clicks.map((line) => JSON.parse(line))).toMatchObject([{ data: { partner: 'highlevel' } }]);
});

it('stores events once that were posted twice with the queue first', async () => {
  const queued = await startSite({ runtime: 'workers', env: { EVENT_HOT_DAYS: '3650' } });
  onTestFinished(() => queued.remove());
  const id = 'd3b0f9a5-3f0e-4d6c-9a52-3f0e4d6c9a53';
  for (let time = 0; time < 2; time++) expect((await post(queued.url, id)).status).toBe(202);
  // The queue delivers after a few seconds.
  await expect.poll(() => readEvents(queued.dataDir), { timeout: 180_000 }).toMatchObject([{ id }]);
});

it('asks the rate limits of the worker about wrong tokens of networks', async () => {
  const guess = () => fetch(`${site.url}/api/postbacks/highlevel/wrong`, { method: 'POST' });
  const statuses = (await Promise.all(Array.from({ length: 80 }, guess))).map(({ status }) => status);
  expect([...new Set(statuses)].sort()).toEqual([404, 429]);
  expect(site.output()).not.toContain('rate limit');
});

it('finds articles with a typing mistake from the first request on', async () => {
  const html = await (await fetch(`${site.url}/blog?q=reactivaton`)).text();
  expect(html).toContain('<mark>');
  expect((await fetch(`${site.url}/blog?q=pipeline`)).status).toBe(200);
});

it('responds from the cache with 304 to the tag of a page, and without a body to HEAD', async () => {
  const first = await fetch(`${site.url}/help`);
  const html = await first.text();
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  const again = await fetch(`${site.url}/help`, { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const head = await fetch(`${site.url}/help`, { method: 'HEAD' });
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  const second = await fetch(`${site.url}/help`);
  expect(await second.text()).toBe(html);
  expect(second.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
  expect(second.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'));
});

it('opens the console at the one-time address that the operator command prints', async () => {
  const { stdout } = await runEdge(['operator'], { DATA_DIR: site.dataDir, PORT: new URL(site.url).port });
  const [, address = ''] =
    /^Console: (http:\/\/localhost:\d+\/console\/setup\/[\w-]{43})\n$/.exec(stdout) ?? [];
  expect((await fetch(address)).status).toBe(200);
  expect((await fetch(address.replace(/.$/, '_'))).status).not.toBe(200);
});

it('refuses to let an operator into a deployed worker without a public address', async () =>
  expect(await runEdge(['operator', '--remote'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('SITE_URL is missing under "vars"'),
  }));

it('deploys nothing while the configuration lacks what only the operator knows', async () =>
  expect(await runEdge(['deploy'])).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/lacks SITE_URL under "vars" and the "database_id" of signpost-events, /),
  }));

it('deploys in a dry run with a worker that the free plan takes', async () => {
  const { status, stdout, stderr } = await runEdge(['deploy', '--dry-run']);
  expect([status, stderr]).toEqual([0, expect.not.stringMatching(/ERROR|WARNING/)]);
  expect(stdout).toContain('signpost-events');
  const [, size] = /gzip: ([\d.]+) KiB/.exec(stdout) ?? [];
  expect(Number(size)).toBeGreaterThan(500);
  expect(Number(size)).toBeLessThan(MAX_WORKER_KIB);
});

it('refuses an unknown command and an unknown option with what is expected', async () => {
  expect(await runEdge(['deliver'])).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/Unknown command "deliver".*signpost -- edge deploy/s),
  });
  expect(await runEdge(['deploy', '--force'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('--dry-run'),
  });
});
