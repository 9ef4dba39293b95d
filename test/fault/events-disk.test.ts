import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../support/create-folder.ts';
import { type Counters, createCounters, NOTHING_WRONG } from '../support/delivery-counters.ts';
import { limitFileSize, mountSmallDisk } from '../support/process.ts';
import { watchMachine } from '../support/scale-to-machine.ts';
import { type Site, startSite } from '../support/site.ts';
import { startEventsServer } from '../support/start-events-server.ts';

const BLOCKED_MS = 50;

async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`waited 30 s for ${what}`);
    await sleep(10);
  }
}

const count = (counters: Counters, status: number) => counters.statuses.get(status) ?? 0;

/** Posts one event and returns the whole response. */
function post(port: number): Promise<Response> {
  const event = { id: crypto.randomUUID(), name: 'page_view', session: 's1', page: '/', time: Date.now() };
  return fetch(`http://127.0.0.1:${port}/api/journey`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ events: [event] }),
  });
}

interface WayToFill {
  readonly name: string;
  /** Starts a site whose store can be full; `free` makes room again. */
  readonly begin: () => Promise<{ site: Site; dataDir: string; fill(): void; free(): void }>;
}

/** A real full disk takes a mount, which not every machine allows; a limit of the file size works everywhere. */
const WAYS_TO_FILL = [
  ...(canMount() ? [{ name: 'the disk is full', begin: beginOnSmallDisk }] : []),
  { name: 'the file may not grow', begin: beginWithLimit },
] satisfies WayToFill[];

function canMount(): boolean {
  const disk = mountSmallDisk('1m');
  disk?.remove();
  return disk !== null;
}

async function beginOnSmallDisk() {
  const disk = mountSmallDisk('2m');
  if (!disk) throw new Error('a disk could be mounted a moment ago');
  onTestFinished(() => disk.remove());
  const site = await startSite({ env: { EVENT_RATE: '0', MIN_FREE_MB: '0', DATA_DIR: disk.dir } });
  onTestFinished(() => site.remove());
  return { site, dataDir: disk.dir, fill: () => disk.fill(), free: () => disk.remount('size=64m') };
}

async function beginWithLimit() {
  const site = await startSite({ env: { EVENT_RATE: '0' } });
  onTestFinished(() => site.remove());
  return {
    site,
    dataDir: site.dataDir,
    fill: () => limitFileSize(site.pid(), 4_096),
    free: () => limitFileSize(site.pid(), 'unlimited'),
  };
}

describe('a store that cannot write', () => {
  it.each(WAYS_TO_FILL)('responds 503 while $name, the site goes on, and it heals', async ({ begin }) => {
    const { site, dataDir, fill, free } = await begin();
    const port = Number(new URL(site.url).port);
    const counters = createCounters();
    fill();
    const load = counters.start(port);
    await until('503', () => count(counters, 503) > 20);
    let refused = await post(port);
    // What the log has room for may still be stored; then nothing is.
    for (; refused.status !== 503; refused = await post(port)) await sleep(10);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({ code: 'store-unavailable' });
    expect((await fetch(`${site.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${site.url}/`)).status).toBe(200);
    await until('unreadiness', async () => (await fetch(`${site.url}/readyz`)).status === 503);

    free();
    const before = count(counters, 202);
    await until('202 again', () => count(counters, 202) > before + 100);
    await load.stop();
    await until('readiness', async () => (await fetch(`${site.url}/readyz`)).status === 200);
    expect([...counters.statuses.keys()].sort()).toEqual([202, 503]);
    expect(counters.acknowledged.size).toBeGreaterThan(100);
    expect(await counters.compare(dataDir)).toEqual(NOTHING_WRONG);
    expect(site.output()).toContain('the database cannot be written');
    expect(site.output()).toContain('the database can be written again');
  });
});

describe('a store that another process has locked', () => {
  it('responds 503 without ever stopping the event loop, and heals', {
    tags: ['rest', 'measures'],
  }, async () => {
    const dataDir = createFolder();
    const server = await startEventsServer(dataDir);
    onTestFinished(() => server.kill());
    const readDelay = async () => Number(await (await fetch(`http://127.0.0.1:${server.port}/delay`)).text());
    const counters = createCounters();
    const load = counters.start(server.port);
    await until('202', () => count(counters, 202) > 500);

    // On a busy machine another program can take the processor for longer than that; a blocking wait would show each
    // time.
    const scale = watchMachine();
    const delays: number[] = [];
    while (delays.length < 5 && !delays.some((ms) => ms < BLOCKED_MS)) {
      const other = new DatabaseSync(path.join(dataDir, 'events.sqlite'), { timeout: 5_000 });
      await readDelay();
      other.exec('BEGIN EXCLUSIVE');
      const before = count(counters, 503);
      await until('503', () => count(counters, 503) > before + 20);
      const refused = await post(server.port);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      delays.push(await readDelay());
      other.exec('ROLLBACK');
      other.close();
      const stored = count(counters, 202);
      await until('202 again', () => count(counters, 202) > stored + 100);
    }
    await load.stop();
    expect(Math.min(...delays)).toBeLessThan(scale(BLOCKED_MS));
    expect([...counters.statuses.keys()].sort()).toEqual([202, 503]);
    expect(await counters.compare(dataDir)).toEqual(NOTHING_WRONG);
    expect(server.errors()).toContain('locked');
  });
});
