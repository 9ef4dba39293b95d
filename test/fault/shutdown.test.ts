/** @module-tag rest */
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { readEvents } from '../support/events.ts';
import { navigate } from '../support/navigate.ts';
import { watchMachine } from '../support/scale-to-machine.ts';
import { type Site, type SiteOptions, startSite } from '../support/site.ts';

const FAULTS = import.meta.resolve('../support/process-faults.ts');
const HANG_FILE = path.join(import.meta.dirname, `../../.cache/disk-hangs-${process.pid}`);

const hangDisk = () => writeFileSync(HANG_FILE, '');
const freeDisk = () => rmSync(HANG_FILE, { force: true });

async function start(options: SiteOptions = {}): Promise<Site> {
  freeDisk();
  const env = { NODE_OPTIONS: `--import=${FAULTS}`, TEST_DISK_HANGS: HANG_FILE, ...options.env };
  const site = await startSite({ ...options, env });
  onTestFinished(async () => {
    freeDisk();
    await site.remove();
  });
  return site;
}

async function click(site: Site, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const id of ids) {
    const { status } = await navigate(`${site.url}/go/highlevel?click=${id}`);
    expect(status).toBe(200);
  }
  return ids;
}

async function readIds(site: Site): Promise<string[]> {
  const events = readEvents(site.dataDir);
  return events.map(({ id }) => String(id));
}

it.each([
  ['an exception', 'SIGUSR2'],
  ['a rejection', 'SIGWINCH'],
] as const)('stores waiting clicks and exits with code 1 after an unhandled %s', async (_, signal) => {
  const site = await start();
  const page = await fetch(site.url);
  expect(page.status).toBe(200);
  hangDisk();
  const ids = await click(site, 3);
  const exited = site.waitForExit();
  process.kill(site.pid(), signal);
  await sleep(1_000);
  freeDisk();
  expect(await exited).toBe(1);
  expect(await readIds(site)).toEqual(expect.arrayContaining(ids));
  expect(site.output()).toMatch(/"level":"error","message":"uncaught exception".*of the test/);
});

it('stores waiting clicks when the disk responds again after SIGTERM', async () => {
  const site = await start();
  hangDisk();
  const ids = await click(site, 30);
  const stopped = site.stop();
  await sleep(3_000);
  freeDisk();
  expect(await stopped).toBe(0);
  expect(await readIds(site)).toEqual(expect.arrayContaining(ids));
  expect(site.output()).not.toContain('were lost');
});

it('logs each waiting click and ends within eleven seconds of SIGTERM when the disk does not respond', {
  tags: ['measures'],
}, async () => {
  const site = await start();
  hangDisk();
  const ids = await click(site, 30);
  const scale = watchMachine();
  const began = performance.now();
  expect(await site.stop()).not.toBe(0);
  expect(performance.now() - began).toBeLessThan(scale(11_000));
  expect(existsSync(HANG_FILE)).toBe(true);
  for (const id of ids) expect(site.output()).toContain(id);
});

it('stores waiting clicks and ends within eleven seconds of SIGTERM when a thread cannot be ended', {
  tags: ['measures'],
}, async () => {
  const site = await start({ env: { TEST_THREAD_BLOCKS: '200' } });
  const ids = await click(site, 3);
  const scale = watchMachine();
  const began = performance.now();
  await site.stop();
  expect(performance.now() - began).toBeLessThan(scale(11_000));
  expect(await readIds(site)).toEqual(expect.arrayContaining(ids));
});

it.each(['SIGHUP', 'SIGINT SIGHUP', 'SIGTERM SIGTERM SIGINT'])(
  'stores waiting clicks after %s',
  async (signals) => {
    const site = await start();
    hangDisk();
    const ids = await click(site, 3);
    const exited = site.waitForExit();
    for (const signal of signals.split(' ')) {
      process.kill(site.pid(), signal);
      await sleep(50);
    }
    await sleep(300);
    freeDisk();
    expect(await exited).toBe(0);
    expect(await readIds(site)).toEqual(expect.arrayContaining(ids));
  },
);

it('refuses no request while a supervisor that holds its socket restarts it', async () => {
  const site = await startSite({ isSupervised: true });
  onTestFinished(() => site.remove());
  const countStarts = () => site.output().split('is serving on').length - 1;
  await expect.poll(countStarts).toBe(1);
  process.kill(site.pid(), 'SIGUSR1');
  const began = performance.now();
  const requests: Promise<number | string>[] = [];
  while (countStarts() < 2) {
    // On a connection of its own each. What went wrong is in the cause.
    const request = fetch(`${site.url}/healthz`, { headers: { connection: 'close' } });
    requests.push(
      request.then(
        ({ status }) => status,
        ({ cause }: Error) => `${cause}, ${Math.round(performance.now() - began)} ms after the signal`,
      ),
    );
    await sleep(20);
  }
  const statuses = await Promise.all(requests);
  // Those that arrive before the process stops accepting.
  const LEAVING = 503;
  expect(statuses.filter((status) => status !== 200 && status !== LEAVING)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(20);
});

it('ends in order when the article service does not respond', { tags: ['measures'] }, async () => {
  const service = createServer(() => undefined);
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void service.close());
  const address = service.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const site = await start({ articleService: { url: `http://127.0.0.1:${port}`, key: 'k' } });
  await fetch(`${site.url}/blog`);
  const scale = watchMachine();
  const began = performance.now();
  expect(await site.stop()).toBe(0);
  expect(performance.now() - began).toBeLessThan(scale(5_000));
});

it('the command serves at a socket that was passed to it', async () => {
  const program = ['scripts/start/signpost.mjs', 'serve'];
  await using site = await startSite({ isSupervised: true, runtime: 'node', program });
  expect((await fetch(`${site.url}/healthz`)).status).toBe(200);
});
